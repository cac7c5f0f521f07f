/**
 * Durable tasks: work for one process that a crash does not lose. `enqueue` writes a task in the same atomic batch as
 * the state that makes it due; a process with a handler of its kind runs it under a lease. Promises of every store: a
 * task runs at least once after each `enqueue`, not before its `dueAt`, begun in the order of `dueAt` within its kind;
 * two runs of one key never overlap while the lease holds. A kind whose handler gives places by lane has a queue for
 * each lane: order and places are those of the lane, and a long lane delays no other. A dead process's lease runs out
 * after 15 s; over an embedded store the next start takes its tasks at once. A run that throws is repeated after a
 * growing pause; after `maxRetries` the task is dead, and listed with the dead letters. A run whose process died is no
 * failure but may be the cause: such tasks of a kind run one at a time in a process, over an embedded store after a
 * growing pause from the second death on; the sixth death is the last. Events for several services use the channels
 * (packages/durable/src/channels/).
 */
import type { AtomicWrite } from "../document-store/port.ts";
import type { HeldLease } from "../lease.ts";

/** A run. `signal` is aborted when the lease is lost, the task is dropped or the process stops. */
export interface TaskRun extends HeldLease {
  /** Failed runs before this one. */
  failures: number;
  /** Progress that an earlier run stored last. */
  progress: Record<string, unknown> | undefined;
  /**
   * Returns a write for the handler's own atomic batches: the batch fails (CONDITION_FAILED) once the lease is lost. It
   * renews the lease and keeps `progress`, if given, for `tasks show` and the next run.
   */
  held(progress?: Record<string, unknown>): AtomicWrite;
}

export interface TaskHandler<P = Record<string, unknown>> {
  /**
   * Failed runs after the first before the task is dead; 22 unless given. Infinity if the handler decides, by
   * `GivenUp`; then deaths do not count either.
   */
  maxRetries?: number;
  /** Pause after a failed run, milliseconds, by their number; unless given, 100 ms doubled up to 60 s. */
  pauseMs?: (failures: number, error: unknown) => number;
  /** Runs at once in this process, or in each lane of it; 8 unless given. */
  concurrency?: number | ((lane: string) => number);
  /**
   * Runs beyond this number take only tasks due for a second: over a shared store, less busy processes have looked by
   * then. No bound unless given.
   */
  eager?: number;
  /** Milliseconds that a finished task can be looked up; it is deleted at once unless given. */
  keptMs?: number;
  /**
   * Resolves when the effect is durable; must be harmless to repeat, for example after a crash. Throws if its `signal`
   * is aborted first.
   */
  run(payload: P, task: TaskRun): Promise<void>;
  /**
   * Informs the task's dependents that it is given up; the task is dead once this resolves. Must be harmless to repeat.
   * @param error of the last run; undefined if its processes died
   */
  gaveUp?(payload: P, error: unknown): Promise<void>;
}

export interface TaskDepth {
  /** Waiting tasks, including running ones. */
  waiting: number;
  /** Tasks among them that are due, also if they pause after a failure. */
  due: number;
  /** How long the oldest due task waits for a successful run, milliseconds; 0 without one. */
  oldestWaitMs: number;
  dead: number;
}

/** Depth of a kind. */
export type KindDepth = Omit<TaskDepth, "due">;

export interface TaskFilter {
  kind?: string;
  state?: "waiting" | "dead";
  limit: number;
}
