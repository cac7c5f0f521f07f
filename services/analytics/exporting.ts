import type { ExportPage } from "../../broker/contract/export-page.ts";
import { periodOf } from "../../broker/contract/period.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import type { Input } from "../../broker/contract/define.ts";
import type { Actions, StoredEvent } from "../contracts.ts";
import { badCursor, exportPage, placeAfter } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { exportedSearchFields } from "./resources.ts";

export type List = (params: Input<Actions["eventstore.list"]>) => Promise<StoredEvent[]>;

const ROWS_READ = 1_000;

/** Exports searches in the order of the event store. */
export function createSearchExport(list: List) {
  return async (asked: InferRules<typeof exportParams>): Promise<ExportPage> => {
    const { start, end } = periodOf(asked);
    const after = Number(placeAfter(asked, "text")?.[1] ?? 0);
    if (!Number.isSafeInteger(after) || after < 0) throw badCursor();
    const asking = { event_type: "SEARCH_PERFORMED", after, limit: ROWS_READ, since: start, until: end };
    const searches = (await list(asking)).filter((event) => event.event_type === "SEARCH_PERFORMED");
    const rows = searches.map(({ position, timestamp, data: { query, results_count, took_ms, filters } }) => {
      const values = { searchedAt: timestamp, query, resultsCount: results_count, tookMs: took_ms, filters };
      return { place: ["search", String(position)] as const, values };
    });
    // A list may have fewer than its limit; an empty one is the end.
    return exportPage("searches", exportedSearchFields, asked, { rows, ends: rows.length === 0 });
  };
}
