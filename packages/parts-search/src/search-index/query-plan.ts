import {
  parseSynonyms,
  hasDigit,
  isDecimalSize,
  isStopChunk,
  joinTerms,
  splitMeasuredChunks,
  joinMeasure,
  queryChunks,
  readSpacedSize,
  type Chunk,
} from "@partline/parts-language/terms";
import { fold, normalizePartNumber } from "@partline/parts-language";
import { memoizeRecent } from "@partline/toolkit";
import { countForgivenTypos } from "./edit-distance.ts";
import type { PartKey } from "./port.ts";
import type { IndexDocument } from "./index-document.ts";

/** The meaning of a query, before an engine is asked. */
export interface QueryPlan {
  numbers: NumberPlan;
  /** All of them must be met. */
  words: WordGroup[];
}

/** The order of hits, above any score of words. */
export const TIER = { exact: 0, variant: 1, successor: 2, replaced: 3, prefix: 4, suffix: 5, words: 6 } as const;
export type Tier = (typeof TIER)[keyof typeof TIER];

/** A number that may be meant, as `normalizePartNumber` returns it. */
export interface NumberReading {
  norm: string;
  /**
   * The normalised text in front. The reading counts only for parts of a vendor with this code, name or alias
   * (`listVendorKeys`).
   */
  vendor?: string;
}

export interface NumberPlan {
  /**
   * The whole query as one number (tier exact; variant if it is one of `skuVariants`); undefined if it cannot be one.
   */
  whole?: string;
  /**
   * The query without a vendor in front or the `CT-{MFG}-` of an SKU, and parts named by another maker's number: tier
   * variant.
   */
  ofVendor: NumberReading[];
  /** Numbers among other words, tier variant; used if `whole` and `ofVendor` name no part. */
  amidWords: NumberReading[];
  /** Beginnings of numbers. */
  prefixes: NumberReading[];
  /** End of a number. */
  suffix?: string;
}

/** A word or phrase of the query, with everything that counts as it. */
export interface WordGroup {
  /** As typed first. Any one meets the group. */
  alternatives: Alternative[];
}

export interface Alternative {
  /** All must be in the document. */
  terms: PlannedTerm[];
  /** `typed` counts a little more. */
  kind: "typed" | "compact" | "synonym";
}

export interface PlannedTerm {
  text: string;
  /** The word whose singular the text is: its length decides how many edits are forgiven. */
  typed: string;
  /** Edits that are forgiven; none with a digit. */
  typos: 0 | 1 | 2;
  /** Every word that begins like it counts. */
  isBeginning: boolean;
}

/** Words and phrases of the same meaning, prepared for plans. */
export interface Synonyms {
  /** Terms of the synonyms, by the terms of a word or phrase joined by blanks. */
  of: ReadonlyMap<string, readonly string[][]>;
  /** Most terms of a phrase. */
  longest: number;
}

/** Characters of a query that are read. */
export const MAX_QUERY = 300;
/** Words of a query that are read. */
export const MAX_CHUNKS = 12;
const MAX_PIECES = 20;
const MAX_NUMBER = 60;
/** Words that together are a model, as in `FS 730 V`, or a size, as in `ST 205 75 R14`. */
const MAX_JOINED = 5;
/** Shortest beginning and end of a number, and shortest number among other words. */
const MIN_PREFIX = 3;
const MIN_SUFFIX = 4;
const MIN_AMID_WORDS = 4;
/** Blanks inside a number among other words, and words of a vendor's name. */
const MAX_SPACED_PIECES = 4;
const MAX_VENDOR_PIECES = 3;

/** @param namedParts parts that the query names by a number that is not theirs */
export function planQuery(q: string, synonyms: Synonyms, namedParts: readonly PartKey[] = []): QueryPlan {
  const numbers = planNumbers(q);
  const namedReadings = namedParts.map(({ pnNorm, vendor }) => ({ norm: pnNorm, vendor }));
  return {
    numbers: { ...numbers, ofVendor: [...numbers.ofVendor, ...namedReadings] },
    words: planWords(toReadable(q), synonyms),
  };
}

