import type { DocumentStore } from "../mixins/document-store/port.ts";
import { createLeases } from "./lease.ts";

export interface PeriodicTask {
  /** Also the name of its lease: one process in the cluster runs it at a time. */
  name: string;
  everyMs: number;
  /** Longest run; after it another process may take over, so `run` must be harmless to repeat. */
  leaseMs?: number;
  /** Asked before each run, whose lease costs three writes. */
  isNeeded?: () => Promise<boolean>;
  run: () => Promise<void>;
}

interface PeriodicDeps {
  documents: DocumentStore;
  /** This process. */
  holder: string;
  onError: (task: string, error: unknown) => void;
}

/**
 * Runs a task at once and then at an interval, under a lease in the document store, until stopped. A failed run is
 * reported and tried again at the next turn.
 */
export function startPeriodic(
  task: PeriodicTask,
  { documents, holder, onError }: PeriodicDeps,
): { stop(): Promise<void> } {
  const leaseMs = task.leaseMs ?? Math.max(30_000, task.everyMs);
  const leases = createLeases(documents);
  let running = Promise.resolve();
  const turn = async (): Promise<void> => {
    try {
      if (task.isNeeded && !(await task.isNeeded())) return;
      if (!(await leases.acquire(task.name, holder, leaseMs))) return;
      try {
        await task.run();
      } finally {
        // Also after a failure: another process may succeed.
        await leases.release(task.name, holder);
      }
    } catch (error) {
      onError(task.name, error);
    }
  };
  let busy = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    running = turn().finally(() => {
      busy = false;
    });
  };
  const timer = setInterval(tick, task.everyMs);
  timer.unref();
  tick();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
