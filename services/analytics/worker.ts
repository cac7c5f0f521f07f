import type { Leases } from "../../broker/lease.ts";

const LEASE = "analytics.projections";
const LEASE_MS = 10_000;
/** Wakes are hints that may be lost. */
const POLL_MS = 2_000;
const AFTER_FAILURE_MS = 2_000;

interface WorkerDeps {
  leases: Leases;
  /** This process, among those that share the store. */
  holder: string;
  /** Returns whether there was anything to do. */
  turn: () => Promise<boolean>;
  logger: { info(message: string): void; warn(message: string, error: unknown): void };
}

export type Worker = ReturnType<typeof startWorker>;

/** Takes turns, in one process of the cluster at a time, until stopped. */
export function startWorker({ leases, holder, turn, logger }: WorkerDeps) {
  let isStopping = false;
  let isFailing = false;
  let isAwake = false;
  let interrupt: (() => void) | undefined;

  const pause = (milliseconds: number): Promise<void> => {
    if (isStopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(end, milliseconds);
      timer.unref();
      interrupt = end;
      function end(): void {
        clearTimeout(timer);
        interrupt = undefined;
        resolve();
      }
    });
  };
  const takeTurns = (): Promise<void> =>
    leases.during(
      {
        name: LEASE,
        holder,
        forMs: LEASE_MS,
        onError: (error) => logger.warn("The lease of the projections could not be renewed", error),
      },
      async (held) => {
        while (!isStopping) {
          await held.confirm();
          isAwake = false;
          const hasWorked = await turn();
          if (isFailing) logger.info("Events are counted again");
          isFailing = false;
          if (!hasWorked && !isAwake) await pause(POLL_MS);
        }
      },
    );
  const work = async (): Promise<void> => {
    while (!isStopping) {
      try {
        if (await leases.acquire(LEASE, holder, LEASE_MS)) await takeTurns();
        else await pause(POLL_MS);
      } catch (error) {
        // While the process stops, the event store may be gone already.
        if (!isFailing && !isStopping) logger.warn("Events cannot be counted, it is tried again", error);
        isFailing = true;
        await pause(AFTER_FAILURE_MS);
      }
    }
  };
  const working = work();

  return {
    wake: (): void => {
      isAwake = true;
      interrupt?.();
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      interrupt?.();
      await working;
    },
  };
}
