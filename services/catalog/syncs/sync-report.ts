import type { paginate } from "../../../broker/contract/common.ts";
import type { Infer } from "../../../broker/contract/rules.ts";
import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { notFound } from "../../../mixins/errors.ts";
import { asked, pageOf } from "../../shared/paging.ts";
import { SYNC_PAGES, type SyncPage, type SyncRecord, SYNCS, type SyncStatus, type SyncSummary } from "./collections.ts";
import type { syncReportRule } from "./rules.ts";

type SyncReport = Infer<typeof syncReportRule>;

/** In each list. */
const MAX_LISTED = 1_000;

type Lists = Pick<SyncReport, "refused" | "failed" | "errors">;

/** Both of its reads @throws NOT_FOUND. */
export function createSyncReader(documents: DocumentStore) {
  const record = async (syncId: string): Promise<SyncRecord> => {
    const found = await documents.collection<SyncRecord>(SYNCS).findOne({ _id: syncId });
    if (!found) throw notFound("Sync", syncId);
    return found;
  };
  return {
    record,
    report: async (syncId: string): Promise<SyncReport> => {
      const sync = await record(syncId);
      const lists: Lists = { refused: [], failed: [], errors: [] };
      for await (const page of documents.collection<SyncPage>(SYNC_PAGES).iterate({ syncId }, { sort: { page: 1 } })) {
        addProblems(lists, page);
      }
      return { ...toSummary(sync), ...lists };
    },
  };
}

/** Each list is limited by itself. */
function addProblems({ refused, failed, errors }: Lists, { page, reason, problems }: SyncPage): void {
  if (reason !== undefined) add(errors, { page, reason });
  for (const problem of problems) {
    if (typeof problem.item === "number") add(refused, { page, item: problem.item, reason: problem.reason });
    else add(failed, { partNumber: problem.item, reason: problem.reason });
  }
}

function add<T>(list: T[], item: T): void {
  if (list.length < MAX_LISTED) list.push(item);
}

interface SyncsQuery {
  page: number;
  pageSize: number;
  vendor?: string;
  status?: SyncStatus;
}

/** Newest first. */
export async function listSyncs(
  documents: DocumentStore,
  { vendor, status, ...page }: SyncsQuery,
): Promise<{ syncs: SyncSummary[]; pagination: ReturnType<typeof paginate> }> {
  const syncs = documents.collection<SyncRecord>(SYNCS);
  // Ids begin with the start time.
  const { found, pagination } = await pageOf(syncs, asked({ vendor, status }), { _id: -1 }, page);
  return { syncs: found.map(toSummary), pagination };
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
