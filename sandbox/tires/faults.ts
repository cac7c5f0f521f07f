import type { Tire } from "./tires.ts";

/**
 * What goes wrong, and what its `value` means:
 * - `rate_limited`: 429; seconds of Retry-After, none sends no such header
 * - `error`: the status, 500 unless given
 * - `slow`: milliseconds to wait first
 * - `stall`: never an answer
 * - `not_json`: an answer cut off in the middle
 * - `malformed`: so many items of the page are broken, each in another way (1 unless given)
 * - `repeated`: so many items of the page before stand on this one too (1 unless given), and push its last ones off
 * - `total`: the total that is told
 * - `empty`: a page without items
 * - `discontinued`, `vanished`: so many items, from the first, are discontinued or not listed any more
 */
export const FAULT_KINDS = [
  "rate_limited", "error", "slow", "stall", "not_json", "malformed", "repeated", "total", "empty", "discontinued", "vanished",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** The page it strikes; null for every page. */
  page: number | null;
  value: number | null;
  /** How often it still strikes; null for ever. */
  times: number | null;
}

export type Faults = ReturnType<typeof createFaults>;

/** The faults that a test or an operator has asked for. They live in memory: a restart ends the bad day. */
export function createFaults() {
  let faults: Fault[] = [];
  return {
    list: (): readonly Fault[] => faults,
    add: (fault: Fault): void => void faults.push(fault),
    clear: (): void => void (faults = []),
    /** Every fault that a request for this page meets, counted as used. */
    strike(page: number): Fault[] {
      const struck = faults.filter((fault) => fault.page === null || fault.page === page);
      for (const fault of struck) if (fault.times !== null) fault.times -= 1;
      faults = faults.filter(({ times }) => times === null || times > 0);
      return struck;
    },
  };
}

/** Ways in which an item comes out of a supplier's system that nobody looks after. */
const BREAKS: readonly ((tire: Tire) => unknown)[] = [
  (tire) => ({ ...tire, price: "call us" }),
  (tire) => ({ ...tire, quantityOnHand: "plenty" }),
  (tire) => ({ ...tire, brand: undefined }),
  (tire) => ({ ...tire, description: "  " }),
  (tire) => ({ ...tire, category: "Tyres" }),
  (tire) => ({ ...tire, itemNumber: "---" }),
  (tire) => ({ ...tire, currency: "EUR" }),
  (tire) => ({ ...tire, images: "none" }),
  () => null,
  (tire) => tire.itemNumber,
];

export function breakItem(tire: Tire, nth: number): unknown {
  return BREAKS[nth % BREAKS.length]!(tire);
}
