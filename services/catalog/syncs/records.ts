import type { Infer } from "@partline/api-contracts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { notFound } from "../../../mixins/errors.ts";
import { toFilter, readPage } from "../../shared/paging.ts";
import type { RemarkValues } from "@partline/price-files";
import type { syncReportRule, syncSummaryRule } from "./rules.ts";

export type SyncSummary = Infer<typeof syncSummaryRule>;
export type SyncKind = SyncSummary["kind"];
export type SyncStatus = SyncSummary["status"];
/** Each row read is exactly one of the others. */
export type SyncRows = Omit<SyncSummary["rows"], "discontinued">;

/** Progress of a sync. Each of its writes requires the lease of its task `catalog.sync`. */
export interface SyncRecord
  extends Document, Pick<SyncSummary, "kind" | "vendor" | "status" | "startedAt" | "notes" | "remarks"> {
  /** The vendor while it runs; unique, so one sync a vendor runs in the cluster. */
  running?: string;
  deadline: Date;
  finishedAt?: Date;
  pageSize: number;
  pages: { done: number; failed: number; total?: number };
  rows: SyncRows;
  discontinued: number;
  /** Items, according to the supplier. */
  announced?: number;
  activeBefore: number;
  cursor?: string;
  expiresAt: Date;
}

/** Missing in what an earlier version wrote. */
interface CodedReason {
  code?: string;
  values?: RemarkValues;
}

/** Outcome of a page, written in one batch with its parts. */
export interface SyncPage extends Document, CodedReason {
  syncId: string;
  page: number;
  reason?: string;
  items: number;
  /** Items without a readable number. */
  unidentified?: number;
  pageSize: number;
  totalPages: number;
  /** Cursor of the next page; null behind the last. */
  next?: string | null;
  /** Parts that this page lists first. */
  listed: string[];
  /** `item`: place on the page from 1, or part number. */
  problems: ({ item: number | string; reason: string } & CodedReason)[];
  expiresAt: Date;
}

export const SYNC_RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

export const SYNCS: CollectionDefinition = {
  name: "catalog_syncs",
  fields: {
    kind: "string",
    vendor: "string",
    running: "string",
    status: "string",
    startedAt: "date",
    deadline: "date",
    finishedAt: "date",
    expiresAt: "date",
  },
  indexes: [{ keys: { running: 1 }, unique: true }, { keys: { status: 1 } }],
  expires: "expiresAt",
};

export const SYNC_PAGES: CollectionDefinition = {
  name: "catalog_sync_pages",
  fields: { syncId: "string", page: "number", reason: "string", expiresAt: "date" },
  indexes: [{ keys: { syncId: 1, page: 1 } }],
  expires: "expiresAt",
};

/** The write of a page's record; what the outcome does not say is nothing. */
export function writePage(
  { _id, pageSize, expiresAt }: SyncRecord,
  { page = 0, ...outcome }: Partial<SyncPage>,
): AtomicWrite {
  const defaults = { pageSize, totalPages: 0, items: 0, unidentified: 0, listed: [], problems: [] };
  return {
    collection: SYNC_PAGES,
    insertOne: { _id: `${_id}:${page}`, syncId: _id, page, ...defaults, expiresAt, ...outcome },
  };
}

export const NO_ROWS: SyncRows = { read: 0, written: 0, unchanged: 0, refused: 0, repeated: 0, notFound: 0, failed: 0 };

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
    const sync = await syncs.findOne({ _id: syncId });
    if (!sync) throw notFound("Sync", syncId);
    return sync;
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
      for await (const { page, reason: missing, code, values, problems } of pages) {
        if (missing !== undefined) add(lists.errors, { page, reason: missing, code, values });
        for (const { item, ...problem } of problems)
          if (typeof item === "number") add(lists.refused, { page, item, ...problem });
          else add(lists.failed, { partNumber: item, ...problem });
      }
      return { ...toSummary(sync), ...lists };
    },
    /** Newest first: ids begin with the start time. */
    list: async ({ vendor, status, page, pageSize }: SyncsQuery) => {
      const { found: matches, pagination } = await readPage(
        syncs,
        toFilter({ vendor, status }),
        { _id: -1 },
        { page, pageSize },
      );
      return { syncs: matches.map(toSummary), pagination };
    },
  };
}

function toSummary(record: SyncRecord): SyncSummary {
  const { _id, kind, vendor, status, pages, rows, discontinued, startedAt, finishedAt = null, notes, remarks } = record;
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
    remarks,
    startedAt,
    finishedAt,
  };
}
