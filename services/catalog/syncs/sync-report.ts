import type { Infer } from "../../../broker/contract/rules.ts";
import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { notFound } from "../../../mixins/errors.ts";
import { asked, pageOf } from "../../shared/paging.ts";
import { SYNC_PAGES, type SyncPage, type SyncRecord, SYNCS, type SyncStatus, type SyncSummary } from "./collections.ts";
import type { syncReportRule } from "./rules.ts";

type SyncReport = Infer<typeof syncReportRule>;

/** In each list. */
const MAX_LISTED = 1_000;

interface SyncsQuery {
  page: number;
  pageSize: number;
  vendor?: string;
  status?: SyncStatus;
}

/** Reads syncs. `record` and `report` @throws NOT_FOUND. */
export function createSyncReader(documents: DocumentStore) {
  const syncs = documents.collection<SyncRecord>(SYNCS);
  const record = async (syncId: string): Promise<SyncRecord> => {
    const found = await syncs.findOne({ _id: syncId });
    if (!found) throw notFound("Sync", syncId);
    return found;
  };
  return {
    record,
    report: async (syncId: string): Promise<SyncReport> => {
      const sync = await record(syncId);
      const lists: Pick<SyncReport, "refused" | "failed" | "errors"> = { refused: [], failed: [], errors: [] };
      const add = <T>(list: T[], item: T): void => {
        if (list.length < MAX_LISTED) list.push(item);
      };
      const pages = documents.collection<SyncPage>(SYNC_PAGES).iterate({ syncId }, { sort: { page: 1 } });
      for await (const { page, reason: missing, problems } of pages) {
        if (missing !== undefined) add(lists.errors, { page, reason: missing });
        for (const { item, reason } of problems)
          if (typeof item === "number") add(lists.refused, { page, item, reason });
          else add(lists.failed, { partNumber: item, reason });
      }
      return { ...toSummary(sync), ...lists };
    },
    /** Newest first: ids begin with the start time. */
    list: async ({ vendor, status, page, pageSize }: SyncsQuery) => {
      const { found, pagination } = await pageOf(syncs, asked({ vendor, status }), { _id: -1 }, { page, pageSize });
      return { syncs: found.map(toSummary), pagination };
    },
  };
}

function toSummary(record: SyncRecord): SyncSummary {
  const { _id, kind, vendor, status, pages, rows, discontinued, startedAt, finishedAt = null, notes } = record;
  const seconds = ((finishedAt ?? new Date()).getTime() - startedAt.getTime()) / 1_000;
  return {
    syncId: _id,
    kind,
    vendor,
    status,
    pages: { ...pages, total: pages.total ?? null },
    rows: { ...rows, discontinued },
    rate: Math.round((rows.read / Math.max(seconds, 0.001)) * 10) / 10,
    notes,
    startedAt,
    finishedAt,
  };
}
