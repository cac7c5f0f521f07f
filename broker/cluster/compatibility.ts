/** What a version speaks with others, and writes for them: contracts, packets, events, documents. */
export interface Speech {
  /**
   * Raised by each release that changes any of it; `test/unit/spoken.test.ts` notices where contracts, events or
   * packets have changed.
   */
  number: number;
  /**
   * The lowest number that can run beside this one and over what it writes; raised to `number` where an old node would
   * misread it. What older ones wrote each one reads.
   */
  oldest: number;
}

/**
 * 2: who takes a stream tells what it took (`stream.taken`), without which its sender gives up; `catalog.changes`
 * answers less, `catalog.learn` takes less.
 */
export const COMPATIBILITY: Speech = { number: 2, oldest: 2 };

/** Whether nodes of both can be one system, which a rolling upgrade makes of them for a while. */
export function fit(one: Speech, other: Speech): boolean {
  return one.number >= other.oldest && other.number >= one.oldest;
}
