import { listCompounds, hasDigit, toSingular } from "@partline/parts-language/terms";
import { fold, normalizePartNumber } from "@partline/parts-language";
import { memoizeRecent } from "@partline/toolkit";
import { computeForgivenEdits } from "./edit-distance.ts";
import type { Highlights } from "./search-page.ts";
import type { IndexDocument } from "./index-document.ts";
import { listVariantNorms, listVendorKeys, type PlannedTerm, type QueryPlan } from "./query-plan.ts";

/** A size as a term, `23x85x12`; titles spell it in many ways. */
const SIZE_TERM = /^\d+x\d/;
/** Words that together are one size: `23 x 8.50 - 12`. */
const MAX_TOGETHER = 5;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Fields of a document that are marked, or that decide what is marked. */
export type Highlighted = Pick<
  IndexDocument,
  "title" | "partNumber" | "pnNorm" | "skuVariants" | "manufacturer" | "vendorName" | "vendorAliases"
>;

/**
 * Returns a function that marks, in `<em>`, what the query names in a hit's number and title. A field without a match
 * is undefined.
 */
export function createHighlighter({ numbers, words }: QueryPlan): (document: Highlighted) => Highlights {
  const markTitle = createTitleMarker(words);
  const { whole: readWholeNumber, ofVendor: vendorNumbers, amidWords } = numbers;
  const namedNumbers = new Set([...vendorNumbers, ...amidWords].map(({ norm }) => norm));
  if (readWholeNumber !== undefined) namedNumbers.add(readWholeNumber);
  return (document) => ({
    partNumber: markNumber(document, namedNumbers, numbers),
    title: markTitle(document.title),
  });
}

/** Returns a function that marks the words of a query in a title; undefined without a match. */
export function createTitleMarker(words: QueryPlan["words"]): (title: string) => string | undefined {
  const terms = new Terms(
    words.flatMap(({ alternatives }) => alternatives.flatMap((alternative) => alternative.terms)),
  );
  return (title) => markWords(title, terms);
}

function markNumber(
  document: Highlighted,
  namedNumbers: ReadonlySet<string>,
  { prefixes, suffix }: QueryPlan["numbers"],
): string | undefined {
  const { partNumber, pnNorm } = document;
  if (namedNumbers.has(pnNorm) || isNamedByVariant(document, namedNumbers)) return `<em>${escapeHtml(partNumber)}</em>`;
  const beginning = prefixes.find(
    ({ norm, vendor }) =>
      pnNorm.startsWith(norm) && (vendor === undefined || listVendorKeys(document).includes(vendor)),
  );
  if (beginning) {
    const end = findPosition(partNumber, beginning.norm.length);
    return `<em>${escapeHtml(partNumber.slice(0, end))}</em>${escapeHtml(partNumber.slice(end))}`;
  }
  if (suffix === undefined || !pnNorm.endsWith(suffix)) return undefined;
  // The separator in front is not marked.
  let start = findPosition(partNumber, pnNorm.length - suffix.length);
  while (start < partNumber.length && normalizePartNumber(partNumber[start]!) === "") start += 1;
  return `${escapeHtml(partNumber.slice(0, start))}<em>${escapeHtml(partNumber.slice(start))}</em>`;
}

function isNamedByVariant(document: Highlighted, namedNumbers: ReadonlySet<string>): boolean {
  // A quick test: few hits have a variant that the query names.
  if (
    namedNumbers.size === 0 ||
    !document.skuVariants.some((variant) => namedNumbers.has(normalizePartNumber(variant)))
  )
    return false;
  return listVariantNorms(document).some((norm) => namedNumbers.has(norm));
}

/** The position where the first `count` normalised characters end. */
function findPosition(partNumber: string, count: number): number {
  let end = 0;
  while (end < partNumber.length && normalizePartNumber(partNumber.slice(0, end)).length < count) end += 1;
  return end;
}

function markWords(title: string, terms: Terms): string | undefined {
  if (terms.all.length === 0) return undefined;
  // Most titles are plain, and then the letters are few.
  const pieces = title.split(/^[ -~]*$/.test(title) ? /([A-Za-z\d]+)/ : /([\p{L}\p{N}\p{M}]+)/u);
  const marked = new Set<number>();
  let absent = terms.all;
  for (let index = 1; index < pieces.length; index += 2) {
    const namedTerms = terms.findNamed(pieces[index]!);
    if (namedTerms.length === 0) continue;
    marked.add(index);
    absent = absent.filter((term) => !namedTerms.includes(term));
  }
  // A word like a term is marked if the term itself is absent.
  for (const term of absent)
    if (term.typos > 0)
      for (let index = 1; index < pieces.length; index += 2)
        if (terms.findLike(pieces[index]!).includes(term)) marked.add(index);
  if (absent.length > 0) markTogether(title, pieces, absent, marked);
  if (marked.size === 0) return undefined;
  for (const index of marked) pieces[index] = `<em>${pieces[index]!}</em>`;
  // Only what is between words has anything to escape.
  if (hasEntities(title))
    for (let index = 0; index < pieces.length; index += 2) pieces[index] = escapeHtml(pieces[index]!);
  return pieces.join("");
}

