import type { Infer } from "../../../broker/contract/rules.ts";
import type { PartWriter } from "../part-writer.ts";
import type { pageSyncReportRule } from "../syncs/rules.ts";
import type { Vendor } from "../vendors.ts";
import { readTirePage } from "./read-page.ts";
import type { TireSupplier } from "./tire-supplier.ts";

/** Longest wait for the page, retries included. */
const DEADLINE_MS = 60_000;

/** Reads one page of the listing and writes its parts. @throws PROVIDER_ERROR, TIMEOUT */
export async function syncTirePage(
  { supplier, writer, vendor }: { supplier: TireSupplier; writer: PartWriter; vendor: Vendor },
  asked: { page: number; pageSize: number },
): Promise<Infer<typeof pageSyncReportRule>> {
  const { page, pageSize, total, totalPages, items } = await supplier.page(asked.page, asked.pageSize, DEADLINE_MS);
  const { contents, problems, repeated } = readTirePage(vendor, items, new Set());
  const { written, unchanged } = await writer.write(vendor, contents, "tire_supplier");
  return {
    page,
    pageSize,
    total,
    totalPages,
    read: items.length,
    written,
    unchanged,
    repeated,
    refused: problems.map(({ item, reason }) => ({ page, item, reason })),
    refusedTotal: problems.length,
  };
}
