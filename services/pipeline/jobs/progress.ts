import { sum } from "@partline/toolkit/pure";
import type { Infer } from "@partline/api-contracts";
import type { JobDocument, JobEntry, ReadingDocument } from "../collections.ts";
import type { FileError, FileStatus, JobProgress, jobRule } from "../resources.ts";

type JobFields = Infer<typeof jobRule>;
export type JobFile = JobFields["files"][number];

interface FileProgress extends JobFile {
  readPages: number;
  startedAt?: Date;
}

export interface JobState extends Pick<JobFields, "status" | "usable" | "progress" | "files"> {
  updatedAt: Date;
  /** Grows with each change. */
  position: number;
}

/** More than the revisions of a job's files can reach, so that a cancellation comes last. */
const CANCELLED_AFTER = 1_000_000_000;

const OVER: readonly FileStatus[] = ["completed", "partially_failed", "failed", "cancelled"];

export const WITH_RESULTS: readonly FileStatus[] = ["completed", "partially_failed"];

export function isOver(status: FileStatus): boolean {
  return OVER.includes(status);
}

/** Returns whether a manual can be used while OCR reads the rest of its pages. */
export function isBeingRecognised({ status, toRecognise }: Pick<ReadingDocument, "status" | "toRecognise">): boolean {
  return toRecognise !== undefined && WITH_RESULTS.includes(status);
}

/** Returns the status as a job shows it: a manual is done when all that will be read is read. */
export function getShownStatus(reading: Pick<ReadingDocument, "status" | "toRecognise">): FileStatus {
  return isBeingRecognised(reading) ? "processing" : reading.status;
}

/** Derives a job's state from its readings, so a crash cannot leave them apart. */
export function deriveJobState(job: JobDocument, readings: ReadonlyMap<string, ReadingDocument>, now: Date): JobState {
  const entries = sortEntries(job).map(([id, entry]) => ({ id, entry, reading: readings.get(entry.reading ?? "") }));
  const files = entries.map(({ id, entry, reading }) =>
    toFileProgress(entry, reading, job.cancelled?.includes(id) === true),
  );
  const jobReadings = entries.flatMap(({ reading }) => reading ?? []);
  const isCancelled = job.cancelledAt !== undefined;
  return {
    status: deriveStatus(files, isCancelled),
    usable: isUsable(files, isCancelled) || undefined,
    progress: job.reached ?? deriveProgress(files, job.createdAt, now),
    files: files.map(({ readPages: _, startedAt: __, ...file }) => file),
    updatedAt: isCancelled
      ? job.updatedAt
      : new Date(Math.max(job.updatedAt.getTime(), ...jobReadings.map(({ updatedAt }) => updatedAt.getTime()))),
    // A cancelled job stays as it is.
    position: isCancelled
      ? CANCELLED_AFTER + job.revision
      : job.revision + jobReadings.reduce((sum, { revision }) => sum + revision, 0),
  };
}

/** Sorts a job's entries by their number. */
export function sortEntries({ files }: Pick<JobDocument, "files">): [id: string, entry: JobEntry][] {
  return Object.entries(files).sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
}

export function deriveStatus(files: readonly Pick<JobFile, "status">[], isCancelled: boolean): FileStatus {
  if (isCancelled) return "cancelled";
  const statuses = new Set(files.map(({ status }) => status));
  if ([...statuses].some((status) => !isOver(status)))
    return statuses.size === 1 && statuses.has("queued") ? "queued" : "processing";
  if (statuses.size > 1) return "partially_failed";
  return [...statuses][0] ?? "completed";
}

/** Returns whether all manuals of a job that goes on can be used: OCR reads the rest of their pages. */
function isUsable(files: readonly JobFile[], isCancelled: boolean): boolean {
  return (
    !isCancelled && files.some(({ usable }) => usable) && files.every(({ status, usable }) => usable || isOver(status))
  );
}

/** Derives the progress by pages; an unopened file counts as the others' average. */
function deriveProgress(files: readonly FileProgress[], createdAt: Date, now: Date): JobProgress {
  const pageCounts = files.flatMap(({ pages }) => pages ?? []);
  const average = pageCounts.length === 0 ? 1 : Math.max(1, sum(pageCounts) / pageCounts.length);
  const done = files.filter(({ status }) => isOver(status)).length;
  const weights = files.map((file) => weighFile(file, average));
  const [all, read] = [sum(weights.map(({ all }) => all)), sum(weights.map(({ read }) => read))];
  const isDone = done === files.length;
  const isWhole = isDone && files.every(({ status }) => status !== "cancelled");
  const timed = files.filter(({ status, startedAt }) => !isOver(status) || (startedAt && startedAt >= createdAt));
  return {
    files: { done, total: files.length },
    pages: { done: sum(files.map(({ readPages }) => readPages)), total: sum(pageCounts) },
    percent: isWhole ? 100 : Math.min(99, Math.floor((100 * read) / all)),
    eta_seconds: isDone ? 0 : estimateSeconds(timed, all - read, now),
  };
}

function weighFile({ status, pages, readPages }: FileProgress, average: number): { all: number; read: number } {
  const fileWeight = Math.max(1, pages ?? average);
  return {
    all: fileWeight,
    read: isOver(status) && status !== "cancelled" ? fileWeight : Math.min(readPages, fileWeight),
  };
}