function toReadable(q: string): string {
  return q.slice(0, MAX_QUERY).toWellFormed();
}

/**
 * Prepares synonyms for plans, once for all that bring the same ones: the product's own take a tenth of a second.
 * @param lines as `parseSynonyms` reads them
 */
export function readSynonyms(lines: readonly string[]): Synonyms {
  return readJson(JSON.stringify(lines));
}

const readJson = memoizeRecent(4, (json) => prepareSynonyms(JSON.parse(json) as string[]));

function prepareSynonyms(lines: readonly string[]): Synonyms {
  const synonymsByKey = new Map<string, string[][]>();
  const add = (key: string, alternatives: readonly string[][]): void => {
    const existing = synonymsByKey.get(key) ?? [];
    const isNew = (terms: string[]) =>
      terms.join(" ") !== key && !existing.some((synonym) => synonym.join() === terms.join());
    if (key !== "") synonymsByKey.set(key, [...existing, ...alternatives.filter(isNew)]);
  };
  const rules = lines.map(parseSynonyms);
  for (const { words, meanings } of rules) {
    if (words !== meanings) continue;
    const terms = words.map(splitPhrase);
    for (const word of words) add(toPhraseKey(word), terms);
  }
  for (const { words, meanings } of rules) {
    if (words === meanings) continue;
    // A meaning's own synonyms are meant too.
    const synonymTerms = meanings.flatMap((meaning) => [
      splitPhrase(meaning),
      ...(synonymsByKey.get(toPhraseKey(meaning)) ?? []),
    ]);
    const spellings = new Set(words.flatMap(listSpellings));
    for (const key of new Set([...spellings].map(toPhraseKey))) add(key, synonymTerms);
  }
  return {
    of: synonymsByKey,
    longest: Math.max(1, ...[...synonymsByKey.keys()].map((member) => member.split(" ").length)),
  };
}

/** Stop words are dropped as in a query. */
function toPhraseKey(phrase: string): string {
  return listTerms(queryChunks(phrase)).join(" ");
}

function splitPhrase(phrase: string): string[] {
  return listWords(queryChunks(phrase)).map(({ text }) => text);
}

const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
const LINKING = /(?<=\s)(?:de|del|des|du|la|le|les|el|los|las|en|para|pour|à|d'|l')\s*(?=\p{L})/giu;

/** A word of another language as it is also typed: `zuendkerze`, `filtro aceite`, `bougies`. */
function listSpellings(phrase: string): string[] {
  return [
    phrase,
    phrase.replace(/[äöüß]/gu, (letter) => UMLAUTS[letter]!),
    phrase.replaceAll(LINKING, ""),
    phrase.replaceAll(/ie(?= |$)/g, "ies"),
  ];
}

type NamesOfVendor = Pick<IndexDocument, "manufacturer" | "vendorName" | "vendorAliases">;

/** Names of a vendor that may precede a number. */
export function listVendorKeys({ manufacturer, vendorName, vendorAliases }: NamesOfVendor): string[] {
  const names = [manufacturer.code, manufacturer.name, vendorName, ...vendorAliases];
  return [...new Set(names.flatMap((name) => [name, fold(name)]).map(normalizePartNumber))].filter(
    (name) => name !== "",
  );
}

type Numbered = Pick<IndexDocument, "pnNorm" | "skuVariants"> & { manufacturer: { code: string } };

/** A part's other numbers: `skuVariants` without those that `ofVendor` finds already. */
export function listVariantNorms({ pnNorm, skuVariants, manufacturer: { code } }: Numbered): string[] {
  const ownNumbers = new Set(["", pnNorm, `${code}${pnNorm}`, `CT${code}${pnNorm}`]);
  return [...new Set(skuVariants.map(normalizePartNumber))].filter((norm) => !ownNumbers.has(norm));
}

