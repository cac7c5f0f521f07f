import type { DatedIndexes } from "./dated-indexes.ts";

/**
 * How often a build says that it is alive, and after how long a silence it counts as left behind by a process that
 * died.
 */
export const BEAT_MS = 15_000;
const SILENCE_MS = 120_000;
/** A build that lives says so between two looks, whatever kept it from that before the first. */
const LOOK_MS = 2 * BEAT_MS;

/**
 * What builds left behind: those of processes that were killed, and those that could not be taken away. Each process
 * looks for them as long as it runs: one that starts soon after a kill cannot tell yet whether the builder lives, and
 * no other may ever start.
 */
export class Leftovers {
  readonly #indexes: DatedIndexes;
  /** At the last look. */
  #silent: ReadonlySet<string> = new Set();

  constructor(indexes: DatedIndexes) {
    this.#indexes = indexes;
  }

  /**
   * Takes away what is silent, and was at the look before: while the server was gone, nobody could say anything. So no
   * look may follow another sooner than a beat.
   */
  async look(): Promise<void> {
    const before = this.#silent;
    this.#silent = new Set();
    const oldest = Date.now() - SILENCE_MS;
    const silent = (await this.#indexes.list())
      .filter(({ isBuilding, heartbeat }) => isBuilding && (heartbeat?.getTime() ?? 0) < oldest)
      .map(({ name }) => name);
    this.#silent = new Set(silent);
    await this.#indexes.withdraw(silent.filter((name) => before.has(name)));
  }
}

export interface Looking {
  stop(): Promise<void>;
}

/** Looks at intervals until it is stopped. */
export function lookForLeftovers(indexes: DatedIndexes, everyMs = LOOK_MS): Looking {
  const leftovers = new Leftovers(indexes);
  let isStopped = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      // One that fails is made up for by the next.
      running = leftovers
        .look()
        .catch(() => undefined)
        .then(wait);
    }, everyMs);
    timer.unref();
  };
  wait();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
