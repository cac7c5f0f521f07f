import { toSingular, listSizeTerms, splitTerms } from "@partline/parts-language/terms";
import type { IndexDocument } from "./index-document.ts";
import { memoizeRecent } from "@partline/toolkit";
import { cutTitle, findThings } from "./title-head.ts";

/**
 * By field; a word in several fields counts their sum. The head of a title says what the part is, its thing above
 * all: a `Wheel Bearing` is no wheel. The maker counts less: `Kawasaki Engines` does not make each part one for an
 * engine.
 */
export const FIELD_WEIGHT = {
  number: 8,
  head: 10,
  thing: 10,
  title: 3,
  manufacturer: 2,
  category: 3,
  description: 1,
} as const;

/** Factors of matches other than the word that was typed. */
export const FACTOR = { synonym: 0.9, compact: 0.9, beginning: 0.8, misspelt: 0.6 } as const;

/** A head of so many terms has factor 1; a word says more in a shorter one. */
const USUAL_HEAD = 5;
/** Length from which heads, as of titles without a comma, have the lowest factor. */
const LONG_HEAD = 15;

export function computeHeadFactor(terms: number): number {
  return (2 * USUAL_HEAD) / (USUAL_HEAD + Math.min(terms, LONG_HEAD));
}

/** Weight of a group of words: the fewer parts meet it, the higher. */
export function computeRarity(total: number, matching: number): number {
  return Math.log(1 + total / (1 + matching));
}

/** `thing` is what the title's head names, `title` what follows the head. */
export type WordField = keyof typeof FIELD_WEIGHT;
export const WORD_FIELDS = Object.keys(FIELD_WEIGHT) as WordField[];

/** Terms of texts that many documents share, cached. */
const termsOfShared: (text: string) => readonly string[] = memoizeRecent(5_000, splitTerms);
const thingsOfShared: (head: string) => readonly string[] = memoizeRecent(5_000, (head) =>
  findThings(head).map(toSingular),
);

/** The terms of a document, by field. */
export function toWordFields(document: IndexDocument): Record<WordField, readonly string[]> {
  const { partNumber, pnNorm, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const { head, rest } = cutTitle(document.title);
  return {
    number: splitTerms(`${partNumber} ${pnNorm}`),
    head: termsOfShared(head),
    thing: thingsOfShared(head),
    title: [...splitTerms(rest), ...listSizeTerms(document.attributes?.tireSize)],
    manufacturer: termsOfShared([manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" ")),
    category: termsOfShared(`${category} ${kind ?? ""}`),
    description: splitTerms(description ?? ""),
  };
}
