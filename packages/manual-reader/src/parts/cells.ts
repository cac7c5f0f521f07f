import { findFamily } from "./families.ts";
import { isDesignator, isNeverPart } from "./other-kinds.ts";

/** Footnote marks and leaders around a number. */
const MARKS =
  /(?<![0-9A-Z])\*+|\*+(?![0-9A-Z])|[\u2020\u2021\u00a7\u2022\u25cf\u25a0\u25b2\u2605\u2713\u00b9\u00b2\u00b3^]+/g;

/** Says since when a model has the part: `(A=E/#03401)`, `(B=*1999.06)`. */
const OF_MODEL = /\([A-Z]=[^)]*\)?/g;

/** `2`, `1,000`, `1 000`, `2.00`, `(3)`, `4 pcs`, `2 m`. */
const QUANTITY =
  /^\(?[x\u00d7]?\s*(\d{1,4}|[1-9]\d{0,2}[, '\u2019]\d{3})(?:\.0+|,00)?\s*[x\u00d7]?\s*\)?(?:\s*(?:ea(?:ch)?|pcs?|pieces?|sets?|pairs?|kits?|off|req'?d?|units?|st(?:k|ck|\u00fcck|uck)?|pz|uds?|unid?|szt|ks|kpl|adet|\u0448\u0442|m|\u500b|\u672c|\u679a)\.?)?$/i;

/** Undefined if the cell is no number ("as required"). */
export function readQuantity(cell: string): number | undefined {
  const match = QUANTITY.exec(cell.replace(MARKS, "").trim());
  return match ? Number(match[1]!.replace(/[, '\u2019]/g, "")) : undefined;
}

/** Characters, with punctuation. */
const LONGEST_REFERENCE = 16;

/** `12`, `7A`, `3-12`, `3_12`, `A`. */
export function readReference(cell: string): string | undefined {
  if (cell.length > LONGEST_REFERENCE) return undefined;
  const text = cell.replace(MARKS, "").replace(/^[(.\s-]+|[).:\s]+$/g, "");
  return /^(?:\d{1,4}(?:[-._]\d{1,3})?[A-Z]{0,2}|[A-Z]{1,2}\d{0,3})$/i.test(text) ? text : undefined;
}

/** Without leaders and marks. */
export function readDescription(cell: string): string | undefined {
  const text = cell
    .replace(MARKS, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.\u00b7_-]+|(?<![\s.\u00b7_])[\s.\u00b7_]*[._\u00b7]{2,}\s*$/g, "")
    .trim();
  return /\p{L}/u.test(text) ? text : undefined;
}

/** `*`, `†`, `(1)`. */
export function readMarks(cell: string): string[] {
  return [...cell.matchAll(/\*+|[\u2020\u2021\u00a7]+|\((?:\d|[a-z])\)/g)].map(([mark]) => mark);
}

/**
 * Numbers of a part number cell: anything with a digit or words joined by `_`, and three characters that is not of
 * another kind. Spaces within a number (24 050 13-S) do not divide it.
 */
export function splitNumbers(cell: string): string[] {
  const text = cell
    .replace(OF_MODEL, " ")
    .replace(MARKS, " ")
    .replace(/\((?:\d|[a-z])\)/g, " ")
    .replace(/(?<=[0-9A-Za-z]-)\s+(?=[0-9A-Za-z])|(?<=\d) (?=- \d)/g, "")
    .replace(/(?<=\d-) (?=\d)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return text
    .split(/\s*[,;&|]\s+|\s*(?:、|または|など)\s*|\s+(?:or|and|\/|&|->|\u2192)\s+|[()\[\]]/i)
    .flatMap((piece) => pieceNumbers(piece.replace(/^[\s.:#-]+|[\s.:,;-]+$/g, "").trim()));
}

/** Letters and digits in capitals, and words with a capital, of which one or more make a number: `AK 669-0,3`. */
const WHOLE_CODE = /^(?=.*(?:\d|[A-Z]_[A-Z]))[0-9\p{Lu}][0-9\p{Lu} ./,_+*()-]{2,31}$/u;
const WHOLE_NAME = /^(?=.{6,32}$)(?=.*\d)[0-9\p{Lu}]\S*(?: [0-9\p{Lu}]\S*){2,}$/u;
/** What such words say instead of a number, or of several. */
const NO_NUMBER =
  /^\d{1,2}(?:[./]\d+)?["″\p{L}]? \p{L}{3}|\bw\/|\b(?:or|and|see|page|fig(?:ure)?|ref|item|note|sheet|section|not|no|only|included|with|qty|size|type|rev|class|grade)\b/iu;

/**
 * Whether the cell is one number in several words, of which `splitNumbers` leaves some out; names, `Raspberry Pi 3 B`,
 * only where it finds none.
 */
export function isCutCode(cell: string, numbers = splitNumbers(cell)): boolean {
  const dropSigns = (text: string): string => text.replace(/[^0-9\p{L}]/gu, "");
  const isOne = (numbers.length === 0 && WHOLE_NAME.test(cell)) || WHOLE_CODE.test(cell);
  return (
    isOne &&
    dropSigns(numbers.join("")) !== dropSigns(cell) &&
    /(?:[0-9A-Z].*){3}/i.test(cell) &&
    !NO_NUMBER.test(cell) &&
    !isDesignator(cell) &&
    !isNeverPart(cell)
  );
}

/** Whether the cell is letters with a figure: `AM3`, `P 8`, `P 7CW`. */
export function isCode(cell: string): boolean {
  return /^[A-Z]{1,4}[ -]?\d{1,3}[A-Z]{0,4}(?:\/[A-Z])?$/.test(cell);
}

/** `650,001,488`: a spreadsheet grouped it. */
const IN_THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3}){2,}$/;

function pieceNumbers(piece: string): string[] {
  if (IN_THOUSANDS.test(piece)) return [piece.replaceAll(",", "")];
  if (isNumber(piece) && (findFamily(piece) !== undefined || !piece.includes(" "))) return splitBySlash(piece);
  const words = piece.split(" ");
  if (words.every((word) => findFamily(word) !== undefined)) return words;
  // Groups of digits are one number, unless words stand among them.
  if (
    /^[0-9A-Z]{1,6}(?:[ .-][0-9A-Z]{1,6}){1,5}$/.test(piece) &&
    /\d/.test(piece) &&
    !/(?:^| )[A-Z]{3,}(?: |$)/.test(piece) &&
    isNumber(piece)
  )
    return [piece];
  if (/\b(?:see|page|fig(?:ure)?|ref|item|note|sheet|section)\b/i.test(piece))
    return words.filter((word) => findFamily(word) !== undefined && isNumber(word));
  if (STANDARD.test(piece)) return [];
  const numbers = words.filter(
    (word) => isNumber(word) && (findFamily(word) !== undefined || word.replace(/\D/g, "").length >= 3),
  );
  return numbers.length > 0 ? numbers : findCode(words);
}

/** What is bought by its standard has no number: `DIN 933 M8x20`. */
const STANDARD = /^(?:DIN|ISO|EN|UNI|NF|JIS|GOST|ANSI|ASME|SAE|GB|BS|AS|PN|CSN|SFS)[ -]/;

/** `AWS-1` of `Park AWS-1`: the code behind a maker's name. */
function findCode(words: readonly string[]): string[] {
  const code = words.at(-1) ?? "";
  const isCode = /^[A-Z]{1,5}-?\d[0-9A-Z-]*$/.test(code) && isNumber(code);
  return isCode && words.slice(0, -1).every((word) => /^\p{Lu}[\p{L}&.]*$/u.test(word)) ? [code] : [];
}

function splitBySlash(text: string): string[] {
  const sides = text.split("/");
  return sides.length > 1 && sides.every((side) => findFamily(side) !== undefined) ? sides : [text];
}

/** Whether it can be a part number in a column of them. */
function isNumber(text: string): boolean {
  return (
    /\d|\p{L}_\p{L}/u.test(text) &&
    /^[0-9\p{L}][0-9\p{L} ./_+*-]*$/u.test(text) &&
    text.replace(/[^0-9A-Za-z]/g, "").length >= 3 &&
    text.length <= 32 &&
    (findFamily(text) !== undefined || !isNeverPart(text))
  );
}
