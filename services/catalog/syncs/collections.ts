import type { Infer } from "../../../broker/contract/rules.ts";
import type { AtomicWrite, CollectionDefinition, Document } from "../../../mixins/document-store/port.ts";
import type { syncSummaryRule } from "./rules.ts";

export type SyncSummary = Infer<typeof syncSummaryRule>;
export type SyncKind = SyncSummary["kind"];
export type SyncStatus = SyncSummary["status"];
/** Each row read is exactly one of the others. */
export type SyncRows = Omit<SyncSummary["rows"], "discontinued">;

/** Progress of a sync. Each of its writes requires the lease of its task `catalog.sync`. */
export interface SyncRecord extends Document, Pick<SyncSummary, "kind" | "vendor" | "status" | "startedAt" | "notes"> {
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

/** Outcome of a page, written in one batch with its parts. */
export interface SyncPage extends Document {
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
  problems: { item: number | string; reason: string }[];
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
export function pageWritten(
  { _id, pageSize, expiresAt }: SyncRecord,
  { page = 0, ...outcome }: Partial<SyncPage>,
): AtomicWrite {
  const none = { pageSize, totalPages: 0, items: 0, unidentified: 0, listed: [], problems: [] };
  return {
    collection: SYNC_PAGES,
    insertOne: { _id: `${_id}:${page}`, syncId: _id, page, ...none, expiresAt, ...outcome },
  };
}

export const NO_ROWS: SyncRows = { read: 0, written: 0, unchanged: 0, refused: 0, repeated: 0, notFound: 0, failed: 0 };
