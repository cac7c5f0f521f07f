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

export function defineTable<Row extends object>(name: string) {
  const toKey = (id: string): string => `${name}:${id}`;
  return {
    name,
    keyOf: toKey,
    /** A row is replaced, never changed in place. */
    async load(ids: Iterable<string>, load: LoadRows) {
      const keys = [...new Set(ids)].map(toKey);
      const stored = keys.length === 0 ? new Map<string, object>() : await load(keys);
      const set = new Map<string, Row>();
      const getStored = (id: string) => stored.get(toKey(id)) as Row | undefined;
      const get = (id: string) => set.get(id) ?? getStored(id);
      const listChanges = () => [...set].map(([id, after]) => ({ id, before: getStored(id), after }));
      return {
        get,
        set(id: string, row: Row): void {
          if (row !== get(id)) set.set(id, row);
        },
        changes: listChanges,
        listWrites: (): RowWrite[] =>
          listChanges().map(({ id, before: previous, after }) => ({
            key: toKey(id),
            row: after,
            isNew: previous === undefined,
          })),
      };
    },
  };
}

export type Table<Row extends object> = ReturnType<typeof defineTable<Row>>;
