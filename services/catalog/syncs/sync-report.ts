import type { Infer } from "../../../broker/contract/rules.ts";
import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { notFound } from "../../../mixins/errors.ts";
import { SYNC_PAGES, SYNCS, type SyncPage, type SyncRecord } from "./collections.ts";
import type { syncReportRule } from "./rules.ts";

export type SyncReport = Infer<typeof syncReportRule>;

/** Refused items, parts that failed, and pages that failed, that a report lists. */
const MAX_LISTED = 1_000;

export interface SyncReader {
  /** @throws NOT_FOUND */
  record(syncId: string): Promise<SyncRecord>;
  /** @throws NOT_FOUND */
  report(syncId: string): Promise<SyncReport>;
}

export function syncReader(documents: DocumentStore): SyncReader {
  const record = async (syncId: string): Promise<SyncRecord> => {
    const found = await documents.collection<SyncRecord>(SYNCS).findOne({ _id: syncId });
    if (!found) throw notFound("Sync", syncId);
    return found;
  };
  return {
    record,
    report: async (syncId) => {
      const sync = await record(syncId);
      const lists: Pick<SyncReport, "refused" | "failed" | "errors"> = { refused: [], failed: [], errors: [] };
      for await (const page of documents.collection<SyncPage>(SYNC_PAGES).iterate({ syncId }, { sort: { page: 1 } })) {
        addProblems(lists, page);
        if (lists.refused.length + lists.failed.length + lists.errors.length >= MAX_LISTED) break;
      }
      return toReport(sync, lists);
    },
  };
}

function addProblems({ refused, failed, errors }: Pick<SyncReport, "refused" | "failed" | "errors">, { page, reason, problems }: SyncPage): void {
  if (reason !== undefined) errors.push({ page, reason });
  for (const problem of problems) {
    if (typeof problem.item === "number") refused.push({ page, item: problem.item, reason: problem.reason });
    else failed.push({ partNumber: problem.item, reason: problem.reason });
  }
}

function toReport(sync: SyncRecord, lists: Pick<SyncReport, "refused" | "failed" | "errors">): SyncReport {
  const { _id, kind, vendor, status, pages, rows, discontinued, startedAt, finishedAt, notes } = sync;
  const seconds = ((finishedAt ?? new Date()).getTime() - startedAt.getTime()) / 1_000;
  return {
    syncId: _id, kind, vendor, status,
    pages: { done: pages.done, failed: pages.failed, total: pages.total ?? null },
    rows: { ...rows, discontinued },
    rate: Math.round((rows.read / Math.max(seconds, 0.001)) * 10) / 10,
    refused: lists.refused.slice(0, MAX_LISTED),
    failed: lists.failed.slice(0, MAX_LISTED),
    errors: lists.errors,
    notes,
    startedAt,
    finishedAt: finishedAt ?? null,
  };
}
