import type { SearchQuery } from "../../mixins/search-index/port.ts";
import type { Events } from "../contracts.ts";
import { toDecimal } from "../../mixins/money.ts";

/** A search as the event store keeps it: what was asked for, never by whom. */
export type PerformedSearch = Events["search.performed"]["searches"][number];

const LONGEST_QUERY = 200;
const MOST_VALUES = 10;

/** Wider than an address is: no part's number or name has an @. */
const E_MAIL = /\S+@\S+/gu;
/** With a country code, an area code in parentheses, or in the North American grouping. */
const PHONE = /(?<![\w.-])(?:\+\d[\d\s().-]{6,16}\d|(?:1[\s.-])?\(\d{3}\)\s*\d{3}[\s.-]?\d{4}|(?:1[\s.-])?\d{3}[\s.-]\d{3}[\s.-]\d{4})(?!\w)/gu;

/** Somebody may type their address or number into a search box. A number that found something was a part's. */
export function performed(query: SearchQuery, found: number, tookMs: number, now: Date): PerformedSearch {
  const values = (list: readonly string[]): string[] => list.slice(0, MOST_VALUES).map((value) => withoutPersonalData(value, found));
  return {
    query: withoutPersonalData(query.q.trim(), found),
    results_count: found,
    filters: {
      ...(query.categories.length > 0 ? { category: values(query.categories) } : {}),
      ...(query.manufacturers.length > 0 ? { manufacturer: values(query.manufacturers) } : {}),
      ...(query.fits === undefined ? {} : { equipment: withoutPersonalData(query.fits.equipment, found) }),
      ...(query.minPrice === undefined ? {} : { minPrice: toDecimal(query.minPrice) }),
      ...(query.maxPrice === undefined ? {} : { maxPrice: toDecimal(query.maxPrice) }),
      ...(query.status === "active" ? {} : { status: query.status }),
    },
    took_ms: Math.round(tookMs * 100) / 100,
    searched_at: now.toISOString(),
  };
}

function withoutPersonalData(text: string, found: number): string {
  // Cut first, generously: what is cut through afterwards is no longer an address.
  const bounded = text.slice(0, LONGEST_QUERY * 2).replace(E_MAIL, "[e-mail]");
  return (found > 0 ? bounded : bounded.replace(PHONE, "[phone]")).slice(0, LONGEST_QUERY).toWellFormed();
}
