import type { SearchQuery } from "@partline/parts-search";
import type { Events } from "../contracts.ts";
import { normalizePartNumber, toDecimal } from "@partline/parts-language";
import { withoutPersonalData } from "@partline/parts-language";

/** A search as the event store keeps it, without the person. */
export type PerformedSearch = Events["search.performed"]["searches"][number];

const LONGEST_QUERY = 200;
/** More is read than kept, since marks are shorter than what they replace; all of a long text would take 30 ms. */
const LONGEST_READ = 2_000;
const MOST_VALUES = 10;

export interface ShownResult {
  /** Hits, also of what was asked instead of a query that found nothing; as many as were found unless given. */
  total?: number;
  /** The parts that were found, as JSON; unless given, the query names nothing but what was found. */
  serializeHits?: () => string;
}

/**
 * Returns a search as it is recorded, without personal data: people type addresses and phone numbers into search boxes.
 * A number that found something is a part's: it is the whole query, or in the data of a part. Beside a part's number,
 * which finds it alone, there may be another's.
 */
export function toPerformedSearch(
  query: SearchQuery,
  totalHits: number,
  tookMs: number,
  now: Date,
  { total = totalHits, serializeHits: parts }: ShownResult = {},
): PerformedSearch {
  let data: string | undefined;
  const isFound = (digits: string): boolean =>
    digits === normalizePartNumber(query.q) || (data ??= normalizePartNumber(parts?.() ?? query.q)).includes(digits);
  const toStoredText = (text: string): string =>
    withoutPersonalData(trimToBeginning(text), (digits) => totalHits > 0 && isFound(digits))
      .slice(0, LONGEST_QUERY)
      .toWellFormed();
  const toStoredValues = (list: readonly string[]): string[] => list.slice(0, MOST_VALUES).map(toStoredText);
  return {
    query: toStoredText(query.q.trim()),
    results_count: total,
    filters: {
      ...(query.categories.length > 0 ? { category: toStoredValues(query.categories) } : {}),
      ...(query.manufacturers.length > 0 ? { manufacturer: toStoredValues(query.manufacturers) } : {}),
      ...(query.fits === undefined ? {} : { equipment: toStoredText(query.fits.equipment) }),
      ...(query.minPrice === undefined ? {} : { minPrice: toDecimal(query.minPrice) }),
      ...(query.maxPrice === undefined ? {} : { maxPrice: toDecimal(query.maxPrice) }),
      ...(query.availabilities === undefined ? {} : { availability: [...query.availabilities] }),
      ...Object.fromEntries(Object.entries(query.attributes ?? {}).map(([name, list]) => [name, toStoredValues(list)])),
      ...(query.status === "active" ? {} : { status: query.status }),
    },
    took_ms: Math.round(tookMs * 100) / 100,
    searched_at: now.toISOString(),
  };
}

/** Drops a word that is cut, since the @ of an address may be behind the cut. */
function trimToBeginning(text: string): string {
  return text.length <= LONGEST_READ ? text : text.slice(0, LONGEST_READ).replace(/\S{1,254}$/u, "");
}
