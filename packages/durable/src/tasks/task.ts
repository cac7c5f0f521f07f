import type { AtomicWrite, CollectionDefinition, Document } from "../document-store/port.ts";
import { getOrigin } from "../channels/origin.ts";
import type { EventOrigin } from "../channels/port.ts";

/** A task as it is stored; `_id` is `<kind>:<key>`. */
export interface TaskDocument extends Document {
  kind: string;
  key: string;
  lane?: string;
  payload: Record<string, unknown>;
  origin?: EventOrigin;
  state: "waiting" | "dead" | "done";
  /** Counts calls of `enqueue`: one during a run causes another run. */
  enqueued: number;
  /** Runs since it was enqueued or retried, the current one and deaths included. */
  attempts: number;
  failures: number;
  /** `dueAt` as set by `enqueue` or `retry`, without pauses. */
  wantedAt: Date;
  dueAt: Date;
  /** The run that holds it, or empty. */
  holder: string;
  heldUntil: Date;
  progress?: Record<string, unknown>;
  /** `enqueued` of the run that kept it: of an earlier one it is void. */
  progressOf?: number;
  /** Reason of the last failed run. */
  reason?: string;
  diedAt?: Date;
  expiresAt?: Date;
}

/** `held`: a process runs it. `waiting`: until `dueAt`, or for a free place. */
type TaskState = "waiting" | "held" | "dead" | "done";

/** A task as operators see it. */
export type Task = Pick<
  TaskDocument,
  "kind" | "key" | "lane" | "payload" | "progress" | "attempts" | "dueAt" | "reason" | "diedAt"
> & { id: string; state: TaskState };

export const TASKS: CollectionDefinition = {
  name: "tasks",
  fields: {
    kind: "string",
    key: "string",
    lane: "string",
    state: "string",
    enqueued: "number",
    attempts: "number",
    failures: "number",
    wantedAt: "date",
    dueAt: "date",
    holder: "string",
    heldUntil: "date",
    diedAt: "date",
    expiresAt: "date",
  },
  indexes: [
    { keys: { state: 1, kind: 1, dueAt: 1 } },
    { keys: { state: 1, kind: 1, lane: 1, dueAt: 1 } },
    { keys: { state: 1, wantedAt: 1 } },
    { keys: { dueAt: 1 } },
  ],
  expires: "expiresAt",
};

/** `heldUntil` of a free task: in the past, so that one comparison finds what can be taken. */
const NEVER_HELD = new Date(0);
export const FREE = { holder: "", heldUntil: NEVER_HELD };

/** Runs of a free task that ended silently: usually their process died. */
export function countDeaths({ attempts, failures }: Pick<TaskDocument, "attempts" | "failures">): number {
  return attempts - failures;
}

export function getTaskId(kind: string, key: string): string {
  return `${kind}:${key}`;
}

export interface EnqueueOptions {
  /** Earliest run; now unless given. */
  dueAt?: Date;
  /** Lane, for a kind whose handler has places by lane; a key keeps its first one. */
  lane?: string;
}

/**
 * Returns the write that enqueues a task, for `documents.atomically` together with the state that makes it due. A task
 * is unique by kind and key: enqueuing it again replaces its payload and `dueAt` and counts its attempts from zero; a
 * dead one is revived, a running one runs again. Call `tasks.wake()` after the write.
 */
export function enqueueWrite<Payloads>() {
  return <K extends keyof Payloads & string>(
    kind: K,
    key: string,
    payload: Payloads[K],
    { dueAt = new Date(), lane }: EnqueueOptions = {},
  ): AtomicWrite => {
    const _id = getTaskId(kind, key);
    return {
      collection: TASKS,
      updateOne: {
        filter: { _id },
        update: {
          $set: {
            payload,
            state: "waiting",
            attempts: 0,
            failures: 0,
            wantedAt: dueAt,
            dueAt,
            ...getOrigin(kind, _id),
          },
          $unset: { reason: true, diedAt: true, expiresAt: true, progress: true },
          $inc: { enqueued: 1 },
          $setOnInsert: { kind, key, ...(lane === undefined ? {} : { lane }), ...FREE },
        },
        upsert: true,
      },
    };
  };
}

/** Returns the write that removes a task, together with the state that needs it no more. */
export function createDequeueWrite(kind: string, key: string): AtomicWrite {
  return { collection: TASKS, deleteOne: { filter: { _id: getTaskId(kind, key) } } };
}

/**
 * Returns the progress from which a run can continue. A run whose task was enqueued again meanwhile keeps its own until
 * it ends or dies.
 */
export function getValidProgress({ progress, progressOf, enqueued }: TaskDocument): TaskDocument["progress"] {
  return progressOf === enqueued ? progress : undefined;
}

export function toTask(row: TaskDocument): Task {
  const { _id: id, kind, key, lane, payload, attempts, dueAt, reason, diedAt } = row;
  const progress = getValidProgress(row);
  const state = row.state === "waiting" && row.heldUntil > new Date() ? "held" : row.state;
  return { id, kind, key, lane, state, payload, progress, attempts, dueAt, reason, diedAt };
}
