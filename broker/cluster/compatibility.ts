/** File in DATA_DIR with the directory's own id. */
export const IDENTITY_FILE = "identity";

/** A version's protocol with other nodes: contracts, packets, events, documents. */
export interface Speech {
  /** Raised by each release that changes any of it; `test/unit/spoken.test.ts` notices changes. */
  number: number;
  /**
   * Lowest number that can run beside this one and over what it writes; raised to `number` if an old node would misread
   * it. Every version reads what older ones wrote.
   */
  oldest: number;
}

/** 3: order.created carries data of a person, which an older event store would record. */
export const COMPATIBILITY: Speech = { number: 3, oldest: 3 };

/** Returns whether nodes of both can be one system, as during a rolling upgrade. */
export function isCompatible(first: Speech, second: Speech): boolean {
  return first.number >= second.oldest && second.number >= first.oldest;
}
