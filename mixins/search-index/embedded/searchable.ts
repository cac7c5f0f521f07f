import type { IndexDocument } from "../port.ts";
import { wordFieldsOf, type WordField } from "../word-fields.ts";
import { FIELD_WEIGHT, headFactor } from "../word-weights.ts";

/** The terms of a document and the weight of each, 1 to 255. */
export interface Searchable {
  terms: string[];
  weights: Uint8Array;
}

/** A word in every field weighs less than 256. */
const SCALE = 5;

export function searchableOf(document: IndexDocument): Searchable {
  const fields = wordFieldsOf(document);
  const weights = new Map<string, number>();
  for (const field of Object.keys(FIELD_WEIGHT) as WordField[]) {
    const weight = FIELD_WEIGHT[field] * (field === "head" ? headFactor(fields.head.length) : 1);
    for (const term of new Set(fields[field])) weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  return {
    terms: [...weights.keys()],
    weights: Uint8Array.from(weights.values(), (weight) => Math.round(weight * SCALE)),
  };
}