/** Estimates the seconds left from the time per page since the first file began. */
function estimateSeconds(files: readonly FileProgress[], left: number, now: Date): number | null {
  const startedFiles = files.filter(({ startedAt, readPages }) => startedAt !== undefined && readPages > 0);
  if (startedFiles.length === 0) return null;
  const since = Math.min(...startedFiles.map(({ startedAt }) => startedAt!.getTime()));
  const elapsed = Math.max(0, now.getTime() - since) / 1_000;
  return Math.ceil((elapsed / sum(startedFiles.map(({ readPages }) => readPages))) * left);
}

function toFileProgress(entry: JobEntry, reading: ReadingDocument | undefined, isCancelled: boolean): FileProgress {
  const { name } = entry;
  const zeros = { pages: null, readPages: 0, parts: 0, tables: 0, images: 0 };
  if (!reading) {
    const status = isCancelled
      ? "cancelled"
      : entry.error !== undefined || entry.reading !== undefined
        ? "failed"
        : "queued";
    const error = status === "failed" ? (entry.error ?? "The record of its reading is gone") : undefined;
    return { name, sha256: entry.reading?.slice(0, 64) ?? null, status, ...zeros, error };
  }
  const { sha256, pages = null, parts, tables, images, removedAs, startedAt } = reading;
  const status = getShownStatus(reading);
  const readPages = reading.readPages - Object.keys(reading.toRecognise ?? {}).length;
  return {
    name,
    sha256,
    status: isCancelled ? "cancelled" : (removedAs ?? status),
    pages,
    readPages,
    parts,
    tables,
    images,
    startedAt,
    usable: isBeingRecognised(reading) && !isCancelled ? true : undefined,
    removed: removedAs === undefined || isCancelled ? undefined : true,
    images_left_out: reading.imagesLeftOut || undefined,
    pages_scanned: reading.pagesScanned || undefined,
    ...toPictureFields(isCancelled ? { ...reading, toRecognise: undefined } : reading),
    ...toMachineFields(reading),
    pages_to_check: isOver(status) ? countPagesToCheck(reading) || undefined : undefined,
    error: isCancelled ? undefined : reading.error,
    error_code: isCancelled ? undefined : (reading.errorCode ?? toPagesError(reading)),
    note: isCancelled ? undefined : reading.note,
  };
}

/** Says how many pages OCR still reads, and how many lists as pictures stay unread. */
export function toPictureFields({
  status = "completed",
  toRecognise = {},
  listPictures,
  ocr,
}: Partial<Pick<ReadingDocument, "status" | "toRecognise" | "listPictures" | "ocr">>) {
  const waiting = WITH_RESULTS.includes(status) ? Object.keys(toRecognise).length : 0;
  return {
    pages_recognising: waiting || undefined,
    pages_list_pictures: listPictures || undefined,
    recognition_off: listPictures && ocr === "off" ? true : undefined,
  };
}

function toPagesError({ lost, error }: Pick<ReadingDocument, "lost" | "error">): FileError | undefined {
  return error !== undefined && Object.keys(lost).length > 0 ? "pages_unreadable" : undefined;
}

/** Models and suggestions of a file in a job's answer, which has hundreds of files. */
const MOST_IN_JOB = 10;
const MOST_SUGGESTED_IN_JOB = 3;

function toMachineFields({
  machine,
}: ReadingDocument): Pick<JobFile, "equipment" | "models" | "manufacturer" | "unsure"> {
  if (!machine) return {};
  const { equipment, manufacturer, unsure } = machine;
  return {
    models: equipment.length,
    equipment: equipment.slice(0, MOST_IN_JOB),
    manufacturer,
    unsure: unsure && {
      equipment: unsure.equipment?.slice(0, MOST_SUGGESTED_IN_JOB),
      manufacturer: unsure.manufacturer?.slice(0, MOST_SUGGESTED_IN_JOB),
    },
  };
}

/** Counts the pages that somebody should look at, unreadable ones among them, without those that OCR still reads. */
export function countPagesToCheck({
  toCheck,
  lost = {},
  toRecognise = {},
}: Partial<Pick<ReadingDocument, "toCheck" | "lost" | "toRecognise">>): number {
  return Math.max(0, (toCheck?.count ?? 0) - Object.keys(toRecognise).length) + Object.keys(lost).length;
}

/** Maximum pages listed with reasons; the others are counted. */
const MOST_REASONS = 20;

/** Describes lost pages, `Page 7: it took longer than 30 s`; undefined if all could be read. */
export function describeLostPages(lost: Readonly<Record<string, string>>): string | undefined {
  const pages = Object.entries(lost)
    .map(([key, reason]) => ({ page: Number(key.slice(1)), reason }))
    .sort((a, b) => a.page - b.page);
  if (pages.length === 0) return undefined;
  const reasons = pages.slice(0, MOST_REASONS).map(({ page, reason }) => `Page ${page}: ${reason}`);
  const more = pages.length > MOST_REASONS ? [`and ${pages.length - MOST_REASONS} pages more`] : [];
  return [...reasons, ...more].join("; ");
}

const PICTURES = {
  list_picture: ["page has its list as a picture", "pages have lists as pictures"],
  scanned: ["page is a picture without text", "pages are pictures without text"],
} as const;

/** Says how many pages are, or have, pictures that were not recognised, and why; undefined for none. */
export function describePictures(kind: keyof typeof PICTURES, pages: number, remedy?: string): string | undefined {
  if (pages <= 0) return undefined;
  const what = `${pages} ${PICTURES[kind][pages === 1 ? 0 : 1]}`;
  return remedy === undefined ? `${what} that OCR could not read` : `${what}: ${remedy}`;
}
