import type { Infer } from "../../../broker/contract/rules.ts";
import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { notFound } from "../../../mixins/errors.ts";
import { SYNC_PAGES, SYNCS, type SyncPage, type SyncRecord } from "./collections.ts";
import type { syncReportRule } from "./rules.ts";
import { toSummary } from "./sync-list.ts";

export type SyncReport = Infer<typeof syncReportRule>;

/** In each list. */
const MAX_LISTED = 1_000;

type Lists = Pick<SyncReport, "refused" | "failed" | "errors">;

export interface SyncReader {
  record(syncId: string): Promise<SyncRecord>;
  /** @throws NOT_FOUND */
  report(syncId: string): Promise<SyncReport>;
}

export function createSyncReader(documents: DocumentStore): SyncReader {
  const record = async (syncId: string): Promise<SyncRecord> => {
    const found = await documents.collection<SyncRecord>(SYNCS).findOne({ _id: syncId });
    if (!found) throw notFound("Sync", syncId);
    return found;
  };
  return {
    record,
    report: async (syncId) => {
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