const NONE: readonly PlannedTerm[] = [];

/** The terms of a query. Titles share most of their words, so each word is examined once for all hits. */
class Terms {
  readonly all: readonly PlannedTerm[];
  readonly #whole: ReadonlyMap<string, readonly PlannedTerm[]>;
  readonly #beginnings: readonly PlannedTerm[];
  readonly #named = new Map<string, readonly PlannedTerm[]>();
  readonly #like = new Map<string, readonly PlannedTerm[]>();

  constructor(terms: readonly PlannedTerm[]) {
    this.all = terms;
    this.#whole = Map.groupBy(terms, ({ text }) => text);
    this.#beginnings = terms.filter(({ isBeginning }) => isBeginning);
  }

  findNamed(word: string): readonly PlannedTerm[] {
    const cached = this.#named.get(word);
    if (cached) return cached;
    const [form, single] = formsOf(word);
    let matches = this.#whole.get(form) ?? NONE;
    if (single !== form) matches = [...matches, ...(this.#whole.get(single) ?? NONE)];
    for (const term of this.#beginnings)
      if ((isNamed(form, term) || isNamed(single, term)) && !matches.includes(term)) matches = [...matches, term];
    this.#named.set(word, matches);
    return matches;
  }

  /** Terms that equal a word except for a slip. */
  findLike(word: string): readonly PlannedTerm[] {
    const cached = this.#like.get(word);
    if (cached) return cached;
    const [form, single] = formsOf(word);
    const like = this.all.filter((term) => isClose(form, term) || (single !== form && isClose(single, term)));
    this.#like.set(word, like);
    return like;
  }
}

/** A word, and its singular. */
const formsOf = memoizeRecent(10_000, (piece): readonly [string, string] => {
  const word = fold(piece);
  return [word, toSingular(word)];
});

function isNamed(form: string, { text, isBeginning }: PlannedTerm): boolean {
  return isBeginning ? form.startsWith(text) : form === text;
}

function isClose(form: string, { text, typed, typos }: PlannedTerm): boolean {
  return typos > 0 && computeForgivenEdits(text, form, typed) !== undefined;
}

/** Marks words that together are a term: those of `23x8.50-12` for `23 x 8.5 - 12`, of `GX 160` for `gx160`. */
function markTogether(
  title: string,
  pieces: readonly string[],
  terms: readonly PlannedTerm[],
  marked: Set<number>,
): void {
  const words: string[] = [];
  for (let index = 1; index < pieces.length; index += 2) words.push(formsOf(pieces[index]!)[0]);
  const together = words.join("");
  const candidates = terms.filter(({ text }) => mayBeTogether(words, together, text));
  if (candidates.length === 0) return;
  const chunks = [...title.matchAll(/[^\s,;]+/g)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  for (let count = 1; count <= Math.min(MAX_TOGETHER, chunks.length) && candidates.length > 0; count += 1) {
    for (let first = 0; first + count <= chunks.length; first += 1) {
      const [start, end] = [chunks[first]!.start, chunks[first + count - 1]!.end];
      const compounds = listCompounds(title.slice(start, end));
      const matches = candidates.filter((term) => compounds.some((compound) => isNamed(compound, term)));
      if (matches.length > 0) markBetween(pieces, start, end, marked);
      // The fewest words that are the term are marked.
      for (const term of matches) candidates.splice(candidates.indexOf(term), 1);
    }
  }
}

/**
 * A quick test, since few titles have a term in several words. One without a digit is a letter and a word (`v belt`) or
 * nothing (`joinTerms`); of a size each number is there, of which a zero at the end may be more (`trimSizeNumber`).
 */
function mayBeTogether(words: readonly string[], together: string, term: string): boolean {
  if (SIZE_TERM.test(term)) return term.split("x").every((number) => together.includes(number));
  if (!together.includes(term)) return false;
  return (
    hasDigit(term) ||
    words.some((word, index) => index > 0 && word.startsWith(term.slice(1)) && words[index - 1]!.endsWith(term[0]!))
  );
}

function markBetween(pieces: readonly string[], start: number, end: number, marked: Set<number>): void {
  let offset = 0;
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 1 && offset >= start && offset + piece.length <= end) marked.add(index);
    offset += piece.length;
  }
}

function hasEntities(text: string): boolean {
  return /[&<>"']/.test(text);
}

export function escapeHtml(text: string): string {
  // Few texts have any, and a test takes half as long as replacing none.
  return hasEntities(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character]!) : text;
}
