import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { HitDocument, SearchIndex } from "../../mixins/search-index/port.ts";
import { toHitsQuery } from "./query.ts";

/** Hits that may contain the part: its successor and other makers' parts of the number may be above it. */
const ENOUGH = 20;

/**
 * Finds the part with a number in any spelling, with or without a vendor in front; of several makers' parts the first
 * hit.
 */
export async function findByNumber(
  index: Pick<SearchIndex, "search">,
  partNumber: string,
): Promise<HitDocument | undefined> {
  const { hits } = await index.search("parts", toHitsQuery(partNumber, ENOUGH));
  const asked = normalizePartNumber(partNumber);
  const named = hits.map(({ document }) => document).filter((document) => isNamed(document, asked));
  return named.find(({ pnNorm }) => pnNorm === asked) ?? named[0];
}

/** @param asked normalised */
export function isNamed(
  { pnNorm, sku, skuVariants, manufacturer, vendorName, vendorAliases }: HitDocument,
  asked: string,
): boolean {
  if (asked === "") return false;
  const spellings = [
    pnNorm,
    sku,
    ...skuVariants,
    ...[manufacturer.code, vendorName, ...vendorAliases].map((name) => name + pnNorm),
  ];
  return spellings.some((spelling) => normalizePartNumber(spelling) === asked);
}
