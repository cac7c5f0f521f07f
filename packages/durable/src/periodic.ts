import type { DocumentStore } from "./document-store/port.ts";
import { createTurns, type Turns } from "./channels/turns.ts";
import { createLeases } from "./lease.ts";

export interface PeriodicTask {
  /** Name of the work and of its lease: one process in the cluster runs it at a time. */
  name: string;
  everyMs: number;
  /** Longest run; after it another process may take over, so `run` must be harmless to repeat. */
  leaseMs?: number;
  /** Checks before each run, whose lease costs three writes, whether it is needed. */
  isNeeded?: () => Promise<boolean>;
  run: () => Promise<void>;
}

interface PeriodicDeps {
  documents: DocumentStore;
  /** Holder: this process. */
  holder: string;
  onError: (task: string, error: unknown) => void;
  /** The first run waits for it. */
  after?: Promise<void>;
}

export type Periodic = Pick<Turns, "wake" | "stop">;

/**
 * Runs a task at once and then at an interval, under a lease in the document store, until stopped. A failed run is
 * reported and tried again at the next turn.
 */
export function startPeriodic(task: PeriodicTask, { documents, holder, onError, after }: PeriodicDeps): Periodic {
  const { name, everyMs, leaseMs = Math.max(30_000, everyMs) } = task;
  const leases = createLeases(documents);
  const run = async (): Promise<void> => {
    if (task.isNeeded && !(await task.isNeeded())) return;
    if (!(await leases.acquire(name, holder, leaseMs))) return;
    try {
      await task.run();
    } finally {
      // Also after a failure: another process may succeed.
      await leases.release(name, holder);
    }
  };
  const turns = createTurns(run, (error) => onError(name, error), everyMs);
  if (!after) {
    turns.start();
    return turns;
  }
  let isStopped = false;
  void after.then(() => isStopped || turns.start());
  return {
    wake: turns.wake,
    stop: () => {
      isStopped = true;
      return turns.stop();
    },
  };
}
