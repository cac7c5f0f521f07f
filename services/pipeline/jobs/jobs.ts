import { setImmediate as nextTurn } from "node:timers/promises";
import { ulid } from "@partline/toolkit";
import type { AtomicWrite, DocumentStore } from "@partline/durable";
import { notFound } from "../../../mixins/errors.ts";
import { readPage } from "../../shared/paging.ts";
import { JOBS, type JobDocument, type JobEntry } from "../collections.ts";
import { JOB_LIFE_MS } from "../limits.ts";
import type { Readings } from "../readings.ts";
import type { WorkItem } from "../work/work-item.ts";
import { sortEntries, isOver, deriveJobState, type JobState } from "./progress.ts";

export interface Job {
  document: JobDocument;
  state: JobState;
}

export function createBatchId(): string {
  return `batch_${ulid()}`;
}

export function createJob(batch: string, entries: readonly JobEntry[]): AtomicWrite {
  const now = new Date();
  const job = {
    _id: batch,
    files: Object.fromEntries(entries.map((entry, index) => [`f${index}`, entry])),
    revision: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + JOB_LIFE_MS),
  } satisfies JobDocument;
  return { collection: JOBS, insertOne: job };
}

/** Returns the write that settles a file; the first counts. */
export function settleEntry(batch: string, file: string, outcome: Pick<JobEntry, "reading" | "error">): AtomicWrite {
  const set = Object.fromEntries(Object.entries(outcome).map(([field, value]) => [`files.${file}.${field}`, value]));
  const filter = {
    _id: batch,
    [`files.${file}.reading`]: { $exists: false },
    [`files.${file}.error`]: { $exists: false },
  };
  return {
    collection: JOBS,
    updateOne: { filter, update: { $set: { ...set, updatedAt: new Date() }, $inc: { revision: 1 } } },
  };
}

export function isUntaken({ reading, error }: JobEntry): boolean {
  return reading === undefined && error === undefined;
}

function listUntaken(job: JobDocument): WorkItem[] {
  return sortEntries(job).flatMap(([file, entry]) => (isUntaken(entry) ? { kind: "take", batch: job._id, file } : []));
}

/** Creates the store of jobs. `drop` ends work that nobody waits for. */
export function createJobs(documents: DocumentStore, readings: Readings, drop: (work: WorkItem[]) => Promise<void>) {
  const jobs = documents.collection<JobDocument>(JOBS);

  const withState = async (document: JobDocument): Promise<Job> => {
    const readingsById = await readings.findAll(listReadingIds(document));
    return { document, state: deriveJobState(document, readingsById, new Date()) };
  };
  const get = async (batch: string): Promise<Job> => {
    const job = await jobs.findOne({ _id: batch });
    if (!job) throw notFound("Job", batch);
    return withState(job);
  };

  return {
    get,
    list: async (page: number, pageSize: number) => {
      const { found, pagination } = await readPage(jobs, {}, { createdAt: -1 }, { page, pageSize });
      const listed: Job[] = [];
      for (const job of found) {
        listed.push(await withState(job));
        // A job may have 500 readings; an embedded store reads them in one go.
        await nextTurn();
      }
      return { jobs: listed, pagination };
    },
    /** A job that has ended stays as it is. @throws NOT_FOUND */
    cancel: async (batch: string) => {
      const { document, state } = await get(batch);
      if (!isOver(state.status)) {
        const now = new Date();
        const ids = sortEntries(document).map(([id]) => id);
        const cancelledIds = ids.filter((_, index) => !isOver(state.files[index]!.status));
        const reached = { ...state.progress, files: { done: ids.length, total: ids.length }, eta_seconds: 0 };
        await jobs.updateOne(
          { _id: batch, cancelledAt: { $exists: false } },
          { $set: { cancelledAt: now, updatedAt: now, cancelled: cancelledIds, reached }, $inc: { revision: 1 } },
        );
      }
      // Also if cancelled before: a process may have died before it left all readings.
      const { document: ended } = await get(batch);
      if (ended.cancelledAt) {
        await drop(listUntaken(ended));
        for (const reading of listReadingIds(ended)) await readings.leave(reading, batch);
      }
      return get(batch);
    },
  };
}

function listReadingIds({ files }: JobDocument): string[] {
  return Object.values(files).flatMap(({ reading }) => reading ?? []);
}
