import { normalizePartNumber } from "@partline/parts-language";
import {
  type HitDocument,
  isNearNumber,
  listAlike,
  listSlips,
  type PartKey,
  rankSlip,
  type SearchQuery,
} from "@partline/parts-search";
import { findNumbers } from "./interchange.ts";
import { toHitsQuery } from "./query.ts";

const MOST_NEAR = 3;
/** Numbers of a query that are looked up with slips. */
const MOST_NUMBERS = 8;
/** Near parts that are compared. */
const MOST_COMPARED = 100;

export interface NearPart {
  document: HitDocument;
  /** Rank of the slip by `rankSlip`. */
  slip: number;
}

/** Returns the parts that a query may mean by numbers that no part has, the likeliest first; at most three. */
export async function findNearParts(
  q: string,
  search: (query: SearchQuery) => Promise<{ hits: { document: HitDocument }[] }>,
): Promise<NearPart[]> {
  const find = async (pnNorms: readonly string[]): Promise<HitDocument[]> => {
    const keys: PartKey[] = pnNorms.map((pnNorm) => ({ pnNorm }));
    const query = { ...toHitsQuery(pnNorms[0] ?? "", MOST_COMPARED), named: keys };
    return pnNorms.length === 0 ? [] : (await search(query)).hits.map(({ document }) => document);
  };
  const numbers = [...new Set(findNumbers(q).map(({ pnNorm }) => pnNorm))].filter(isMisreadable);
  const knownNumbers = new Set((await find(numbers)).flatMap(({ pnNorm, skuVariants }) => [pnNorm, ...skuVariants]));
  const unknown = numbers.filter((number) => !knownNumbers.has(number)).slice(0, MOST_NUMBERS);
  const documents = await find([...new Set(unknown.flatMap((number) => [...listAlike(number), ...listSlips(number)]))]);
  return documents
    .flatMap((document) => {
      const slips = unknown
        .filter((number) => isNearNumber(number, document.pnNorm))
        .map((number) => rankSlip(number, document.pnNorm));
      return slips.length === 0 ? [] : [{ document, slip: Math.min(...slips) }];
    })
    .sort((a, b) => a.slip - b.slip)
    .slice(0, MOST_NEAR);
}

/** Returns whether a query lists numbers, of which one may be misread although others are found. */
export function hasSeveralNumbers(q: string): boolean {
  return q.split(/[\s,;]+/).filter((piece) => isMisreadable(normalizePartNumber(piece))).length > 1;
}

/** Returns whether a text is like a part's number, and long enough for a slip of it to mean another one. */
function isMisreadable(number: string): boolean {
  const digits = number.replace(/\D/g, "").length;
  return number.length >= 5 && number.length <= 20 && digits >= 2 && !/[A-Z]{5}/.test(number);
}
