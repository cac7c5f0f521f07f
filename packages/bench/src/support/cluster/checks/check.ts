import type { FinalState } from "../final-state.ts";
import type { Operation } from "../history.ts";

/** Something that must not be. */
export interface Violation {
  check: string;
  /** The subject: an order, a cart, an event. */
  about: string;
  message: string;
}

/**
 * What a history and the state after it must have in common. An operation with the answer `unknown` may have been done,
 * and none twice.
 */
export type Check = (operations: readonly Operation[], final: FinalState) => Violation[];

/** Groups by a key, in the order they came. */
export function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  return Map.groupBy(values, key);
}

/** Lists what is there more than once. */
export function repeated<T>(values: readonly T[], key: (value: T) => string): [key: string, times: number][] {
  return [...groupBy(values, key)].flatMap(([name, same]) =>
    same.length > 1 ? [[name, same.length] as [string, number]] : [],
  );
}
