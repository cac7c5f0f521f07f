import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { inTime } from "../../mixins/within-time.ts";
import {
  ACK_WAIT_MS,
  backoffMs,
  DEATHS_FORGIVEN,
  DEFAULT_CONCURRENCY,
  DEFAULT_RETRIES,
  diedReason,
  isLast,
  reasonOf,
} from "../channels/redelivery.ts";
import { createTurns, POLL_MS } from "../channels/turns.ts";
import { holding } from "../lease.ts";
import type { TaskHandler } from "./port.ts";
import { createTaskStore } from "./task-store.ts";
import { deathsOf, type TaskDocument, validProgress } from "./task.ts";

export interface TasksDeps {
  documents: DocumentStore;
  /** Of the work on tasks; never a payload. */
  report: {
    /** The store failed; it is tried again. */
    stuck(error: unknown): void;
    ended(
      task: Pick<TaskDocument, "kind" | "key" | "attempts">,
      outcome: "done" | "failed" | "dead",
      error?: unknown,
    ): void;
  };
  /** Wraps a run, in the scope of the request that enqueued the task. */
  around?: (task: TaskDocument, run: () => Promise<void>) => Promise<void>;
  /** Renewed after each third; 15 s unless given. */
  leaseMs?: number;
}

/** Tasks per look. If more are due, each kind looks for its own: a long queue delays no other kind. */
const LOOKED_AT = 100;
/** Longest wait of a stop for aborted runs, milliseconds. */
const STOPS_WITHIN_MS = 10_000;

/** Living runs by store: in an embedded store, all others are of a dead process. */
const living = new WeakMap<DocumentStore, Set<string>>();

