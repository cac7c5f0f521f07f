import { createSharedNumbers, withRoom } from "../../embedded-index/shared-arrays.ts";
import type { CountedValue } from "../facet-values.ts";
import { toAttributeKey } from "../attributes.ts";
import type { CatalogMachine } from "../fits.ts";
import type { Columns } from "./columns.ts";
import { WordIndex } from "./word-index.ts";

export type MachineIndexView = ReturnType<MachineIndex["view"]>;

/** The machines that rows fit by what the catalog says, in shared memory: rows by machine, and machines by row. */
export class MachineIndex {
  #rows = new WordIndex();
  /** Of each row the place behind its machines in `#ids`, and their number. */
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

  /** Those of rows that are there. */
  list(columns: Columns): CatalogMachine[] {
    return Array.from({ length: this.#rows.size }, (_, id) => id).flatMap((id) => {
      const row = this.#rows.getRows(id).find((candidate) => columns.has(candidate));
      return row === undefined
        ? []
        : [{ name: this.#rows.getTerm(id), maker: columns.getProfile(row).manufacturer.label }];
    });
  }

  count(rows: Uint32Array): CountedValue[] {
    const counts = new Map<number, number>();
    for (const row of rows) {
      const end = this.#ends[row] ?? 0;
      for (let place = end - (this.#counts[row] ?? 0); place < end; place += 1) {
        const id = this.#ids[place] ?? 0;
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    return [...counts].map(([id, count]) => {
      const name = this.#rows.getTerm(id);
      return { value: name, label: name, key: toAttributeKey(name), count };
    });
  }
}
