import type { DatedIndexes } from "./dated-indexes.ts";

/** How often a builder reports that it is alive, and the silence after which its build is left behind. */
export const BEAT_MS = 15_000;
const SILENCE_MS = 120_000;
/** A live builder reports between two looks, even if it was held up before the first. */
const LOOK_MS = 2 * BEAT_MS;

/**
 * Finds builds that died or could not be removed. Every process looks as long as it runs: at a start after a crash it
 * is too early to say whether the builder lives, and no other start may follow.
 */
export class Leftovers {
  readonly #indexes: DatedIndexes;
  /** Of the last look. */
  #silent: ReadonlySet<string> = new Set();

  constructor(indexes: DatedIndexes) {
    this.#indexes = indexes;
  }

  /**
   * Removes builds that are silent now and were at the look before: while the server was down, no builder could
   * report. Two looks must be at least a beat apart.
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

/** Looks at intervals until stopped. */
export function lookForLeftovers(indexes: DatedIndexes, everyMs = LOOK_MS): Looking {
  const leftovers = new Leftovers(indexes);
  let isStopped = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      // The next look makes up for one that fails.
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
