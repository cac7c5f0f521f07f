import type { IndexDocument } from "../port.ts";
import { termsOf } from "../text.ts";
import { FIELD_WEIGHT, titleFactor } from "../word-weights.ts";

/** The terms of a document and, aligned with them, the weight of each, 1 to 255. */
export interface Searchable {
  terms: string[];
  weights: Uint8Array;
}

/** All fields together weigh less than 256 by it. */
const SCALE = 9;

export function searchableOf(document: IndexDocument): Searchable {
  const weights = new Map<string, number>();
  const add = (terms: readonly string[], weight: number): void => {
    for (const term of new Set(terms)) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  const { partNumber, pnNorm, title, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const titleTerms = termsOf(title);
  add(termsOf(`${partNumber} ${pnNorm}`), FIELD_WEIGHT.number);
  add(titleTerms, FIELD_WEIGHT.title * titleFactor(titleTerms.length));
  add(termsOf([manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" ")), FIELD_WEIGHT.manufacturer);
  add(termsOf(`${category} ${kind ?? ""}`), FIELD_WEIGHT.category);
  if (description !== undefined) add(termsOf(description), FIELD_WEIGHT.description);
  return { terms: [...weights.keys()], weights: Uint8Array.from(weights.values(), (weight) => Math.max(1, Math.min(255, Math.round(weight * SCALE)))) };
}