export function createTasks({ documents, report, around, leaseMs = ACK_WAIT_MS }: TasksDeps) {
  /** Tasks that this process takes or runs. */
  const underWay = new Set<string>();
  /** Of those, tasks that were enqueued again meanwhile. */
  const again = new Set<string>();
  const rows = createTaskStore(documents, (id) => again.add(id));
  const handlers = new Map<string, TaskHandler>();
  /** Runs under way, by kind. */
  const running = new Map<string, Set<Promise<void>>>();
  /** By task id, for a drop or a stop. */
  const aborts = new Map<string, (reason: Error) => void>();
  /** Due tasks by kind for which there was no room, for a second: a run that ends spares a look at the store. */
  const ahead = new Map<string, { due: readonly TaskDocument[]; until: number }>();
  /** Kinds with a running task over which a process died. */
  const suspected = new Set<string>();
  const alive = living.get(documents) ?? new Set();
  living.set(documents, alive);
  let leaving = false;

  const room = (kind: string): number =>
    (handlers.get(kind)!.concurrency ?? DEFAULT_CONCURRENCY) - (running.get(kind)?.size ?? 0);

  const deaths = (task: TaskDocument): number =>
    handlers.get(task.kind)!.maxRetries === Infinity ? 0 : deathsOf(task);

  const run = async (handler: TaskHandler, task: TaskDocument, takenAt: number): Promise<void> => {
    const { _id, payload } = task;
    const { held, abort, stop } = holding(
      { name: `task ${_id}`, forMs: leaseMs, onError: (error) => report.stuck(error) },
      () => rows.renew(task, leaseMs),
      takenAt + leaseMs,
    );
    aborts.set(_id, abort);
    if (leaving) abort(new Error("The process stops"));
    const own = {
      ...held,
      progress: validProgress(task),
      held: (kept?: Record<string, unknown>) => rows.renewal(task, leaseMs, kept),
    };
    try {
      const work = () => handler.run(payload, own);
      await (around ? around(task, work) : work()).finally(stop);
    } catch (error) {
      // It does not count. The store takes nothing from a run that lost its task.
      if (held.signal.aborted) await rows.handOn(task);
      else await fail(handler, task, error);
      return;
    } finally {
      if (aborts.get(_id) === abort) aborts.delete(_id);
    }
    if (await rows.done(task, handler.keptMs)) report.ended(task, "done");
  };

  const fail = async (handler: TaskHandler, task: TaskDocument, error: unknown): Promise<void> => {
    const { maxRetries: retries = DEFAULT_RETRIES, pauseMs = backoffMs } = handler;
    const failures = task.failures + 1;
    if (isLast({ attempts: failures, retries, error })) return bury(task, error);
    const pause = pauseMs(failures);
    if (!(await rows.repeat(task, reasonOf(error), new Date(Date.now() + pause)))) return;
    setTimeout(() => turns.wake(), pause).unref();
    report.ended(task, "failed", error);
  };
  const bury = async (task: TaskDocument, error?: unknown): Promise<void> => {
    await handlers.get(task.kind)!.gaveUp?.(task.payload, error);
    const reason = error === undefined ? diedReason("task") : reasonOf(error);
    if (await rows.bury(task, reason)) report.ended(task, "dead", reason);
  };

  const take = async (kind: string, id: string): Promise<void> => {
    const handler = handlers.get(kind)!;
    const holder = randomUUID();
    const takenAt = performance.now();
    alive.add(holder);
    try {
      const task = await rows.take(id, holder, leaseMs);
      if (!task) return;
      // `take` has counted this attempt, which has not begun; it is not a death.
      if (deaths(task) - 1 > DEATHS_FORGIVEN) await bury(task);
      else await run(handler, task, takenAt);
    } finally {
      alive.delete(holder);
    }
  };
  /** Begins due tasks of a kind, and keeps those for which there is no room. */
  const begin = (kind: string, due: readonly TaskDocument[], until = Date.now() + POLL_MS): void => {
    const later: TaskDocument[] = [];
    ahead.set(kind, { due: later, until });
    const runs = running.get(kind) ?? new Set();
    running.set(kind, runs);
    const { eager = Infinity } = handlers.get(kind)!;
    const sharedUntil = documents.backend === "embedded" ? Infinity : Date.now() - POLL_MS;
    for (const task of due) {
      if (underWay.has(task._id)) {
        again.add(task._id);
        continue;
      }
      // One at a time, to find which of several tasks ends a process.
      const isSuspect = deaths(task) > 0;
      if (isSuspect && suspected.has(kind)) continue;
      if (room(kind) <= 0) {
        later.push(task);
        continue;
      }
      if (runs.size >= eager && task.dueAt.getTime() > sharedUntil) continue;
      if (isSuspect) suspected.add(kind);
      underWay.add(task._id);
      const work = take(kind, task._id)
        .catch((error: unknown) => report.stuck(error))
        .finally(() => {
          if (isSuspect) suspected.delete(kind);
          underWay.delete(task._id);
          // Only then may a due task have been passed over, as another suspect or for lack of room.
          const isAwaited = isSuspect || room(kind) <= 0 || runs.size >= eager;
          runs.delete(work);
          if (again.delete(task._id) || isAwaited) turns.wake();
        });
      runs.add(work);
    }
  };
  const look = async (): Promise<void> => {
    for (const [kind, { due, until }] of ahead) if (room(kind) > 0 && until > Date.now()) begin(kind, due, until);
    const kinds = [...handlers.keys()].filter((kind) => room(kind) > 0);
    if (kinds.length === 0) return;
    const due = await rows.due(kinds, LOOKED_AT);
    for (const kind of kinds)
      begin(
        kind,
        due.length < LOOKED_AT ? due.filter((task) => task.kind === kind) : await rows.due([kind], LOOKED_AT),
      );
  };
  const turns = createTurns(look, (error) => report.stuck(error));

  return {
    handle: (kind: string, handler: TaskHandler): void => {
      handlers.set(kind, handler);
      turns.wake();
    },
    start: async (): Promise<void> => {
      leaving = false;
      if (documents.backend === "embedded") await rows.freeAllBut([...alive]);
      turns.start();
    },
    /** Aborts what runs, waits for its end (10 s at most) and hands it to other processes. */
    stop: async (): Promise<void> => {
      leaving = true;
      await turns.stop();
      for (const abort of aborts.values()) abort(new Error("The process stops"));
      await inTime(Promise.all([...running.values()].flatMap((runs) => [...runs])), STOPS_WITHIN_MS);
    },
    /** Hints at a new task; otherwise the store is looked at once a second. */
    wake: turns.wake,
    list: rows.list,
    find: rows.find,
    depth: rows.depth,
    /** Makes a waiting or dead task due now, with its attempts counted from zero; false if there is none. */
    retry: async (id: string): Promise<boolean> => {
      const found = await rows.retry(id);
      turns.wake();
      return found;
    },
    /** Deletes tasks and aborts their runs, in other processes within 5 s. False if there is none. */
    drop: async (...ids: string[]): Promise<boolean> => {
      const found = await rows.drop(ids);
      for (const id of ids) aborts.get(id)?.(new Error("The task was dropped"));
      return found;
    },
    /** Kinds with a handler in this process. */
    kinds: (): readonly string[] => [...handlers.keys()],
  };
}
