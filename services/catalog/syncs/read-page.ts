import type { Infer } from "@partline/api-contracts";
import { validationFailed } from "../../../mixins/errors.ts";
import type { PartNews } from "../part-content.ts";
import type { PartWriter } from "../part-writer.ts";
import { toReason } from "../remarks.ts";
import { readItem } from "../suppliers/read-item.ts";
import type { OpenSupplier } from "../suppliers/open.ts";
import type { Supplier } from "../suppliers/port.ts";
import type { SyncPage } from "./records.ts";
import type { pageSyncReportRule } from "./rules.ts";

interface ReadPage {
  news: PartNews[];
  /** Parts listed here first, usable or not. */
  ids: string[];
  problems: (SyncPage["problems"][number] & { item: number })[];
  /** Items without a readable number. */
  unidentified: number;
  repeated: number;
}

/** Reads the items; adds their parts to `listed`. */
export function readPage(supplier: Supplier, items: readonly unknown[], listed: Set<string>): ReadPage {
  const page: ReadPage = { news: [], ids: [], problems: [], unidentified: 0, repeated: 0 };
  for (const [index, item] of items.entries()) {
    const { id, news, refusal } = readItem(supplier, item);
    if (id !== undefined && listed.has(id)) {
      page.repeated += 1;
      continue;
    }
    if (id === undefined) page.unidentified += 1;
    else {
      listed.add(id);
      page.ids.push(id);
    }
    if (news) page.news.push(news);
    else page.problems.push({ item: index + 1, ...toReason(refusal) });
  }
  return page;
}

const DEADLINE_MS = 60_000;

/**
 * Reads and writes one page. @throws PROVIDER_ERROR, TIMEOUT; VALIDATION_FAILED for page 2 and on of a listing by
 * cursor
 */
export async function syncPage(
  writer: PartWriter,
  { supplier, vendor, loadPage: ask }: OpenSupplier,
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
    refused: problems.map((problem) => ({ page, ...problem })),
    refusedTotal: problems.length,
  };
}
