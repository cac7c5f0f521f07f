/**
 * Durable tasks: work that one process does and that a crash does not lose. `enqueue` writes a task in the same atomic
 * batch as the state that makes it due; a process that has a handler of its kind runs it under a lease.
 *
 * Promises, the same on every store: a task runs at least once after each `enqueue`, no earlier than its `dueAt`, and
 * a kind's tasks are begun in the order of their `dueAt`; two runs of one key never overlap while the lease holds. The
 * lease of a process that died runs out after 15 s; over an embedded store the next start takes its tasks at once. A
 * run that throws is repeated after a growing pause; after `maxRetries` the task is dead, and listed with the dead
 * letters. A run whose process died is no failure, but may be what ended it: such tasks of a kind run one at a time in
 * a process, over an embedded store after a growing pause from the second death on, and the sixth death is the last.
 * An event for several services goes through the channels (broker/channels/).
 */
import type { AtomicWrite } from "../../mixins/document-store/port.ts";
import type { Held } from "../lease.ts";

/** A run of a task. `signal` is aborted when the lease is lost, the task is dropped or the process stops. */
export interface TaskRun extends Held {
  /** What an earlier run of this task kept last. */
  progress: Record<string, unknown> | undefined;
  /**
   * Returns a write for the handler's own atomic batches: it makes the batch fail (CONDITION_FAILED) once the lease is
   * lost, renews the lease, and keeps `progress`, if given, for `tasks show` and the next run.
   */
  held(progress?: Record<string, unknown>): AtomicWrite;
}

export interface TaskHandler<P = Record<string, unknown>> {
  /**
   * Failed runs after the first before the task is dead; 22 unless given. Infinity if the handler decides, by
   * `GivenUp`: deaths of its processes do not count either.
   */
  maxRetries?: number;
  /** Pause after a failed run, milliseconds, by the number of those so far; unless given, 100 ms doubled up to 60 s. */
  pauseMs?: (failures: number) => number;
  /** Tasks of the kind that run at once in this process; 8 unless given. */
  concurrency?: number;
  /**
   * Of those, runs beyond this are of tasks alone that have been due for a second: over a shared store, processes that
   * have less to do have looked by then. All of them unless given.
   */
  eager?: number;
  /** Time for which a task that is done can still be looked up, milliseconds; it is deleted at once unless given. */
  keptMs?: number;
  /**
   * Resolves when the effect is durable. It must be harmless to repeat: after a crash it is. A run whose `signal` is
   * aborted before that throws.
   */
  run(payload: P, task: TaskRun): Promise<void>;
  /**
   * Tells what waits for the task that it is given up; until this resolves, the task is not dead but taken again. It
   * must be harmless to repeat.
   * @param error of the last run; undefined where its processes died
   */
  gaveUp?(payload: P, error: unknown): Promise<void>;
}

/** What a service's schema holds under `tasks`. */
export type TaskHandlers = Record<string, TaskHandler>;

/** `held`: a process runs it. `waiting`: until `dueAt`, or for a free place. */
export type TaskState = "waiting" | "held" | "dead" | "done";

export interface Task {
  id: string;
  kind: string;
  key: string;
  state: TaskState;
  payload: Record<string, unknown>;
  progress?: Record<string, unknown>;
  /** Runs since it was enqueued or retried, those included whose process died. */
  attempts: number;
  dueAt: Date;
  /** Of the last run that failed. */
  reason?: string;
  diedAt?: Date;
}

export interface TaskDepth {
  /** Those that are held included. */
  waiting: number;
  /** How long the oldest task that is due waits for a run that succeeds, milliseconds; 0 if none does. */
  oldestWaitMs: number;
  dead: number;
}

export interface TaskFilter {
  kind?: string;
  state?: "waiting" | "dead";
  limit: number;
}

export interface Tasks {
  /** Registers the handler of a kind in this process. */
  handle(kind: string, handler: TaskHandler): void;
  /** Begins to take tasks that are due. */
  start(): Promise<void>;
  /** Aborts what runs, waits until it has ended (10 s at most) and gives it to other processes. */
  stop(): Promise<void>;
  /** A hint that a task was enqueued; without it, the store is looked at once a second. */
  wake(): void;
  /** In the order of `dueAt`, those included that no process has a handler for. */
  list(filter: TaskFilter): Promise<Task[]>;
  find(id: string): Promise<Task | undefined>;
  /** Makes a task that waits or is dead due now, with its attempts counted from zero; false if there is none. */
  retry(id: string): Promise<boolean>;
  /** Deletes tasks; a run of them is aborted, in other processes within 5 s. False if there is none. */
  drop(...ids: string[]): Promise<boolean>;
  /** Of a kind, or of all. */
  depth(kind?: string): Promise<TaskDepth>;
  /** Kinds that this process has a handler for. */
  kinds(): readonly string[];
}
