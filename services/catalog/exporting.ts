import type { ExportPage } from "../../broker/contract/export-page.ts";
import { periodOf } from "../../broker/contract/period.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import { exportPage, placeAfter, type ExportRow } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { indexedPartRule } from "../shared/indexed-part.ts";
import { toIndexedPart } from "./part.ts";
import type { PartReader } from "./part-reader.ts";

const ROWS_READ = 500;

/** Exports parts vendor by vendor, by their ids. */
export function createPartExport(reader: PartReader) {
  return async (asked: InferRules<typeof exportParams>): Promise<ExportPage> => {
    const after = placeAfter(asked, "text");
    const { start, end } = periodOf(asked);
    const within = { ...(start ? { $gte: start } : {}), ...(end ? { $lt: end } : {}) };
    const rows: ExportRow[] = [];
    const vendors = (await reader.vendors()).toSorted((a, b) => (a.code < b.code ? -1 : 1));
    for (const vendor of vendors.filter(({ code }) => after === undefined || code >= String(after[0]))) {
      const id = vendor.code === after?.[0] ? after[1] : "";
      const left = ROWS_READ - rows.length;
      if (left === 0) break;
      const found = await reader.after(vendor, id, left, start || end ? { updatedAt: within } : {});
      rows.push(
        ...found.map((part) => ({ place: [vendor.code, part._id] as const, values: toIndexedPart(part, vendor) })),
      );
    }
    return exportPage("parts", indexedPartRule.props, asked, { rows, ends: rows.length < ROWS_READ });
  };
}
