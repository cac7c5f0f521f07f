/** What a version speaks with others, and writes for them: contracts, packets, events, documents. */
export interface Speech {
  /** Raised by each release that changes any of it. */
  number: number;
  /** The lowest number that can run beside this one and over what it writes; raised to `number` where an old node would misread it. What older ones wrote each one reads. */
  oldest: number;
}

export const COMPATIBILITY: Speech = { number: 1, oldest: 1 };

/** Whether nodes of both can be one system, which a rolling upgrade makes of them for a while. */
export function fit(one: Speech, other: Speech): boolean {
  return one.number >= other.oldest && other.number >= one.oldest;
}
