import type { CollectionDefinition, Document } from "../../../mixins/document-store/port.ts";

/** What it reads: the whole listing of the tire supplier or of another one, or price and stock of a dealer's vendor. */
export type SyncKind = "tires" | "listing" | "refresh";
export type SyncStatus = "running" | "completed" | "partially_failed" | "failed";

/** Rows so far. A row is one of written, unchanged, refused, repeated, notFound and failed. */
export interface SyncRows {
  read: number;
  written: number;
  unchanged: number;
  /** Could not be used as they were. */
  refused: number;
  /** Listed before by the same sync. */
  repeated: number;
  notFound: number;
  /** Could not be asked about. */
  failed: number;
}

/** A sync and how far it is. The task `catalog.sync` runs it; every write of its work requires that task's lease. */
export interface SyncRecord extends Document {
  kind: SyncKind;
  /** Vendor code in upper case. */
  vendor: string;
  /** The vendor while it runs: unique, so one runs at a time in the cluster. */
  running?: string;
  status: SyncStatus;
  startedAt: Date;
  /** What is not done by then is left. */
  deadline: Date;
  finishedAt?: Date;
  pageSize: number;
  pages: { done: number; failed: number; total?: number };
  rows: SyncRows;
  discontinued: number;
  /** Items that the supplier says it lists. */
  announced?: number;
  /** Active parts of the vendor when it began. */
  activeBefore: number;
  /** Id of the last part that was asked about. */
  cursor?: string;
  /** What an operator should know, in words. */
  notes: string[];
  expiresAt: Date;
}

/** What became of a page; what it is about is written with the page's parts, or not at all. */
export interface SyncPage extends Document {
  syncId: string;
  page: number;
  /** Why it could not be had. */
  reason?: string;
  items: number;
  /** Items of which nobody can tell what part they are. */
  unidentified?: number;
  pageSize: number;
  totalPages: number;
  /** Of a listing by cursor: that of the page that follows, null behind the last. */
  next?: string | null;
  /** Ids of parts that this page was the first to list. */
  listed: string[];
  /** By its place on the page from 1, or by its part number. */
  problems: { item: number | string; reason: string }[];
  expiresAt: Date;
}

/** How long a sync can be looked up. */
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

export const NO_ROWS: SyncRows = { read: 0, written: 0, unchanged: 0, refused: 0, repeated: 0, notFound: 0, failed: 0 };
