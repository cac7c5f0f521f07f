import { startPeriodic, type Periodic } from "../../broker/periodic.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import type { Projector } from "./projector.ts";

/** Wakes are hints that may be lost. */
const POLL_MS = 2_000;
const LEASE_MS = 10_000;
/** Longest run under one lease; more follows at once. */
const RUN_MS = 5_000;

interface WorkerDeps {
  documents: DocumentStore;
  holder: string;
  projector: Pick<Projector, "isBehind" | "turn">;
  logger: { info(message: string): void; warn(message: string, error: unknown): void };
}

/** Counts events, in one process at a time, until stopped. */
export function startWorker({ documents, holder, projector, logger }: WorkerDeps): Periodic {
  let isStopping = false;
  let isFailing = false;
  const run = async (): Promise<void> => {
    const until = performance.now() + RUN_MS;
    while (!isStopping && performance.now() < until) {
      const hasWorked = await projector.turn();
      if (isFailing) logger.info("Events are counted again");
      isFailing = false;
      if (!hasWorked) return;
    }
    worker.wake();
  };
  const onError = (_task: string, error: unknown): void => {
    // While the process stops, the event store may be gone already.
    if (!isFailing && !isStopping) logger.warn("Events cannot be counted, it is tried again", error);
    isFailing = true;
  };
  const worker = startPeriodic(
    { name: "analytics.projections", everyMs: POLL_MS, leaseMs: LEASE_MS, isNeeded: projector.isBehind, run },
    { documents, holder, onError },
  );
  return {
    wake: () => worker.wake(),
    stop: () => {
      isStopping = true;
      return worker.stop();
    },
  };
}
