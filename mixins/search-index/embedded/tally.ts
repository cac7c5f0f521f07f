import { FACTS, FLAGS, NO_PRICE, PRICE, PROFILE, RANGE, REMOVED, STATUS, type Columns } from "./columns.ts";
import { ALL_FILTERS } from "./profiles.ts";

/** Which rows are counted. */
export interface Counted {
  /** As `statusId`. */
  status: number;
  /** Rows that count in any status. */
  anyStatus: ((row: number) => boolean) | undefined;
  /** Both ends are included. */
  minPrice: number;
  maxPrice: number;
  /** As `Profiles.passes`: only those that pass all count for the lowest and the highest price. */
  passes: Uint32Array | undefined;
}

/** Above any price. */
export const HIGHEST = 2 ** 31 - 1;

/** The number of a cell has the profile from this bit on, below it the price range, and whether the price is right. */
export const CELL_PROFILE = 5;
export const CELL_RANGE = 1;
export const RANGE_BITS = 15;

/** How many rows there are of each profile and price range: a cell. Facets are sums of these. */
export class Tally {
  /** Cells that have rows. */
  cells: number[] = [];
  /** By cell; 0 for others. */
  counts = new Uint32Array(0);
  min = HIGHEST;
  max = NO_PRICE;
  /** By profile, the lowest and the highest price. */
  readonly bounds: { lowest: Int32Array; highest: Int32Array } | undefined;

  /** @param profiles so many have bounds of their own */
  constructor(profiles?: number) {
    if (profiles === undefined) return;
    this.bounds = {
      lowest: new Int32Array(profiles).fill(HIGHEST),
      highest: new Int32Array(profiles).fill(NO_PRICE),
    };
  }

  count({ facts, moment, profiles }: Columns, rows: Uint32Array, counted: Counted): this {
    this.#clear(profiles.all.length << CELL_PROFILE);
    const { status, anyStatus, minPrice, maxPrice, passes } = counted;
    const [{ length }, { cells, counts, bounds }] = [rows, this];
    let [min, max] = [HIGHEST, NO_PRICE];
    for (let at = 0; at < length; at += 1) {
      const row = rows[at]!;
      const own = row * FACTS;
      const flags = facts[own + FLAGS]!;
      const is = flags & STATUS;
      if (is !== status && (is === 0 || anyStatus === undefined || !anyStatus(row))) continue;
      const gone = facts[own + REMOVED]!;
      if (gone !== 0 && gone <= moment) continue;
      const id = facts[own + PROFILE]!;
      const cents = facts[own + PRICE]!;
      const ofPrice = cents >= minPrice && cents <= maxPrice ? 1 : 0;
      const cell = (id << CELL_PROFILE) | ((flags >> RANGE) << CELL_RANGE) | ofPrice;
      const before = counts[cell]!;
      counts[cell] = before + 1;
      if (before === 0) cells.push(cell);
      if (cents < 0 || (passes !== undefined && passes[id] !== ALL_FILTERS)) continue;
      if (cents < min) min = cents;
      if (cents > max) max = cents;
      if (bounds === undefined) continue;
      if (cents < bounds.lowest[id]!) bounds.lowest[id] = cents;
      if (cents > bounds.highest[id]!) bounds.highest[id] = cents;
    }
    this.min = min;
    this.max = max;
    return this;
  }

  #clear(length: number): void {
    if (this.counts.length < length) this.counts = new Uint32Array(length);
    else for (const cell of this.cells) this.counts[cell] = 0;
    this.cells = [];
  }
}

/** By status. A view of the columns is one moment, so all its rows are counted once. */
const ofAll = new WeakMap<Columns, Tally[]>();

export function isTallied(columns: Columns, status: number): boolean {
  return ofAll.get(columns)?.[status] !== undefined;
}

export function tallyOfAll(columns: Columns, status: number): Tally {
  const known = ofAll.get(columns) ?? [];
  ofAll.set(columns, known);
  const counted = { status, anyStatus: undefined, minPrice: NO_PRICE, maxPrice: HIGHEST, passes: undefined };
  return (known[status] ??= new Tally(columns.profiles.all.length).count(columns, columns.rows(), counted));
}
