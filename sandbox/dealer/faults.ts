import type { Fault } from "../faults/switches.ts";
import type { InventoryPart } from "./inventory.ts";

/**
 * What goes wrong, and what its `value` means:
 * - `rate_limited`: 429; seconds of Retry-After, none sends no such header
 * - `error`: the status, 500 unless given
 * - `slow`: milliseconds to wait first
 * - `stall`: never an answer
 * - `key_refused`: 401, whatever the key
 * - `not_json`: an answer cut off in the middle
 * - `malformed`: so many rows, from the first, are broken, each in another way (1 unless given)
 * - `missing`: so many rows, from the first, are left out (1 unless given)
 * - `repeated`: so many rows, from the first, stand there twice (1 unless given)
 * - `contradicted`: the same, and the second time with another price
 * - `reversed`: the rows in reverse order
 */
export const FAULT_KINDS = [
  "rate_limited",
  "error",
  "slow",
  "stall",
  "key_refused",
  "not_json",
  "malformed",
  "missing",
  "repeated",
  "contradicted",
  "reversed",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Ways in which a row comes out of a system that nobody looks after. */
const BREAKS: readonly ((part: InventoryPart) => unknown)[] = [
  (part) => ({ ...part, Price: -1 }),
  (part) => ({ ...part, Price: "12.50" }),
  (part) => ({ ...part, Price: null }),
  (part) => ({ ...part, Price: 12.345 }),
  (part) => ({ ...part, Available: "Y" }),
  (part) => ({ ...part, QtyOnHand: null }),
  ({ ManufacturerCode, PartNumber }) => ({ ManufacturerCode, PartNumber }),
];

/** The rows as the faults make them. */
export function spoil(rows: readonly InventoryPart[], faults: readonly Fault<FaultKind>[]): unknown[] {
  const count = (kind: FaultKind): number => {
    const fault = faults.find((candidate) => candidate.kind === kind);
    return fault ? (fault.value ?? 1) : 0;
  };
  const told = rows.slice(count("missing"));
  const broken = told.map((part, index) => (index < count("malformed") ? BREAKS[index % BREAKS.length]!(part) : part));
  const contradictions = told.slice(0, count("contradicted")).map((part) => ({ ...part, Price: part.Price + 1 }));
  const all = [...broken, ...told.slice(0, count("repeated")), ...contradictions];
  return faults.some(({ kind }) => kind === "reversed") ? all.reverse() : all;
}
