import type { SearchQuery } from "../../mixins/search-index/port.ts";
import type { Events } from "../contracts.ts";
import { toDecimal } from "../../mixins/money.ts";
import { withoutPersonalData } from "../../mixins/personal-data.ts";

/** A search as the event store keeps it: what was asked for, never by whom. */
export type PerformedSearch = Events["search.performed"]["searches"][number];

const LONGEST_QUERY = 200;
/**
 * Ten times as much is looked at, since a mark is shorter than what it stands for; to look at all that may be typed
 * would take 30 ms.
 */
const LONGEST_READ = 2_000;
const MOST_VALUES = 10;

/** Somebody may type their address or number into a search box. A number that found something was a part's. */
export function performed(query: SearchQuery, found: number, tookMs: number, now: Date): PerformedSearch {
  const kept = (text: string): string =>
    withoutPersonalData(beginningOf(text), { isPartNumber: found > 0 })
      .slice(0, LONGEST_QUERY)
      .toWellFormed();
  const values = (list: readonly string[]): string[] => list.slice(0, MOST_VALUES).map(kept);
  return {
    query: kept(query.q.trim()),
    results_count: found,
    filters: {
      ...(query.categories.length > 0 ? { category: values(query.categories) } : {}),
      ...(query.manufacturers.length > 0 ? { manufacturer: values(query.manufacturers) } : {}),
      ...(query.fits === undefined ? {} : { equipment: kept(query.fits.equipment) }),
      ...(query.minPrice === undefined ? {} : { minPrice: toDecimal(query.minPrice) }),
      ...(query.maxPrice === undefined ? {} : { maxPrice: toDecimal(query.maxPrice) }),
      ...(query.status === "active" ? {} : { status: query.status }),
    },
    took_ms: Math.round(tookMs * 100) / 100,
    searched_at: now.toISOString(),
  };
}

/** Without the word that the end falls into: of an address its @ may lie behind it. */
function beginningOf(text: string): string {
  return text.length <= LONGEST_READ ? text : text.slice(0, LONGEST_READ).replace(/\S{1,254}$/u, "");
}
