import type { ExportPage } from "../../broker/contract/export-page.ts";
import type { InferRules } from "@partline/api-contracts";
import {
  createCursorError,
  exportPage,
  parsePlace,
  createFilterAfter,
  type ExportRow,
  type Place,
} from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { indexedPartRule } from "../shared/indexed-part.ts";
import { toIndexedPart } from "./part.ts";
import type { PartReader } from "./part-reader.ts";

const ROWS_READ = 500;

/**
 * Exports parts vendor by vendor: all by their ids; those of a period by their last change, so that it reads no others.
 */
export async function exportParts(reader: PartReader, query: InferRules<typeof exportParams>): Promise<ExportPage> {
  const after = parsePlace(query, "text");
  const isPeriod = query.from !== undefined || query.to !== undefined;
  if (after && isPeriod !== (after[2] !== undefined)) throw createCursorError();
  const rows: ExportRow[] = [];
  const vendors = (await reader.listVendors()).toSorted((a, b) => (a.code < b.code ? -1 : 1));
  for (const vendor of vendors.filter(({ code }) => after === undefined || code >= String(after[0]))) {
    const [, id = "", changedAt = 0] = vendor.code === after?.[0] ? after : [];
    const left = ROWS_READ - rows.length;
    if (left === 0) break;
    const last: Place | undefined = id === "" ? undefined : [changedAt, id];
    const vendorParts = isPeriod
      ? await reader.listChanged(vendor, createFilterAfter("updatedAt", query, last), left)
      : await reader.listAfter(vendor, id, left);
    rows.push(
      ...vendorParts.map((part): ExportRow => ({
        place: isPeriod ? [vendor.code, part._id, part.updatedAt.getTime()] : [vendor.code, part._id],
        values: toIndexedPart(part, vendor),
      })),
    );
  }
  return exportPage("parts", indexedPartRule.props, query, { rows, ends: rows.length < ROWS_READ });
}
