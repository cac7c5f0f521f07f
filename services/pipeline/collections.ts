import type { CollectionDefinition, Document } from "@partline/durable";
import type { Chapter, PageToCheck, Unsure } from "@partline/manual-reader";
import type { FileError, FileStatus, JobProgress, PageError } from "./resources.ts";

/** Facts from outside; without them the manual's pages decide. */
export interface GivenFacts {
  equipment: string[];
  manufacturer?: string;
}

/**
 * A reading of a file, for any number of jobs. Its id is `SHA256-RUN`: a file is read again if all earlier readings
 * failed, were cancelled or were removed.
 */
export interface ReadingDocument extends Document, GivenFacts {
  sha256: string;
  run: number;
  status: FileStatus;
  filename: string;
  /** Jobs that wait for it; without any it is cancelled. */
  wantedBy: string[];
  revision: number;
  /** Once the file is opened. */
  pages?: number;
  /** The file's own; absent in readings of versions before 0.3. */
  title?: string;
  author?: string;
  chapters?: Chapter[];
  /** Number of pages that were read or given up. */
  readPages: number;
  /** Ranges, from 0. */
  done: number[];
  parts: number;
  tables: number;
  images: number;
  imagesLeftOut?: number;
  pagesScanned?: number;
  /** Machine of the manual; absent in readings of versions before 0.4. */
  machine?: GivenFacts & { unsure?: Unsure };
  /** Pages whose content may be missing, the first of them; unreadable ones are `lost`. */
  toCheck?: { count: number; pages: PageToCheck[] };
  /** Pages with lists as pictures that OCR has not read and will not; absent in readings of versions before 0.4. */
  listPictures?: number;
  /** PIPELINE_OCR when the manual was assembled. */
  ocr?: "auto" | "on" | "off";
  /** Corrections by staff without which the reading says the same. */
  unneeded?: string[];
  /** Time of the last correction that the manual was put together with; the epoch without one. */
  correctedUntil?: Date;
  /** Pages that OCR reads once the others are read, by `pN`; set until the manual is put together with them. */
  toRecognise?: Record<string, true>;
  /** The manual is being put together with what OCR read, and cannot be corrected for seconds. */
  isCompleting?: true;
  /** Why pages are unreadable, by `pN`. */
  lost: Record<string, string>;
  /** The same as codes; absent for pages that a version before 0.4 read. */
  lostCodes?: Record<string, PageError>;
  error?: string;
  errorCode?: FileError;
  note?: string;
  /** Status before the removal, which its jobs still show. */
  removedAs?: FileStatus;
  /**
   * It is put together again with these facts, which staff gave if `isOfMachine`, and with corrections of rows and
   * figures; `error`: that failed, and `isUndoing` until its files are as before.
   */
  correction?: GivenFacts & { number: number; isOfMachine?: true; error?: string; isUndoing?: true };
  createdAt: Date;
  startedAt?: Date;
  updatedAt: Date;
  finishedAt?: Date;
  /** Set if nothing of it is kept. */
  expiresAt?: Date;
  /** Another reading of the file has begun. */
  isFollowed?: true;
  /** Remains of its file are being deleted, and no reading may begin; or they are gone. */
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
    correctedUntil: "date",
    "correction.number": "number",
  },
  indexes: [{ keys: { sha256: 1, run: 1 } }, { keys: { status: 1, updatedAt: 1 } }],
  expires: "expiresAt",
};

export interface JobEntry {
  name: string;
  /** Object to take the file from. */
  key?: string;
  reading?: string;
  /** Why there is no reading. */
  error?: string;
}

export interface JobDocument extends Document {
  /** Files by `fN`, from 0. */
  files: Record<string, JobEntry>;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  cancelledAt?: Date;
  /** Files that had not ended when it was cancelled. */
  cancelled?: string[];
  /** Progress when it was cancelled: the readings may go on for other jobs. */
  reached?: JobProgress;
  expiresAt: Date;
}

export const JOBS: CollectionDefinition = {
  name: "pipeline_jobs",
  fields: { revision: "number", createdAt: "date", updatedAt: "date", cancelledAt: "date", expiresAt: "date" },
  indexes: [{ keys: { createdAt: 1 } }],
  expires: "expiresAt",
};
