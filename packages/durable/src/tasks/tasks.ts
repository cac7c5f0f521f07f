import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../document-store/port.ts";
import { waitAtMost } from "@partline/toolkit";
import {
  ACK_WAIT_MS,
  computeBackoffMs,
  DEATHS_FORGIVEN,
  DEFAULT_CONCURRENCY,
  DEFAULT_RETRIES,
  formatDiedReason,
  isLast,
  formatReason,
} from "../channels/redelivery.ts";
import { createTurns, POLL_MS } from "../channels/turns.ts";
import { holdLease } from "../lease.ts";
import type { TaskHandler } from "./port.ts";
import { createTaskStore } from "./task-store.ts";
import { countDeaths, type TaskDocument, getValidProgress } from "./task.ts";

export interface TasksDeps {
  documents: DocumentStore;
  /** Reports on the work on tasks; never has a payload. */
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

/** Tasks per look. If more are due, each kind and lane looks for its own: a long queue delays no other. */
const LOOKED_AT = 100;
/** Lanes of a kind per such a look; the next ones follow at once. */
const LANES_LOOKED_AT = 100;
/** Longest wait of a stop for aborted runs, milliseconds. */
const STOPS_WITHIN_MS = 10_000;

/** The tasks of a kind, or of one of its lanes, share places. */
interface Queue {
  kind: string;
  lane?: string;
  runs: Set<Promise<void>>;
  /** Due tasks for which there was no room, for a second: a run that ends spares a look at the store. */
  ahead: readonly TaskDocument[];
  aheadUntil: number;
  /** A task over which a process died is running. */
  hasSuspect: boolean;
}

/** Living runs by store: in an embedded store, all others are of a dead process. */
const living = new WeakMap<DocumentStore, Set<string>>();

export function createTasks({ documents, report, around: runAround, leaseMs = ACK_WAIT_MS }: TasksDeps) {
  /** Tasks that this process takes or runs. */
  const ownTasks = new Set<string>();
  /** Running tasks that were enqueued again meanwhile. */
  const enqueuedAgain = new Set<string>();
  const rows = createTaskStore(documents, (id) => enqueuedAgain.add(id));
  const handlers = new Map<string, TaskHandler>();
  const queues = new Map<string, Queue>();
  /** Functions that abort a task, by its id, for a drop or a stop. */
  const aborts = new Map<string, (reason: Error) => void>();
  /** Last lane that was looked at, by kind. */
  const lastLanes = new Map<string, string>();
  const alive = living.get(documents) ?? new Set();
  living.set(documents, alive);
  let leaving = false;

  const hasLanes = (kind: string): boolean => typeof handlers.get(kind)?.concurrency === "function";
  const getQueue = ({ kind, lane }: { kind: string; lane?: string }): Queue => {
    const isLane = lane !== undefined && hasLanes(kind);
    const name = isLane ? `${kind} ${lane}` : kind;
    const queue = queues.get(name) ?? {
      ...{ kind, runs: new Set<Promise<void>>(), ahead: [], aheadUntil: 0, hasSuspect: false },
      ...(isLane ? { lane } : {}),
    };
    queues.set(name, queue);
    return queue;
  };
  const countRoom = ({ kind, lane = "", runs }: Queue): number => {
    const { concurrency = DEFAULT_CONCURRENCY } = handlers.get(kind)!;
    return (typeof concurrency === "function" ? concurrency(lane) : concurrency) - runs.size;
  };

  const countOwnDeaths = (task: TaskDocument): number =>
    handlers.get(task.kind)!.maxRetries === Infinity ? 0 : countDeaths(task);

  const run = async (handler: TaskHandler, task: TaskDocument, takenAt: number): Promise<void> => {
    const { _id, payload } = task;
    const {
      held: lease,
      abort,
      stop,
    } = holdLease(
      { name: `task ${_id}`, forMs: leaseMs, onError: (error) => report.stuck(error) },
      () => rows.renew(task, leaseMs),
      takenAt + leaseMs,
    );
    aborts.set(_id, abort);
    if (leaving) abort(new Error("The process stops"));
    const ownRun = {
      ...lease,
      failures: task.failures,
      progress: getValidProgress(task),
      held: (progress?: Record<string, unknown>) => rows.createRenewal(task, leaseMs, progress),
    };
    try {
      const work = () => handler.run(payload, ownRun);
      await (runAround ? runAround(task, work) : work()).finally(stop);
    } catch (error) {
      // It does not count. The store takes nothing from a run that lost its task.
      if (lease.signal.aborted) await rows.handOn(task);
      else await fail(handler, task, error);
      return;
    } finally {
      if (aborts.get(_id) === abort) aborts.delete(_id);
    }
    if (await rows.complete(task, handler.keptMs)) report.ended(task, "done");
  };

  const fail = async (handler: TaskHandler, task: TaskDocument, error: unknown): Promise<void> => {
    const { maxRetries: retries = DEFAULT_RETRIES, pauseMs = computeBackoffMs } = handler;
    const failures = task.failures + 1;
    if (isLast({ attempts: failures, retries, error })) return bury(task, error);
    const pause = pauseMs(failures, error);
    if (!(await rows.repeat(task, formatReason(error), new Date(Date.now() + pause)))) return;
    setTimeout(() => turns.wake(), pause).unref();
    report.ended(task, "failed", error);
  };
  const bury = async (task: TaskDocument, error?: unknown): Promise<void> => {
    await handlers.get(task.kind)!.gaveUp?.(task.payload, error);
    const reason = error === undefined ? formatDiedReason("task") : formatReason(error);
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
      if (countOwnDeaths(task) - 1 > DEATHS_FORGIVEN) await bury(task);
      else await run(handler, task, takenAt);
    } finally {
      alive.delete(holder);
    }
  };
  /** Begins due tasks of a queue, and keeps those for which there is no room. */
  const begin = (queue: Queue, dueTasks: readonly TaskDocument[], until = Date.now() + POLL_MS): void => {
    const { kind, runs } = queue;
    const later: TaskDocument[] = [];
    queue.ahead = later;
    queue.aheadUntil = until;
    const { eager = Infinity } = handlers.get(kind)!;
    const sharedUntil = documents.backend === "embedded" ? Infinity : Date.now() - POLL_MS;
    for (const task of dueTasks) {
      if (ownTasks.has(task._id)) {
        enqueuedAgain.add(task._id);
        continue;
      }
      // One at a time, to find which of several tasks ends a process.
      const isSuspect = countOwnDeaths(task) > 0;
      if (isSuspect && queue.hasSuspect) continue;
      if (countRoom(queue) <= 0) {
        later.push(task);
        continue;
      }
      if (runs.size >= eager && task.dueAt.getTime() > sharedUntil) continue;
      if (isSuspect) queue.hasSuspect = true;
      ownTasks.add(task._id);
      const work = take(kind, task._id)
        .catch((error: unknown) => report.stuck(error))
        .finally(() => {
          if (isSuspect) queue.hasSuspect = false;
          ownTasks.delete(task._id);
          // Only then may a due task have been passed over, as another suspect or for lack of room.
          const isAwaited = isSuspect || countRoom(queue) <= 0 || runs.size >= eager;
          runs.delete(work);
          if (enqueuedAgain.delete(task._id) || isAwaited) turns.wake();
        });
      runs.add(work);
    }
  };
  const beginEach = (dueTasks: readonly TaskDocument[]): void => {
    for (const [queue, tasks] of Map.groupBy(dueTasks, getQueue)) begin(queue, tasks);
  };
  /** Looks at a kind's lanes one by one, from the one after those of the last look. */
  const lookAtLanes = async (kind: string): Promise<void> => {
    let last = lastLanes.get(kind);
    for (let lanes = 0; lanes < LANES_LOOKED_AT; lanes += 1) {
      const first = await rows.findFirstOfNextLane(kind, last);
      if (!first) {
        lastLanes.delete(kind);
        return;
      }
      last = first.lane ?? "";
      const queue = getQueue(first);
      if (first.dueAt <= new Date() && countRoom(queue) > 0)
        begin(queue, await rows.findDue([kind], LOOKED_AT, first.lane ?? null));
    }
    lastLanes.set(kind, last!);
    turns.wake();
  };
  const lookAt = async (kinds: readonly string[]): Promise<void> => {
    if (kinds.length === 0) return;
    const dueTasks = await rows.findDue(kinds, LOOKED_AT);
    if (dueTasks.length < LOOKED_AT) {
      beginEach(dueTasks);
      return;
    }
    const [withLanes, withoutLanes] = [kinds.filter(hasLanes), kinds.filter((kind) => !hasLanes(kind))];
    if (withLanes.length > 0) await lookAt(withoutLanes);
    else for (const kind of withoutLanes) begin(getQueue({ kind }), await rows.findDue([kind], LOOKED_AT));
    for (const kind of withLanes) await lookAtLanes(kind);
  };
  const look = async (): Promise<void> => {
    for (const [name, queue] of queues) {
      if (queue.aheadUntil <= Date.now()) queue.ahead = [];
      else if (countRoom(queue) > 0) begin(queue, queue.ahead, queue.aheadUntil);
      if (queue.runs.size === 0 && queue.ahead.length === 0) queues.delete(name);
    }
    await lookAt([...handlers.keys()].filter((kind) => hasLanes(kind) || countRoom(getQueue({ kind })) > 0));
  };
  const turns = createTurns(look, (error) => report.stuck(error));