/** What a query names by number. */
export function planNumbers(q: string): NumberPlan {
  const text = toReadable(q);
  const wholeNorm = normalizePartNumber(text);
  const pieces = text
    .split(/[\s,;]+/)
    .filter((piece) => piece !== "")
    .slice(0, MAX_PIECES);
  const amidWords = listWindows(pieces);
  if (wholeNorm === "" || wholeNorm.length > MAX_NUMBER) return { ofVendor: [], amidWords, prefixes: [] };
  const isSize = isDecimalSize(text);
  const vendorReadings = isSize || isDecimalSize(pieces.at(-1)!) ? [] : stripVendor(wholeNorm, pieces);
  // A size is no number, and no beginning or end of one.
  if (isSize) return { ofVendor: vendorReadings, amidWords: [], prefixes: [] };
  const prefixes = [{ norm: wholeNorm }, ...vendorReadings].filter(
    ({ norm }) => norm.length >= MIN_PREFIX && hasDigit(norm),
  );
  return {
    whole: wholeNorm,
    ofVendor: vendorReadings,
    amidWords,
    prefixes,
    ...(wholeNorm.length >= MIN_SUFFIX && hasDigit(wholeNorm) ? { suffix: wholeNorm } : {}),
  };
}

/** Removes what may be a vendor: `CT-HON-…`, `HON…`, `HONDA…`, `B&S …`, `Briggs & Stratton …`. */
function stripVendor(wholeNorm: string, pieces: readonly string[]): NumberReading[] {
  const leads = new Set<number>();
  const code = /^[A-Z]{3}/.test(wholeNorm) ? 3 : 0;
  const letters = /^[A-Z]*/.exec(wholeNorm)![0].length;
  for (const length of [code, letters]) leads.add(length);
  for (let count = 1; count <= Math.min(MAX_VENDOR_PIECES, pieces.length - 1); count += 1) {
    leads.add(normalizePartNumber(pieces.slice(0, count).join("")).length);
  }
  const readings = [...leads].map((length) => ({ vendor: wholeNorm.slice(0, length), norm: wholeNorm.slice(length) }));
  if (/^CT[A-Z]{3}/.test(wholeNorm)) readings.unshift({ vendor: wholeNorm.slice(2, 5), norm: wholeNorm.slice(5) });
  return readings.filter(({ vendor, norm }) => vendor !== "" && norm !== "");
}

/** Neighbouring pieces that together may be a number: `carburetor 16100 Z0Y 813`. */
function listWindows(pieces: readonly string[]): NumberReading[] {
  if (pieces.length < 2) return [];
  const readings = new Map<string, NumberReading>();
  const add = (reading: NumberReading): void => {
    readings.set(`${reading.vendor ?? ""} ${reading.norm}`, reading);
  };
  for (let start = 0; start < pieces.length; start += 1) {
    for (let end = start + 1; end <= Math.min(start + MAX_SPACED_PIECES, pieces.length); end += 1) {
      if (isDecimalSize(pieces[end - 1]!)) continue;
      const number = normalizePartNumber(pieces.slice(start, end).join(""));
      if (number.length < MIN_AMID_WORDS || number.length > MAX_NUMBER || !hasDigit(number)) continue;
      add({ norm: number });
      for (const reading of stripVendor(number, [])) if (hasDigit(reading.norm)) add(reading);
    }
  }
  return [...readings.values()];
}

function planWords(text: string, synonyms: Synonyms): WordGroup[] {
  const chunks = splitMeasuredChunks(text).slice(0, MAX_CHUNKS);
  // A repeated word asks for nothing more.
  const groups = new Map<string, WordGroup>();
  for (let start = 0; start < chunks.length;) {
    const end = start + computePhraseLength(chunks, start, synonyms);
    const phrase = chunks.slice(start, end);
    const typed = listTerms(phrase).join(" ");
    if (!groups.has(typed) && !phrase.every(isStopChunk))
      groups.set(typed, planGroup(phrase, synonyms, end === chunks.length));
    start = end;
  }
  return [...groups.values()];
}

/** The most chunks from `start` on that have synonyms together or are one model, size or measure; at least one. */
function computePhraseLength(
  chunks: readonly Chunk[],
  start: number,
  { of: synonymsByKey, longest }: Synonyms,
): number {
  for (let length = Math.min(longest, chunks.length - start); length > 1; length -= 1) {
    if (synonymsByKey.has(listTerms(chunks.slice(start, start + length)).join(" "))) return length;
  }
  for (let length = Math.min(MAX_JOINED, chunks.length - start); length > 1; length -= 1) {
    if (toOneTerm(chunks.slice(start, start + length)) !== undefined) return length;
  }
  return 1;
}

