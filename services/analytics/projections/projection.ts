import type { Actions } from "../../contracts.ts";
import type { Result } from "../../../broker/contract/define.ts";

export type StoredEvent = Result<Actions["eventstore.list"]>["events"][number];

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
    const wanted = [...new Set(ids)];
    const stored = wanted.length === 0 ? new Map<string, object>() : await load(wanted.map((id) => this.keyOf(id)));
    const rows = new Map<string, Row>();
    for (const id of wanted) {
      const row = stored.get(this.keyOf(id));
      if (row) rows.set(id, row as Row);
    }
    return new WorkingRows(this, rows);
  }
}

/** The rows of a batch; a row is replaced, never changed in place. */
class WorkingRows<Row extends object> {
  readonly #table: Table<Row>;
  readonly #before: ReadonlyMap<string, Row>;
  readonly #after = new Map<string, Row>();

  constructor(table: Table<Row>, before: ReadonlyMap<string, Row>) {
    this.#table = table;
    this.#before = before;
  }

  get(id: string): Row | undefined {
    return this.#after.get(id) ?? this.#before.get(id);
  }

  set(id: string, row: Row): void {
    if (row !== this.get(id)) this.#after.set(id, row);
  }

  changes(): { id: string; before: Row | undefined; after: Row }[] {
    return [...this.#after].map(([id, after]) => ({ id, before: this.#before.get(id), after }));
  }

  writes(): RowWrite[] {
    return this.changes().map(({ id, before, after }) => ({
      key: this.#table.keyOf(id),
      row: after,
      isNew: before === undefined,
    }));
  }
}
