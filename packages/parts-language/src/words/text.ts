import { parseTireSize } from "../tire-size.ts";
import { fold } from "../fold.ts";
import { memoizeRecent } from "@partline/toolkit";

/** How text becomes terms of lower-case letters and digits, the same for documents and queries. */

const STOP_WORDS = new Set("a an and at by for from in of on or the to with".split(" "));
/** Stop words that are units behind a number: inches and amperes. */
const UNITS = new Set(["in", "a"]);
/** The signs of units, as titles write them behind a number, by their English, German, Spanish and French names. */
const UNIT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    in: "inch zoll pulgada pouce",
    ft: "foot feet fuss fuß pie pies pied",
    a: "amp ampere amperio",
    v: "volt voltio",
    w: "watt vatio",
    hp: "horsepower ps cv caballo pferdestärken chevaux",
    lm: "lumen lumens",
    lb: "pound pfund libra livre",
    oz: "ounce unze onza once",
  }).flatMap(([sign, names]) => names.split(" ").map((name) => [fold(name), sign])),
);
/** Returns the sign of a unit that is written as a word: `in` for `inches` and `zoll`. */
export const getUnitSign = (word: string): string | undefined =>
  UNIT_NAMES.get(word) ?? UNIT_NAMES.get(toSingular(word));

/** A text cut at white space: `23x8.50-12 tire` is two chunks, of four terms and of one. */
export interface Chunk {
  readonly terms: readonly string[];
  /** The words whose singulars the terms are, if one is a plural. */
  readonly words?: readonly string[];
  /**
   * One term for a chunk with a digit and punctuation, so that `23x850-12` finds `23x8.50-12`, or for one such as
   * `v-belt`.
   */
  readonly compact?: string;
  /** A size in one spelling: `23x85x12` for `23x8.50-12` and `23x8.5x12`. */
  readonly size?: string;
  /** A decimal number alone: `18.5`. */
  readonly decimal?: string;
  /** The one term that asks for the chunk, if a piece of it would find too much: `v` of `v-belt`, `80` of `4.80-8`. */
  readonly only?: string;
}

/** Longest chunk that is kept: V8 keeps the whole text of a longer piece of it. */
const LONGEST_KNOWN = 12;

type Mutable<T> = { -readonly [name in keyof T]: T[name] };

/** Most texts have chunks that others have too. */
const knownChunk = memoizeRecent(10_000, toChunk);

export function splitChunks(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const piece of closeSizes(readCommas(fold(text))).split(/[\s,;]+/)) {
    const chunk = piece.length > LONGEST_KNOWN ? toChunk(piece) : knownChunk(piece);
    if (chunk) chunks.push(chunk);
  }
  return chunks;
}

