import { ulid } from "@partline/toolkit";
import {
  type AtomicWrite,
  type DocumentStore,
  hasStoreCode,
  isWritten,
  type TaskHandler,
  getTaskId,
  type TaskRun,
  type Tasks,
  type Update,
  startUnique,
} from "@partline/durable";
import { enqueue, outbox } from "../../contracts.ts";
import { type Remark } from "@partline/price-files";
import { presentNotes, createRemark } from "../remarks.ts";
import { NO_ROWS, SYNC_RETENTION_MS, SYNCS, type SyncKind, type SyncRecord, type SyncStatus } from "./records.ts";

export interface HeldSync {
  /** As it was taken. */
  record: SyncRecord;
  /** Aborted when the lease is lost or this process stops; no write succeeds then. */
  signal: AbortSignal;
  /** Returns writes that fail their batch (CONDITION_FAILED) once the lease is lost. */
  updateProgress(update: Pick<Update, "$inc" | "$set" | "$push">): AtomicWrite[];
}

export interface SyncEnding {
  status: Exclude<SyncStatus, "running">;
  notes?: Remark[];
  /** Parts were written: search reads on. */
  changed?: boolean;
  /** Written in the same batch. */
  also?: AtomicWrite[];
}

/** Works from where the record says. @throws the signal's reason */
export type SyncWork = (sync: HeldSync) => Promise<SyncEnding>;

interface SyncRunnerDeps {
  documents: DocumentStore;
  tasks: Pick<Tasks, "find" | "wake">;
  works: { listing: SyncWork; refresh: SyncWork };
  timeoutSeconds: number;
  /** Writes that go with the end of a sync that completed. */
  recordSuccess: (record: Pick<SyncRecord, "kind" | "vendor">) => AtomicWrite[];
  onEnded: (ended: Pick<SyncRecord, "_id" | "kind" | "vendor" | "notes"> & Pick<SyncEnding, "status">) => void;
}

/** Before another attempt, milliseconds: the store may be away. */
const PAUSE_MS = 15_000;

/** Runs syncs as tasks, one a vendor in the cluster, resumed until the deadline if their process dies. */
export function createSyncRunner(deps: SyncRunnerDeps) {
  const { documents, tasks, works, timeoutSeconds, recordSuccess: completed, onEnded } = deps;
  const syncs = documents.collection<SyncRecord>(SYNCS);

  const change = ({ _id }: SyncRecord, task: TaskRun | undefined, update: Update): AtomicWrite[] => [
    ...(task ? [task.held()] : []),
    { collection: SYNCS, require: true, updateOne: { filter: { _id, status: "running" }, update } },
  ];
  const end = async (record: SyncRecord, task: TaskRun | undefined, ending: SyncEnding) => {
    const { status, changed: hasChanged = false, also = [] } = ending;
    const { notes, remarks } = presentNotes(ending.notes ?? []);
    const { _id, kind, vendor } = record;
    await documents.atomically([
      ...change(record, task, { $set: { status, notes, remarks, finishedAt: new Date() }, $unset: { running: "" } }),
      outbox("sync.ended", { vendor, syncId: _id, status }),
      ...(hasChanged ? [outbox("catalog.changed", { vendor })] : []),
      ...also,
      ...(status === "completed" ? completed(record) : []),
    ]);
    onEnded({ _id, kind, vendor, status, notes });
  };

  /** An operator dropped its task: a task is deleted only after the sync's end. */
  const endDropped = (record: SyncRecord): Promise<boolean> =>
    isWritten(end(record, undefined, { status: "failed", notes: [createRemark("task_dropped")] }), "CONDITION_FAILED");

  const handler: TaskHandler<{ syncId: string }> = {
    // The deadline ends it.
    maxRetries: Infinity,
    pauseMs: () => PAUSE_MS,
    // One a vendor.
    concurrency: Infinity,
    run: async ({ syncId }, task) => {
      const record = await syncs.findOne({ _id: syncId, status: "running" });
      if (!record) return;
      const { signal } = task;
      const work = record.kind === "refresh" ? works.refresh : works.listing;
      try {
        await end(
          record,
          task,
          await work({ record, signal, updateProgress: (update) => change(record, task, update) }),
        );
      } catch (error) {
        if (signal.aborted || hasStoreCode(error, "CONDITION_FAILED") || record.deadline > new Date()) throw error;
        await end(record, task, { status: "failed", notes: [createRemark("broken_off")] });
      }
    },
  };

  return {
    handler,
    /** Returns the id of the vendor's sync that runs, else starts one. @throws as `startUnique` */
    async begin(
      kind: SyncKind,
      vendor: string,
      { total, ...facts }: { pageSize: number; activeBefore: number; total?: number },
    ): Promise<string> {
      const insert = async (): Promise<SyncRecord> => {
        const startedAt = new Date();
        const record: SyncRecord = {
          _id: `sync_${ulid()}`,
          kind,
          vendor,
          running: vendor,
          status: "running",
          startedAt,
          deadline: new Date(startedAt.getTime() + timeoutSeconds * 1_000),
          ...facts,
          pages: { done: 0, failed: 0, total },
          rows: NO_ROWS,
          discontinued: 0,
          notes: [],
          expiresAt: new Date(startedAt.getTime() + SYNC_RETENTION_MS),
        };
        await documents.atomically([
          { collection: SYNCS, insertOne: { ...record } },
          enqueue("catalog.sync", record._id, { syncId: record._id }),
        ]);
        tasks.wake();
        return record;
      };
      const findRunning = async (): Promise<SyncRecord | null> => {
        const runningSync = await syncs.findOne({ running: vendor });
        if (!runningSync || (await tasks.find(getTaskId("catalog.sync", runningSync._id)))) return runningSync;
        await endDropped(runningSync);
        return null;
      };
      return (await startUnique(`a sync of ${vendor}`, { insert, running: findRunning })).record._id;
    },
  };
}
