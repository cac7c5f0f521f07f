import type { AtomicWrite, DocumentStore, Filter, Update } from "../document-store/port.ts";
import { computeAge } from "../channels/outbox.ts";
import type { KindDepth, TaskDepth, TaskFilter } from "./port.ts";
import { type Task, countDeaths, FREE, TASKS, toTask, type TaskDocument } from "./task.ts";

/** A task as its run knows it. */
export type TaskRunKey = Pick<TaskDocument, "_id" | "holder" | "enqueued">;

const LONGEST_PAUSE_MS = 60_000;

/** Reads and writes of the collection of tasks. @param onFreed called with the id of a task that must run again */
export function createTaskStore(documents: DocumentStore, onFreed: (id: string) => void) {
  const tasks = documents.collection<TaskDocument>(TASKS);

  const selectHeld = ({ _id, holder }: TaskRunKey): Filter => ({ _id, holder, state: "waiting" });
  /** Frees a task that was enqueued during the run, as `enqueue` left it. */
  const freeReenqueued = async (run: TaskRunKey): Promise<boolean> => {
    const { matched } = await tasks.updateOne(selectHeld(run), { $set: FREE, $unset: { progress: true } });
    if (matched > 0) onFreed(run._id);
    return matched > 0;
  };
  /** False if the run no longer holds the task. */
  const end = async (run: TaskRunKey, update: Update): Promise<boolean> => {
    const ended = await tasks.updateOne(
      { ...selectHeld(run), enqueued: run.enqueued },
      { ...update, $set: { ...update.$set, ...FREE } },
    );
    return ended.matched > 0 || freeReenqueued(run);
  };

  return {
    /** Tasks that can be taken, by `dueAt`: of any lane, of one, or (null) those without. */
    findDue: (kinds: readonly string[], limit: number, lane?: string | null): Promise<TaskDocument[]> => {
      const now = new Date();
      const laneFilter = lane === undefined ? {} : { lane };
      return tasks.find(
        { state: "waiting", kind: { $in: kinds }, ...laneFilter, dueAt: { $lte: now }, heldUntil: { $lte: now } },
        { sort: { dueAt: 1 }, limit },
      );
    },
    /** Returns the earliest task of the next lane; those without a lane come first. */
    findFirstOfNextLane: async (kind: string, after: string | undefined): Promise<TaskDocument | undefined> => {
      const next = after === undefined ? {} : { lane: { $gt: after } };
      const [first] = await tasks.find({ state: "waiting", kind, ...next }, { sort: { lane: 1, dueAt: 1 }, limit: 1 });
      return first;
    },
    /** Takes a task; null if another run was faster. */
    take: (_id: string, holder: string, leaseMs: number): Promise<TaskDocument | null> => {
      const now = new Date();
      return tasks.findOneAndUpdate(
        { _id, state: "waiting", dueAt: { $lte: now }, heldUntil: { $lte: now } },
        { $set: { holder, heldUntil: new Date(now.getTime() + leaseMs) }, $inc: { attempts: 1 } },
      );
    },
    createRenewal: (run: TaskRunKey, leaseMs: number, progress?: Record<string, unknown>): AtomicWrite => ({
      collection: TASKS,
      require: true,
      updateOne: {
        filter: selectHeld(run),
        update: {
          $set: {
            heldUntil: new Date(Date.now() + leaseMs),
            ...(progress === undefined ? {} : { progress, progressOf: run.enqueued }),
          },
        },
      },
    }),
    renew: async (run: TaskRunKey, leaseMs: number): Promise<boolean> =>
      (await tasks.updateOne(selectHeld(run), { $set: { heldUntil: new Date(Date.now() + leaseMs) } })).matched > 0,

    /** False, as for the next three, if the run no longer holds the task. */
    complete: async (run: TaskRunKey, keptMs?: number): Promise<boolean> => {
      if (keptMs !== undefined)
        return end(run, {
          $set: { state: "done", expiresAt: new Date(Date.now() + keptMs) },
          $unset: { reason: true },
        });
      const deleted = await tasks.deleteOne({ ...selectHeld(run), enqueued: run.enqueued });
      return deleted > 0 || freeReenqueued(run);
    },
    repeat: (run: TaskRunKey, reason: string, dueAt: Date): Promise<boolean> =>
      end(run, { $set: { reason, dueAt }, $inc: { failures: 1 } }),
    bury: (run: TaskRunKey, reason: string): Promise<boolean> =>
      end(run, { $set: { state: "dead", reason, diedAt: new Date() } }),
    /** Another process may take it at once; the run does not count. */
    handOn: (run: TaskRunKey): Promise<boolean> => end(run, { $inc: { attempts: -1 } }),

    /** Frees tasks held by any other runs: their process died. */
    freeOthers: async (runs: readonly string[]): Promise<void> => {
      for (const task of await tasks.find({ state: "waiting", heldUntil: { $gt: new Date() } })) {
        const { _id, holder } = task;
        if (runs.includes(holder)) continue;
        const pause = pauseAfter(countDeaths(task));
        await tasks.updateOne(
          { _id, holder },
          { $set: pause === 0 ? FREE : { ...FREE, dueAt: new Date(Date.now() + pause) } },
        );
      }
    },

    /** Lists tasks in the order of `dueAt`, also those without a handler. */
    list: async ({ kind, state, limit }: TaskFilter): Promise<Task[]> => {
      const filter = { ...(kind === undefined ? {} : { kind }), ...(state === undefined ? {} : { state }) };
      return (await tasks.find(filter, { sort: { dueAt: 1 }, limit })).map(toTask);
    },
    find: async (_id: string): Promise<Task | undefined> => {
      const document = await tasks.findOne({ _id });
      return document ? toTask(document) : undefined;
    },
    retry: async (_id: string): Promise<boolean> => {
      const now = new Date();
      const { matched } = await tasks.updateOne(
        { _id, state: { $in: ["waiting", "dead"] } },
        {
          $set: { state: "waiting", attempts: 0, failures: 0, wantedAt: now, dueAt: now },
          $unset: { reason: true, diedAt: true },
        },
      );
      return matched > 0;
    },
    drop: async (ids: readonly string[]): Promise<boolean> => (await tasks.deleteMany({ _id: { $in: ids } })) > 0,
    /** Counts the tasks of each kind in one query. */
    countDepths: async (): Promise<Map<string, KindDepth>> => {
      const now = new Date();
      const depths = new Map<string, KindDepth>();
      const counted = await tasks.countBy(
        { state: { $in: ["waiting", "dead"] } },
        ["kind", "state", "heldUntil"],
        "wantedAt",
      );
      for (const { values, count, earliest } of counted) {
        const [kind, state, heldUntil] = values as [string, TaskDocument["state"], Date];
        const depth = depths.get(kind) ?? { waiting: 0, dead: 0, oldestWaitMs: 0 };
        depths.set(kind, depth);
        if (state === "dead") depth.dead += count;
        else depth.waiting += count;
        if (state === "waiting" && heldUntil <= now)
          depth.oldestWaitMs = Math.max(depth.oldestWaitMs, computeAge(earliest));
      }
      return depths;
    },
    countDepth: async (): Promise<TaskDepth> => {
      const now = new Date();
      const waits: Filter = { state: "waiting" };
      const isDue = { ...waits, wantedAt: { $lte: now } };
      const overdue = { ...isDue, heldUntil: { $lte: now } };
      const [waiting, dueCount, dead, [oldest]] = await Promise.all([
        tasks.count(waits),
        tasks.count(isDue),
        tasks.count({ state: "dead" }),
        tasks.find(overdue, { sort: { wantedAt: 1 }, limit: 1 }),
      ]);
      return { waiting, due: dueCount, dead, oldestWaitMs: computeAge(oldest?.wantedAt) };
    },
  };
}

/** Pause after deaths, milliseconds: a process that is killed repeatedly must not count against the task. */
function pauseAfter(deaths: number): number {
  return deaths < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (deaths - 2));
}
