import type { StoredEvent } from "../contracts.ts";

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

export function tableOf<Row extends object>(name: string) {
  const keyOf = (id: string): string => `${name}:${id}`;
  return {
    name,
    keyOf,
    /** A row is replaced, never changed in place. */
    async load(ids: Iterable<string>, load: LoadRows) {
      const keys = [...new Set(ids)].map(keyOf);
      const stored = keys.length === 0 ? new Map<string, object>() : await load(keys);
      const set = new Map<string, Row>();
      const before = (id: string) => stored.get(keyOf(id)) as Row | undefined;
      const get = (id: string) => set.get(id) ?? before(id);
      const changes = () => [...set].map(([id, after]) => ({ id, before: before(id), after }));
      return {
        get,
        set(id: string, row: Row): void {
          if (row !== get(id)) set.set(id, row);
        },
        changes,
        writes: (): RowWrite[] =>
          changes().map(({ id, before: known, after }) => ({ key: keyOf(id), row: after, isNew: known === undefined })),
      };
    },
  };
}

export type Table<Row extends object> = ReturnType<typeof tableOf<Row>>;
