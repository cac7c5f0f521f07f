import type { IndexDocument } from "../port.ts";
import { variantNorms } from "../query-plan.ts";
import { wordFieldsOf, type WordField } from "../word-fields.ts";
import { FIELD_WEIGHT, headFactor } from "../word-weights.ts";

/** What a document is found by: its numbers, its own first, and its terms with the weight of each, 1 to 255. */
export interface Searchable {
  numbers: string[];
  terms: string[];
  weights: Uint8Array;
}

/** A word in every field weighs less than 256. */
const SCALE = 5;
const FIELDS = Object.keys(FIELD_WEIGHT) as WordField[];

export function searchableOf(document: IndexDocument): Searchable {
  const fields = wordFieldsOf(document);
  const weights = new Map<string, number>();
  /** By term, the field that counted it last: each counts it once. */
  const counted = new Map<string, WordField>();
  for (const field of FIELDS) {
    const weight = FIELD_WEIGHT[field] * (field === "head" ? headFactor(fields.head.length) : 1);
    for (const term of fields[field]) {
      if (counted.get(term) === field) continue;
      counted.set(term, field);
      weights.set(term, (weights.get(term) ?? 0) + weight);
    }
  }
  return {
    numbers: [document.pnNorm, ...variantNorms(document)],
    terms: [...weights.keys()],
    weights: Uint8Array.from(weights.values(), (weight) => Math.round(weight * SCALE)),
  };
}