/** Several chunks as the one term that they also are. */
function toOneTerm(chunks: readonly Chunk[]): string | undefined {
  return readSpacedSize(chunks) ?? joinTerms(chunks) ?? joinMeasure(chunks);
}

function planGroup(chunks: readonly Chunk[], synonyms: Synonyms, isLast: boolean): WordGroup {
  // Of `54"` the number alone is less: it may be another measure.
  const hasUnit = isStopChunk(chunks.at(-1)!);
  // The plural of a word with synonyms is no slip either: `carbs` does not mean `carts`.
  const typed = listWords(hasUnit ? chunks.slice(0, -1) : chunks).map((word) =>
    synonyms.of.has(word.text) ? asIs(word.text) : word,
  );
  const text = toKey(typed);
  // A chunk with a digit and punctuation is a number, size or model: no part of it is corrected.
  const forgives = chunks.every(({ compact }) => compact === undefined || !hasDigit(compact));
  const synonymTerms = findSynonyms(listTerms(chunks), synonyms);
  // `carb` is a word of its own and does not mean `carbon`.
  const mayGoOn =
    isLast &&
    !hasUnit &&
    !synonymTerms.some((terms) => typed.length === 1 && terms.length === 1 && terms[0]!.startsWith(text));
  const alternatives: Alternative[] = [
    {
      kind: hasUnit ? "compact" : "typed",
      terms: typed.map((word, index) => planTerm(word, forgives, mayGoOn && index === typed.length - 1)),
    },
  ];
  const [chunk] = chunks;
  const compacts =
    chunks.length > 1 ? [toOneTerm(chunks)] : chunk!.only === undefined ? [chunk!.compact, chunk!.size] : [];
  const add = (kind: Alternative["kind"], terms: PlannedTerm[]): void => {
    const key = toKey(terms);
    if (!alternatives.some((alternative) => toKey(alternative.terms) === key)) alternatives.push({ kind, terms });
  };
  for (const compact of compacts)
    if (compact !== undefined) add(hasUnit ? "typed" : "compact", [planTerm(asIs(compact), false, isLast)]);
  for (const terms of synonymTerms)
    add(
      "synonym",
      terms.map((term) => planTerm(asIs(term), false, false)),
    );
  return { alternatives };
}

function toKey(terms: readonly Word[]): string {
  return terms.map(({ text }) => text).join(" ");
}

/** Synonyms of the phrase, and of each of its words: `clutch plate` and `clutch disk` for `clutch disc`. */
function findSynonyms(typed: readonly string[], { of: synonymsByKey }: Synonyms): string[][] {
  const wholePhrase = synonymsByKey.get(typed.join(" ")) ?? [];
  if (typed.length === 1) return [...wholePhrase];
  const inside = typed.flatMap((term, index) =>
    (synonymsByKey.get(term) ?? []).map((synonym) => [...typed.slice(0, index), ...synonym, ...typed.slice(index + 1)]),
  );
  return [...wholePhrase, ...inside];
}

type Word = Pick<PlannedTerm, "text" | "typed">;

function asIs(text: string): Word {
  return { text, typed: text };
}

/** A decimal size asks for itself, not for its `80` or `8`, which are in many a title. */
function listWords(chunks: readonly Chunk[]): Word[] {
  return chunks.flatMap(({ terms, words, only }) =>
    only === undefined ? terms.map((text, index) => ({ text, typed: words?.[index] ?? text })) : [asIs(only)],
  );
}

function listTerms(chunks: readonly Chunk[]): string[] {
  return chunks.flatMap(({ terms }) => terms);
}

function planTerm({ text, typed }: Word, forgives: boolean, isLast: boolean): PlannedTerm {
  // Everything begins with one character.
  return { text, typed, typos: forgives ? countForgivenTypos(text, typed) : 0, isBeginning: isLast && text.length > 1 };
}
