import type { ExportPage } from "../../broker/contract/export-page.ts";
import { periodOf } from "../../broker/contract/period.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import type { Actions, Events } from "../contracts.ts";
import type { Input, Result } from "../../broker/contract/define.ts";
import { badCursor, exportPage, placeAfter } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { exportedSearchFields } from "./resources.ts";

type List = Actions["eventstore.list"];
type Search = Events["search.performed"]["searches"][number];

const ROWS_READ = 1_000;

/** Exports searches in the order of the event store. */
export function createSearchExport(list: (params: Input<List>) => Promise<Result<List>>) {
  return async (asked: InferRules<typeof exportParams>): Promise<ExportPage> => {
    const { start, end } = periodOf(asked);
    const after = Number(placeAfter(asked, "text")?.[1] ?? 0);
    if (!Number.isSafeInteger(after) || after < 0) throw badCursor();
    const asking = { event_type: "SEARCH_PERFORMED", after, limit: ROWS_READ, since: start, until: end };
    const { events } = await list(asking);
    const rows = events.map(({ position, timestamp, data }) => {
      const { query, results_count, took_ms, filters } = data as unknown as Search;
      const values = { searchedAt: timestamp, query, resultsCount: results_count, tookMs: took_ms, filters };
      return { place: ["search", String(position)] as const, values };
    });
    // A list may have fewer than its limit; an empty one is the end.
    return exportPage("searches", exportedSearchFields, asked, { rows, ends: rows.length === 0 });
  };
}
