import type { Infer } from "../../../broker/contract/rules.ts";
import { validationFailed } from "../../../mixins/errors.ts";
import type { PartWriter } from "../part-writer.ts";
import type { OpenSupplier } from "../suppliers/open.ts";
import { readPage } from "./read-page.ts";
import type { pageSyncReportRule } from "./rules.ts";

/** With retries. */
const DEADLINE_MS = 60_000;

/**
 * Reads and writes one page. @throws PROVIDER_ERROR, TIMEOUT; VALIDATION_FAILED for page 2 and on of a listing by
 * cursor
 */
export async function syncPage(
  writer: PartWriter,
  { supplier, vendor, page: ask }: OpenSupplier,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Infer<typeof pageSyncReportRule>> {
  const listed = await ask({ page, pageSize }, DEADLINE_MS);
  if (listed.next !== undefined && page > 1)
    throw validationFailed({
      field: "page",
      message: `${vendor.name} lists by cursor: the 'page' field must be 1; a batch-sync reads all pages`,
    });
  const { news, problems, repeated } = readPage(supplier, listed.items, new Set());
  const { written, unchanged } = await writer.write(vendor, news, supplier.id);
  return {
    page,
    pageSize: listed.pageSize ?? pageSize,
    total: listed.total ?? null,
    totalPages: listed.totalPages ?? null,
    read: listed.items.length,
    written,
    unchanged,
    repeated,
    refused: problems.map(({ item, reason }) => ({ page, item, reason })),
    refusedTotal: problems.length,
  };
}
