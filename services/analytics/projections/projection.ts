import type { StoredEvent } from "../../contracts.ts";

export type LoadRows = (keys: readonly string[]) => Promise<ReadonlyMap<string, object>>;

export interface RowWrite {
  key: string;
  row: object;
  isNew: boolean;
}

export interface Projection {
  /** Begins the ids of its rows. */
  readonly name: string;
  /** Counts events, ascending by position. Rows must not depend on how events are cut into batches. */
  project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]>;
}

export class Table<Row extends object> {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  keyOf(id: string): string {
    return `${this.name}:${id}`;
  }

  async load(ids: Iterable<string>, load: LoadRows): Promise<WorkingRows<Row>> {
    const keys = [...new Set(ids)].map((id) => this.keyOf(id));
    return new WorkingRows(this, keys.length === 0 ? new Map<string, object>() : await load(keys));
  }
}

/** The rows of a batch; a row is replaced, never changed in place. */
class WorkingRows<Row extends object> {
  readonly #table: Table<Row>;
  readonly #stored: ReadonlyMap<string, object>;
  readonly #after = new Map<string, Row>();

  constructor(table: Table<Row>, stored: ReadonlyMap<string, object>) {
    this.#table = table;
    this.#stored = stored;
  }

  get(id: string): Row | undefined {
    return this.#after.get(id) ?? this.#before(id);
  }

  set(id: string, row: Row): void {
    if (row !== this.get(id)) this.#after.set(id, row);
  }

  changes(): { id: string; before: Row | undefined; after: Row }[] {
    return [...this.#after].map(([id, after]) => ({ id, before: this.#before(id), after }));
  }

  #before(id: string): Row | undefined {
    return this.#stored.get(this.#table.keyOf(id)) as Row | undefined;
  }

  writes(): RowWrite[] {
    return this.changes().map(({ id, before, after }) => ({
      key: this.#table.keyOf(id),
      row: after,
      isNew: before === undefined,
    }));
  }
}
