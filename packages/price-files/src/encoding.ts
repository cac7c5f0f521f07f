import { isAscii as hasAsciiOnly } from "node:buffer";
import { TextDecoder } from "node:util";
import iconv from "iconv-lite";
import { createRemark, quote, refuseFile } from "./remarks.ts";

/** Decodes a file piece by piece. */
export interface Decoder {
  encoding: string;
  decode(bytes: Uint8Array): string;
  end(): string;
}

const isWebEncoding = (charset: string): boolean => {
  try {
    return new TextDecoder(charset).encoding !== "";
  } catch {
    return false;
  }
};

/** Returns the name of a charset by which it is decoded. @throws FileRefusal for an unknown one */
export function resolveCharset(charset: string): string {
  if (isWebEncoding(charset)) return new TextDecoder(charset).encoding;
  const name = charset.toLowerCase();
  if (iconv.encodingExists(name)) return name;
  throw refuseFile("UNSUPPORTED_MEDIA_TYPE", createRemark("charset_unknown", { charset: quote(charset) }), "charset");
}

/** @param encoding as `resolveCharset` names it. Invalid bytes become U+FFFD. */
export function createDecoder(encoding: string): Decoder {
  if (!isWebEncoding(encoding)) {
    const decoder = iconv.getDecoder(encoding);
    return { encoding, decode: (bytes) => decoder.write(Buffer.from(bytes)), end: () => decoder.end() ?? "" };
  }
  const decoder = new TextDecoder(encoding);
  return { encoding, decode: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

export const LONGEST_MARK = 3;

export function findByteOrderMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.encoding;
}

/** Whether all bytes are the same in every encoding of a price list but UTF-16. */
export function isAscii(bytes: Uint8Array): boolean {
  return hasAsciiOnly(bytes) && !bytes.includes(0);
}

/** Encodings of spreadsheets and of DOS programs. The first of equals is taken. */
const CANDIDATES = ["windows-1252", "windows-1251", "windows-1250", "cp850", "ibm866", "shift_jis"] as const;
/** Bytes that are not ASCII: a list of millions shows no more. */
const MOST_SCORED = 10_000;

/** Guesses the encoding of a file by bytes of it, some of which are not ASCII. */
export function guessEncoding(bytes: Uint8Array): string {
  const countNulls = (odd: number): number => bytes.filter((byte, index) => byte === 0 && index % 2 === odd).length;
  const [evenNulls, oddNulls] = [countNulls(0), countNulls(1)];
  if (Math.max(evenNulls, oddNulls) > bytes.length / 5) return oddNulls > evenNulls ? "utf-16le" : "utf-16be";
  const { valid, invalid } = countUtf8(bytes);
  if (valid > 2 * invalid) return "utf-8";
  const sample = bytes.subarray(0, findForeign(bytes, MOST_SCORED) + 1);
  const scores = CANDIDATES.map((encoding) => scoreText(createDecoder(encoding).decode(sample)));
  return CANDIDATES[scores.indexOf(Math.max(...scores))] ?? CANDIDATES[0];
}

/** Finds the place of the nth byte that is not ASCII, or the last place. */
export function findForeign(bytes: Uint8Array, nth: number): number {
  let count = 0;
  const place = bytes.findIndex((byte) => byte >= 0x80 && (count += 1) === nth);
  return place === -1 ? bytes.length - 1 : place;
}

/** Counts characters of several bytes, and bytes that are part of none. */
function countUtf8(bytes: Uint8Array): { valid: number; invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    const more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    const tail = bytes.subarray(index + 1, index + 1 + more);
    // The last character may be cut.
    if (more > 0 && tail.every((next) => (next & 0xc0) === 0x80)) {
      if (tail.length === more) valid += 1;
      index += tail.length;
    } else invalid += 1;
  }
  return { valid, invalid };
}

const COMMON_LATIN = /[äöüßéèêàáâçñíóúãõåøæœëïôùûąćęłńśźżčěřšůžýđőű]/iu;
const SIGNS = /[°®™€£¥§«»“”„‘’–—½¼¾№²³±µ×•…\u00A0]/u;

/** Scores text by how its letters stand together: those of one script in a word, and no sign within one. */
function scoreText(text: string): number {
  let score = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) < 0x80) continue;
    score += scoreCharacter(text.charAt(index), text[index - 1] ?? " ", text[index + 1] ?? " ");
  }
  return score;
}

type Script = "latin" | "cyrillic" | "asian";

function findScript(character: string): Script | undefined {
  if (/\p{Script=Latin}/u.test(character)) return "latin";
  if (/\p{Script=Cyrillic}/u.test(character)) return "cyrillic";
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character) ? "asian" : undefined;
}

function scoreCharacter(character: string, previous: string, next: string): number {
  if (character === "\uFFFD" || /[\u0080-\u009F\uE000-\uF8FF]/.test(character)) return -4;
  if (/[\u2500-\u259F]/.test(character)) return -3;
  const script = findScript(character);
  const neighbors = [previous, next].map(findScript);
  if (script === undefined) {
    // An accent for an apostrophe: `It´s`, `dell’asse`.
    if (/[´’‘]/.test(character)) return 0;
    if (neighbors.every((neighbor) => neighbor !== undefined)) return -2;
    return SIGNS.test(character) ? 0 : -0.5;
  }
  if (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(previous)) return -2;
  if (script === "asian") {
    // Each half-width kana is one byte, as any letter of the West.
    if (/[\uFF61-\uFF9F]/.test(character)) return neighbors.includes("latin") ? -2 : -0.5;
    return neighbors.some((neighbor) => neighbor === "asian") ? 2 : neighbors.includes("latin") ? -2 : 0.5;
  }
  const isAlone = neighbors.every((neighbor) => neighbor === undefined);
  if (script === "cyrillic") return isAlone ? -0.5 : neighbors.includes("latin") ? -2 : 1.5;
  const isBesideOthers = [previous, next].some(
    (neighbor) => neighbor.charCodeAt(0) >= 0x80 && findScript(neighbor) !== undefined,
  );
  if (isBesideOthers) return -1;
  return (isAlone ? -0.5 : 1) + (COMMON_LATIN.test(character) ? 0.5 : 0);
}