/** Stands in the text for a comma between thousands: the terms are without it. */
const GROUPED = "\u0001";
const DECIMAL_COMMA = /(?<=^|[\s(:"']|\d[x×])(\d{1,3}),(\d{1,2}|(?<=\b0,)\d{3,4})(?!,?\d)/g;
const GROUPING_COMMA = /(?<=^|[\s(:"'$]|\d[-–])([1-9]\d{0,2}(?=,\d{3}(?!,))|[1-9]\d?)((?:,\d{3})+)(?!,?\d)/g;

/** Commas in numbers: `2,5` as `2.5`, and `1,000` as one word. Those of lists (`10,12,14`) stay. */
function readCommas(text: string): string {
  // A quick test: few texts have such a comma.
  if (!/\d,\d/.test(text)) return text;
  return text
    .replace(DECIMAL_COMMA, "$1.$2")
    .replace(GROUPING_COMMA, (_, first: string, groups: string) => first + groups.replaceAll(",", GROUPED));
}

function toChunk(text: string): Chunk | undefined {
  if (text.includes(GROUPED)) {
    const wholeChunk = toChunk(text.replaceAll(GROUPED, ""));
    if (!wholeChunk) return undefined;
    // Where a title is marked, it is a term of several words.
    const compact = wholeChunk.compact ?? wholeChunk.terms.join("");
    // `540,541` may be two numbers as well.
    const pieces = /^\d{3}\D/.test(text) ? (text.match(/\d{3}/g) ?? []) : [];
    return { ...wholeChunk, terms: [...wholeChunk.terms, ...pieces], compact, only: wholeChunk.only ?? compact };
  }
  const words = text.match(/[\p{L}\p{N}]+/gu);
  if (!words) return undefined;
  const parsed: Mutable<Chunk> = { terms: words.map(toSingular) };
  if (parsed.terms.some((term, index) => term !== words[index])) parsed.words = words;
  if (!hasDigit(text)) {
    if (isLetterAndWord(words, text)) parsed.only = parsed.compact = parsed.terms.join("");
    return parsed;
  }
  if (words.length > 1) parsed.compact = words.join("");
  if (/^\d{1,2}\.\d{1,2}$/.test(text)) parsed.decimal = text;
  const size = readMeasure(text) ?? readSize(text);
  if (size !== undefined) parsed.size = size;
  if (size !== undefined && isDecimalSize(text)) parsed.only = size;
  return parsed;
}

/** All terms of a text, for the index. */
export function splitTerms(text: string): string[] {
  return readTerms(text, true);
}

/** Terms that join several words of a text. */
export function listCompounds(text: string): string[] {
  return readTerms(text, false);
}

function readTerms(text: string, withWords: boolean): string[] {
  const terms: string[] = [];
  let previous: Chunk | undefined;
  for (const chunk of splitChunks(withBothSizes(text))) {
    const { compact, size } = chunk;
    if (withWords) for (const term of chunk.terms) terms.push(term);
    if (compact !== undefined) terms.push(compact);
    if (size !== undefined) terms.push(size);
    const joined = previous && mayBeJoined(previous) ? joinTerms([previous, chunk]) : undefined;
    if (joined !== undefined) terms.push(joined);
    previous = chunk;
  }
  return terms;
}

/** A quick test: what is joined with the next word is short, or begins with a digit (`joinTerms`). */
function mayBeJoined({ terms: [first = ""] }: Chunk): boolean {
  return first.length < 4 || /^\d/.test(first);
}

/** `v-belt`, `O-Ring`: a letter and a word are also written as one word. */
function isLetterAndWord(words: readonly string[], chunk: string): boolean {
  return words.length === 2 && words[0]!.length === 1 && words[1]!.length > 1 && /\p{L}[-–]\p{L}/u.test(chunk);
}

/**
 * Joins neighbours that are also written as one word: a model (`GX 160`, `G X V 160`), a number and its unit (`54 in`),
 * `V Belt`; undefined for others.
 */
export function joinTerms(chunks: readonly Chunk[]): string | undefined {
  const words = chunks.map(({ terms, compact }) => compact ?? terms.join(""));
  const isOne = words.length === 2 && isLetterBeforeWord(words[0]!, words[1]!);
  const joined = words.join("");
  const isModel = hasDigit(joined) && words.slice(1).every((word, index) => isWrittenTogether(words[index]!, word));
  return isOne || isModel ? joined : undefined;
}

/** Joins a whole number and its unit's name as the number and the sign: `54 zoll` as `54in`. */
export function joinMeasure(chunks: readonly Chunk[]): string | undefined {
  const [number, unit] = chunks;
  if (chunks.length !== 2 || !isWholeNumber(number!) || unit!.terms.length !== 1) return undefined;
  const sign = getUnitSign(unit!.words?.[0] ?? unit!.terms[0]!);
  return sign && number!.terms[0]! + sign;
}

function isWholeNumber({ terms }: Chunk): boolean {
  return terms.length === 1 && /^\d{1,4}$/.test(terms[0]!);
}

/** Reads numbers as a size, `23 850 12`, `ST 205 75 R14`, `11.2 24`; undefined if they are none. */
export function readSpacedSize(chunks: readonly Chunk[]): string | undefined {
  const metric = /^(?:(?:st|lt|p) ?)?(\d{3}) (\d{2}) r? ?(\d{2})$/.exec(chunks.flatMap(({ terms }) => terms).join(" "));
  if (metric) return readSize(`${metric[1]}/${metric[2]}-${metric[3]}`);
  const [first] = chunks;
  if (first?.decimal !== undefined && chunks.every(({ decimal, terms }) => decimal ?? /^\d+$/.test(terms.join()))) {
    const size = parseTireSize(chunks.map(({ decimal, terms }) => decimal ?? terms.join()).join(" "));
    if (size) return listSizeTerms(size.size)[0];
  }
  if (chunks.length !== 3) return undefined;
  const [width, height, rim] = chunks.map(({ terms, compact }) => compact ?? terms.join(""));
  if (!/^\d{1,2}$/.test(rim!)) return undefined;
  if ([width!, height!].every((side) => /^\d\d0$/.test(side))) return readSize(`${width}/${height}-${rim}`);
  return /^\d{2}$/.test(width!) && /^\d{1,4}$/.test(height!) ? readSize(`${width}x${height}-${rim}`) : undefined;
}

function isLetterBeforeWord(left: string, right: string): boolean {
  return (
    left.length === 1 && /^\p{L}$/u.test(left) && /^\p{L}{3,}$/u.test(right) && !isStopWord(left) && !isStopWord(right)
  );
}

function isWrittenTogether(left: string, right: string): boolean {
  if (/^\p{L}{1,3}$/u.test(left))
    return !isStopWord(left) && (/^\d/.test(right) || (/^\p{L}{2}$/u.test(left + right) && !isStopWord(right)));
  // Between two measures an `x` is none of either.
  return /^\d+$/.test(left) && /^\p{L}{1,2}$/u.test(right) && right !== "x" && (!isStopWord(right) || UNITS.has(right));
}

/** `23 x 8.50 - 12` as `23x8.50-12`. */
function closeSizes(text: string): string {
  // A quick test: few texts have a size.
  if (!/\d\s*[x×]/.test(text)) return text;
  return text.replace(
    /(?<![\d./-])(\d{1,2}(?:\.\d{1,2})?)\s*[x×]\s*(\d{1,2}(?:\.\d{1,2})?)\s*[-x×]\s*(?=\d{1,2}(?![\d./]))/g,
    "$1x$2-",
  );
}

/** A tire of two sizes, `4.80/4.00-8`, is one of each: `4.80-8`, `4.00-8`. */
function withBothSizes(text: string): string {
  if (!text.includes("/")) return text;
  return text.replace(/(?<![\d.])(\d{1,2}\.\d{1,2})\/(\d{1,2}\.\d{1,2})-(\d{1,2})(?![\d.])/g, "$& $1-$3 $2-$3");
}

/**
 * Returns the term of a measure with a fraction, the same for `1-1/2`, `1.5` and `1.5in`: `1p5`; undefined for whole
 * numbers and others.
 */
function readMeasure(chunk: string): string | undefined {
  const [, inches, numerator, denominator, decimal] =
    /^(?:(?:(\d{1,2})-)?(\d{1,2})\/(2|4|8|16|32|64)|(\d{0,2}\.\d{1,4}))(?:in|["'])?$/.exec(chunk) ?? [];
  const value = decimal === undefined ? Number(inches ?? 0) + Number(numerator) / Number(denominator) : Number(decimal);
  return Number.isNaN(value) || Number.isInteger(value) ? undefined : String(value).replace(".", "p");
}

const SIZE =
  /(?<![\p{L}\p{N}])(?:st|lt|p)?(\d{1,3}(?:\.\d{1,2})?)(?:[x×/-](\d{1,4}(?:\.\d{1,2})?)[xr×/-](\d{1,2}(?:\.\d)?)|x(\d{1,2}(?:\.\d{1,2})?)|-(\d{1,2}))\p{L}{0,3}(?![\p{L}\p{N}])/u;

function readSize(chunk: string): string | undefined {
  const numbers = SIZE.exec(chunk)
    ?.slice(1)
    .filter((number) => number !== undefined);
  return numbers?.map(trimSizeNumber).join("x");
}

/** The term of a tire's size, by which other spellings find it: of `26x12.00LL-12` that of `26x12-12`. */
export function listSizeTerms(size: string | undefined): string[] {
  const numbers = size?.match(/\d+(?:\.\d+)?/g);
  return numbers ? [numbers.map(trimSizeNumber).join("x")] : [];
}

/** Returns whether a word holds a size, as `23x8.50-12` and `ST205/75R14` do. */
export function isSize(word: string): boolean {
  return readSize(fold(word)) !== undefined;
}

/** Returns whether a text is only a size with a decimal point, as no number is written: `4.80-8`, `23 x 8.50 - 12`. */
export function isDecimalSize(text: string): boolean {
  return /^\s*(?:\d{1,2}(?:\.\d{1,2})?\s*[x×/-]\s*)?\d{1,2}\.\d{1,2}\s*[-x×]\s*\d{1,2}\s*$/iu.test(text);
}

/**
 * Removes the point and the zeros at the end: `8.50`, `8.5` and `850` are `85`. Of three digits or more, two may be
 * decimals.
 */
function trimSizeNumber(number: string): string {
  const [integerPart, decimals] =
    /^\d{3,}$/.test(number) && number.endsWith("0") ? [number.slice(0, -2), number.slice(-2)] : number.split(".");
  return integerPart! + (decimals ?? "").replace(/0+$/, "");
}

/** The chunks of a query without stop words. */
export function queryChunks(text: string): Chunk[] {
  return splitChunks(text).filter((chunk) => !isStopChunk(chunk));
}

/** The same with those stop words that are units: `54 in`, `54"`. */
export function splitMeasuredChunks(text: string): Chunk[] {
  const isModel = (chunk: Chunk | undefined) => /^\p{L}{1,3}$/u.test(chunk?.terms.join("") ?? "");
  return splitChunks(text.replaceAll(/(?<=\d) ?(?:"|''|[″”])(?=\s|$)/g, " in")).filter(
    (chunk, index, chunks) =>
      !isStopChunk(chunk) ||
      (UNITS.has(chunk.terms[0]!) && index > 0 && isWholeNumber(chunks[index - 1]!) && !isModel(chunks[index - 2])),
  );
}

export function isStopChunk({ terms }: Chunk): boolean {
  return terms.length === 1 && isStopWord(terms[0]!);
}

export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term);
}

/** Reduces English plurals to the word: blades, pulleys, brushes, assemblies. */
export function toSingular(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /(ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

export function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}
