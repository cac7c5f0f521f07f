import type { IndexDocument } from "../index-document.ts";
import { listVariantNorms } from "../query-plan.ts";
import { FIELD_WEIGHT, WORD_FIELDS, computeHeadFactor, toWordFields, type WordField } from "../word-fields.ts";

/** Numbers of a document, its own first, and its terms with weights of 1 to 255, by which it is found. */
export interface Searchable {
  numbers: string[];
  terms: string[];
  weights: Uint8Array;
}

/** A word in every field weighs less than 256. */
const SCALE = 5;

export function toSearchable(document: IndexDocument): Searchable {
  const fields = toWordFields(document);
  const places = new Map<string, number>();
  const terms: string[] = [];
  const sums: number[] = [];
  /** Field that last counted the term, by place: each field counts it once. */
  const counted: WordField[] = [];
  for (const field of WORD_FIELDS) {
    const weight = FIELD_WEIGHT[field] * (field === "head" ? computeHeadFactor(fields.head.length) : 1);
    for (const term of fields[field]) {
      const place = places.get(term) ?? terms.length;
      if (counted[place] === field) continue;
      if (place === terms.length) {
        places.set(term, place);
        terms.push(term);
        sums.push(0);
      }
      counted[place] = field;
      sums[place]! += weight;
    }
  }
  const weights = new Uint8Array(terms.length);
  for (const [place, sum] of sums.entries()) weights[place] = Math.round(sum * SCALE);
  return { numbers: [document.pnNorm, ...listVariantNorms(document)], terms, weights };
}