  return {
    handle: (kind: string, handler: TaskHandler): void => {
      handlers.set(kind, handler);
      turns.wake();
    },
    start: async (): Promise<void> => {
      leaving = false;
      if (documents.backend === "embedded") await rows.freeOthers([...alive]);
      turns.start();
    },
    /** Aborts what runs, waits for its end (10 s at most) and hands it to other processes. */
    stop: async (): Promise<void> => {
      leaving = true;
      await turns.stop();
      for (const abort of aborts.values()) abort(new Error("The process stops"));
      await waitAtMost(Promise.all([...queues.values()].flatMap(({ runs }) => [...runs])), STOPS_WITHIN_MS);
    },
    /** Hints at a new task; otherwise the store is looked at once a second. */
    wake: turns.wake,
    list: rows.list,
    find: rows.find,
    depth: rows.countDepth,
    depths: rows.countDepths,
    /** Makes a waiting or dead task due now, with its attempts counted from zero; false if there is none. */
    retry: async (id: string): Promise<boolean> => {
      const isFound = await rows.retry(id);
      turns.wake();
      return isFound;
    },
    /** Deletes tasks and aborts their runs, in other processes within 5 s. False if there is none. */
    drop: async (...ids: string[]): Promise<boolean> => {
      const dropped = await rows.drop(ids);
      for (const id of ids) aborts.get(id)?.(new Error("The task was dropped"));
      return dropped;
    },
    /** Kinds with a handler in this process. */
    kinds: (): readonly string[] => [...handlers.keys()],
  };
}

/** The tasks of one process. */
export type Tasks = ReturnType<typeof createTasks>;
