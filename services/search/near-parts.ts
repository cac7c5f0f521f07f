import { fold, normalizePartNumber } from "@partline/parts-language";
import { toSingular } from "@partline/parts-language/terms";
import { findNamingWords } from "@partline/parts-language/words";
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

/**
 * Returns the number that is meant: of which characters were read for others that look like them, or of the part that is
 * called by all words beside the number, as in `594916 deck belt`. Undefined if several parts are.
 */
export function findNumberMeant(q: string, near: readonly NearPart[]): string | undefined {
  const words = findNamingWords(q).filter((word) => !/\d/.test(word));
  const isIn = (text: string) => (word: string) =>
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .some((nameWord) => nameWord.startsWith(toSingular(word)));
  const isCalledSo = ({ document: { title, manufacturer } }: NearPart): boolean =>
    words.some(isIn(title)) && words.every(isIn(`${title} ${manufacturer.name}`));
  const alike = near.filter(({ slip }) => slip === 0);
  const [part, ...furtherParts] = alike.length > 0 ? alike : near.filter(isCalledSo);
  return furtherParts.length === 0 ? part?.document.partNumber : undefined;
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
