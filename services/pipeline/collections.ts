import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import type { GivenFacts } from "./correction.ts";
import type { JobProgress } from "./jobs/progress.ts";
import type { FileStatus } from "./statuses.ts";

/**
 * One reading of a file, which any number of jobs may wait for. Its id is the file's SHA-256, a dash, and which reading
 * it is: a file is read again when all before it failed, were cancelled or were removed.
 */
export interface ReadingDocument extends Document {
  sha256: string;
  /** From 1. */
  run: number;
  status: FileStatus;
  filename: string;
  /** As whoever sent the file says. */
  equipment: string[];
  manufacturer?: string;
  /** Jobs that wait for it: without any it is cancelled. */
  wantedBy: string[];
  /** Grows with each change. */
  revision: number;
  /** Known once the file is opened. */
  pages?: number;
  /** Pages that were read, or given up. */
  readPages: number;
  /** Page ranges that are done, from 0. */
  done: number[];
  parts: number;
  tables: number;
  images: number;
  /** Not there where none was. */
  imagesLeftOut?: number;
  /** Not there where none was. */
  pagesScanned?: number;
  /** Why pages could not be read, by `p` and the page's number. */
  lost: Record<string, string>;
  error?: string;
  /** The status that it had, of one that was read and then removed: its jobs go on telling it. */
  removedAs?: FileStatus;
  /**
   * Of one that was read: with these facts it is put together again, under the number of
   * the correction; with an error, it could not be.
   */
  correction?: GivenFacts & { number: number; error?: string };
  createdAt: Date;
  startedAt?: Date;
  updatedAt: Date;
  finishedAt?: Date;
  /** Set where nothing is kept of it. */
  expiresAt?: Date;
  /** Of one whose results, if any, are not kept: another reading of the file has begun. */
  isFollowed?: true;
  /** Of the same: what was kept of its file is being removed, and no other reading begins; or it is gone. */
  leftovers?: "going" | "gone";
}

export const READINGS: CollectionDefinition = {
  name: "pipeline_readings",
  fields: {
    sha256: "string",
    run: "number",
    status: "string",
    revision: "number",
    createdAt: "date",
    startedAt: "date",
    updatedAt: "date",
    finishedAt: "date",
    expiresAt: "date",
    "correction.number": "number",
  },
  indexes: [
    { keys: { sha256: 1, run: 1 } },
    { keys: { status: 1, updatedAt: 1 } },
    { keys: { "correction.number": 1 } },
  ],
  expires: "expiresAt",
};

/** A file of a job. */
export interface JobEntry {
  name: string;
  /** In the object store, of a file that nobody has looked at yet. */
  key?: string;
  /** Id of its reading. */
  reading?: string;
  /** Why it has none. */
  error?: string;
}

export interface JobDocument extends Document {
  /** By `f` and its number from 0. */
  files: Record<string, JobEntry>;
  /** Of its files, those that nobody has looked at yet. */
  untaken: number;
  /** Grows with each change. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  cancelledAt?: Date;
  /** Of its files, those that had not ended when it was cancelled. */
  cancelled?: string[];
  /** How far it had got when it was cancelled: its files' readings may go on for other jobs. */
  reached?: JobProgress;
  expiresAt: Date;
}

export const JOBS: CollectionDefinition = {
  name: "pipeline_jobs",
  fields: {
    untaken: "number",
    revision: "number",
    createdAt: "date",
    updatedAt: "date",
    cancelledAt: "date",
    expiresAt: "date",
  },
  indexes: [{ keys: { createdAt: 1 } }, { keys: { untaken: 1, updatedAt: 1 } }],
  expires: "expiresAt",
};
