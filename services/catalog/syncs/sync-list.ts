import { paginate } from "../../../broker/contract/common.ts";
import type { Infer } from "../../../broker/contract/rules.ts";
import type { DocumentStore, Filter } from "../../../mixins/document-store/port.ts";
import { SYNCS, type SyncRecord, type SyncStatus } from "./collections.ts";
import type { syncSummaryRule } from "./rules.ts";

export type SyncSummary = Infer<typeof syncSummaryRule>;

export interface SyncsQuery {
  page: number;
  pageSize: number;
  vendor?: string;
  status?: SyncStatus;
}

/** Newest first. */
export async function listSyncs(
  documents: DocumentStore,
  { page, pageSize, vendor, status }: SyncsQuery,
): Promise<{ syncs: SyncSummary[]; pagination: ReturnType<typeof paginate> }> {
  const syncs = documents.collection<SyncRecord>(SYNCS);
  const filter: Filter = { ...(vendor === undefined ? {} : { vendor }), ...(status === undefined ? {} : { status }) };
  const [total, found] = await Promise.all([
    syncs.count(filter),
    // Ids begin with the start time.
    syncs.find(filter, { sort: { _id: -1 }, skip: (page - 1) * pageSize, limit: pageSize }),
  ]);
  return { syncs: found.map(toSummary), pagination: paginate(total, page, pageSize) };
}

export function toSummary({
  _id,
  kind,
  vendor,
  status,
  pages,
  rows,
  discontinued,
  startedAt,
  finishedAt,
  notes,
}: SyncRecord): SyncSummary {
  const seconds = ((finishedAt ?? new Date()).getTime() - startedAt.getTime()) / 1_000;
  return {
    syncId: _id,
    kind,
    vendor,
    status,
    pages: { done: pages.done, failed: pages.failed, total: pages.total ?? null },
    rows: { ...rows, discontinued },
    rate: Math.round((rows.read / Math.max(seconds, 0.001)) * 10) / 10,
    notes,
    startedAt,
    finishedAt: finishedAt ?? null,
  };
}
