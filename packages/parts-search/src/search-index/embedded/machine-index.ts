import { createSharedNumbers, withRoom } from "../../embedded-index/shared-arrays.ts";
import type { CountedValue } from "../facet-values.ts";
import type { CatalogMachine } from "../fits.ts";
import type { Columns } from "./columns.ts";
import { reuseArray } from "./reused-array.ts";
import { WordIndex } from "./word-index.ts";

/** All 0 between two searches. */
const countsByMachine = reuseArray((length) => new Uint32Array(length));

export type MachineIndexView = ReturnType<MachineIndex["view"]>;

/** The machines that rows fit by what the catalog says, in shared memory: rows by machine, and machines by row. */
export class MachineIndex {
  #rows = new WordIndex();
  /** End and number of each row's machines in `#ids`. */
  #ends = createSharedNumbers();
  #counts = createSharedNumbers();
  #ids = createSharedNumbers();
  #used = 0;

  static fromView(view: MachineIndexView): MachineIndex {
    const index = new MachineIndex();
    index.#rows = WordIndex.of(view.rows);
    index.#ends = view.ends;
    index.#counts = view.counts;
    index.#ids = view.ids;
    index.#used = view.used;
    return index;
  }

  view() {
    return { rows: this.#rows.view(), ends: this.#ends, counts: this.#counts, ids: this.#ids, used: this.#used };
  }

  /** Rows come in their order. */
  add(row: number, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#ends = withRoom(this.#ends, row + 1);
    this.#counts = withRoom(this.#counts, row + 1);
    this.#ids = withRoom(this.#ids, this.#used + names.length);
    for (const name of names) {
      const id = this.#rows.add(row, name, 1) ?? this.#rows.findId(name);
      if (id !== undefined) this.#ids[this.#used++] = id;
    }
    this.#ends[row] = this.#used;
    this.#counts[row] = names.length;
  }

  findRows(names: readonly string[]): Set<number> {
    const ids = names.flatMap((name) => this.#rows.findId(name) ?? []);
    return new Set(ids.flatMap((id) => [...this.#rows.getRows(id)]));
  }

  /** Lists the machines of existing rows. */
  list(columns: Columns): CatalogMachine[] {
    return Array.from({ length: this.#rows.size }, (_, id) => id).flatMap((id) => {
      const row = this.#rows.getRows(id).find((candidate) => columns.has(candidate));
      return row === undefined
        ? []
        : [{ name: this.#rows.getTerm(id), maker: columns.getProfile(row).manufacturer.label }];
    });
  }

  /** The machines of most rows, at most so many; of those that are equally frequent all or none. */
  count(rows: Uint32Array, most: number): CountedValue[] {
    const counts = countsByMachine(this.#rows.size);
    const ids: number[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? 0;
      const end = this.#ends[row] ?? 0;
      for (let place = end - (this.#counts[row] ?? 0); place < end; place += 1) {
        const id = this.#ids[place] ?? 0;
        const count = counts[id] ?? 0;
        if (count === 0) ids.push(id);
        counts[id] = count + 1;
      }
    }
    const sorted = Uint32Array.from(ids, (id) => counts[id] ?? 0).sort();
    const next = sorted[sorted.length - most - 1] ?? 0;
    const values: CountedValue[] = [];
    for (const id of ids) {
      const count = counts[id] ?? 0;
      counts[id] = 0;
      if (count <= next) continue;
      const name = this.#rows.getTerm(id);
      values.push({ value: name, label: name, key: name, count });
    }
    return values;
  }
}
