import { PRICE_STEPS } from "../facet-values.ts";
import { FACTS, FLAGS, NO_PRICE, PRICE, RANGE, type Columns } from "./columns.ts";

/** Above any price. */
export const HIGHEST = 2 ** 31 - 1;

export type Tally = ReturnType<typeof count>;

/** By status. A view of the columns is one moment, so all its rows are counted once. */
const tallies = new WeakMap<Columns, Tally[]>();

export function isTallied(columns: Columns, status: number): boolean {
  return tallies.get(columns)?.[status] !== undefined;
}

/** What facets count of all rows of a status. */
export function tallyOf(columns: Columns, status: number): Tally {
  const known = tallies.get(columns) ?? [];
  tallies.set(columns, known);
  return (known[status] ??= count(columns, status));
}

function count(columns: Columns, status: number) {
  const profiles = columns.profiles.all.length;
  const byProfile = new Uint32Array(profiles);
  /** Of each profile, the rows of each price range. */
  const ofRanges = new Uint32Array(profiles * PRICE_STEPS.length);
  const lowest = new Int32Array(profiles).fill(HIGHEST);
  const highest = new Int32Array(profiles).fill(NO_PRICE);
  for (let row = 1; row < columns.length; row += 1) {
    if (columns.statusOf(row) !== status || columns.isRemoved(row)) continue;
    const id = columns.profileIdOf(row);
    byProfile[id]! += 1;
    const cents = columns.facts[row * FACTS + PRICE]!;
    if (cents < 0) continue;
    ofRanges[id * PRICE_STEPS.length + (columns.facts[row * FACTS + FLAGS]! >> RANGE)]! += 1;
    if (cents < lowest[id]!) lowest[id] = cents;
    if (cents > highest[id]!) highest[id] = cents;
  }
  return { byProfile, ofRanges, lowest, highest };
}
