import type { Cents, PartStatus } from "@partline/parts-language";
import {
  createSharedDoubles,
  createSharedIntegers,
  createSharedNumbers,
  withRoom,
} from "../../embedded-index/shared-arrays.ts";
import { computeQuality } from "../derived.ts";
import { PRICE_STEPS } from "../facet-values.ts";
import type { IndexDocument } from "../index-document.ts";
import { Profiles, type Profile } from "./profiles.ts";
import { computeHead, HEADS, TextPool } from "./text-pool.ts";

/** Value of a part without a price. */
export const NO_PRICE = -1;

/**
 * What filters and facets read of a row lies side by side in `facts`, so that one read of memory brings all of it:
 * `FACTS` numbers a row, at these places.
 */
export const FACTS = 4;
export const PROFILE = 0;
export const PRICE = 1;
/** `STATUS` (0 is no row, else `toStatusId`), `IS_SUPERSEDED`, and from `RANGE` on the price range. */
export const FLAGS = 2;
/** The moment when the row was removed; 0 if it is there. */
export const REMOVED = 3;
export const STATUS = 3;
const IS_SUPERSEDED = 4;
export const RANGE = 3;

export type ColumnsView = ReturnType<Columns["view"]>;

/**
 * The values of each document that filters, facets and sorting read, in shared memory by row: a facet over 100,000 rows
 * takes 1 ms to count, and 30 ms through SQL. One thread sets them. Who has a view sees the rows and removals that were
 * there when it was made, and later values of these rows.
 */
export class Columns {
  readonly profiles: Profiles;
  facts = createSharedIntegers();
  createdAt = createSharedDoubles();
  #rank = createSharedDoubles();
  /** Moment of the view: rows removed later are still there. */
  moment = 0;
  /** Place of each row's id. */
  #id = createSharedNumbers();
  #ids = new TextPool();
  #rows: Uint32Array | undefined;
  /** Rows are 1 to `length - 1`. */
  length = 1;

  constructor(profiles = Profiles.empty()) {
    this.profiles = profiles;
  }

  /** @param previous as of an earlier view of the same index: what is derived from its profiles is used again */
  static of(view: ColumnsView, previous?: Columns): Columns {
    const columns = new Columns(Profiles.of(view.profiles, previous?.profiles));
    columns.facts = view.facts;
    columns.createdAt = view.createdAt;
    columns.#rank = view.rank;
    columns.moment = view.moment;
    columns.#id = view.id;
    columns.#ids = TextPool.of(view.ids);
    columns.length = view.length;
    return columns;
  }

  view() {
    this.moment += 1;
    return {
      profiles: this.profiles.view(),
      facts: this.facts,
      createdAt: this.createdAt,
      rank: this.#rank,
      moment: this.moment,
      id: this.#id,
      ids: this.#ids.view(),
      length: this.length,
    };
  }

  set(row: number, document: IndexDocument): void {
    const isNew = !this.has(row);
    if (row >= this.length) this.#grow(row + 1);
    const { price, status, supersededBy } = document;
    this.facts[row * FACTS + PROFILE] = this.profiles.idOf(document);
    this.facts[row * FACTS + PRICE] = price ?? NO_PRICE;
    this.facts[row * FACTS + FLAGS] =
      toStatusId(status) |
      (supersededBy === undefined ? 0 : IS_SUPERSEDED) |
      ((price === null ? 0 : toRange(price)) << RANGE);
    this.createdAt[row] = document.createdAt.getTime();
    this.#rank[row] = computeQuality(document) * HEADS - computeHead(document.id);
    if (isNew) this.#id[row] = this.#ids.add(document.id);
  }

  remove(row: number): void {
    this.facts[row * FACTS + REMOVED] = this.moment + 1;
  }

  has(row: number): boolean {
    return row < this.length && this.getStatus(row) !== 0 && !this.isRemoved(row);
  }

  isRemoved(row: number): boolean {
    const removed = this.facts[row * FACTS + REMOVED]!;
    return removed !== 0 && removed <= this.moment;
  }

  /** All rows, of which some may not be there. */
  rows(): Uint32Array {
    return (this.#rows ??= Uint32Array.from({ length: this.length - 1 }, (_, index) => index + 1));
  }

  /** 0 is no row, else `toStatusId`. */
  getStatus(row: number): number {
    return this.facts[row * FACTS + FLAGS]! & STATUS;
  }

  isSuperseded(row: number): boolean {
    return (this.facts[row * FACTS + FLAGS]! & IS_SUPERSEDED) !== 0;
  }

  getPrice(row: number): number {
    return this.facts[row * FACTS + PRICE]!;
  }

  getProfile(row: number): Profile {
    return this.profiles.all[this.facts[row * FACTS + PROFILE]!]!;
  }

  getId(row: number): string {
    return this.#ids.at(this.#id[row]!);
  }

  /** Returns the rank by which equal matches are sorted, the highest first: quality, then the beginning of the id. */
  getRank(row: number): number {
    return this.#rank[row]!;
  }

  /** Orders rows of the same rank. */
  compareIds(a: number, b: number): number {
    return this.#ids.compare(this.#id[a]!, this.#id[b]!);
  }

  /** Returns whether the vendor's name in front of a number may be this one (`listVendorKeys`). */
  isOfVendor(row: number, key: string): boolean {
    const { code } = this.getProfile(row).manufacturer;
    return this.profiles.getVendors(key)?.has(code) === true;
  }

  #grow(length: number): void {
    this.facts = withRoom(this.facts, length * FACTS);
    this.createdAt = withRoom(this.createdAt, length);
    this.#rank = withRoom(this.#rank, length);
    this.#id = withRoom(this.#id, length);
    this.length = length;
  }
}

export function toStatusId(status: PartStatus): number {
  return status === "active" ? 1 : 2;
}

function toRange(price: Cents): number {
  let range = PRICE_STEPS.length - 1;
  while (price < PRICE_STEPS[range]!) range -= 1;
  return range;
}
