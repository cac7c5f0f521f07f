import { isPartlineError, type LiveStock } from "@partline/client";
import type { PageLoad } from "../page.ts";

/** The most that a page waits for its parts' stock, milliseconds, of which the dealer has a part. */
const PAGE_WAITS_MS = 150;
const DEALER_MS = 110;
/** The most that one look-up takes. */
const MOST_PARTS = 100;

/** Reads the stock of a list's parts in one look-up, none for a crawler; what is not there in time is left out. */
export async function loadStock(
  { partline, isCrawler }: Pick<PageLoad, "partline" | "isCrawler">,
  partIds: readonly (string | null)[],
): Promise<LiveStock[]> {
  const ids = [...new Set(partIds.filter((id) => id !== null))].slice(0, MOST_PARTS);
  if (isCrawler || ids.length === 0) return [];
  const signal = AbortSignal.timeout(PAGE_WAITS_MS);
  try {
    return (await partline.search.stock({ ids, waitMs: DEALER_MS }, { signal })).results;
  } catch (error) {
    if (!isPartlineError(error) && !signal.aborted) throw error;
    return [];
  }
}
