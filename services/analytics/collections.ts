import { setImmediate as nextTurn } from "node:timers/promises";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "../../mixins/document-store/port.ts";
import type { RowWrite } from "./rows.ts";

/** Its id is the projection's name. */
export interface Checkpoint extends Document {
  generation: number;
  /** Of the last counted event. */
  position: number;
  /** Of the latest counted event. */
  asOf?: Date;
  building?: { generation: number; position: number; asOf?: Date; startedAt: Date };
  generations: number;
  /** Whose rows must be removed. */
  retired: number[];
  /** The event store lost counted events. */
  ahead?: true;
}

export const CHECKPOINTS: CollectionDefinition = {
  name: "analytics_checkpoints",
  fields: {
    generation: "number",
    position: "number",
    asOf: "date",
    "building.generation": "number",
    "building.position": "number",
    "building.asOf": "date",
    "building.startedAt": "date",
  },
};

/** `_id` is `<projection>:<generation>:<table>:<id>`: a table's hours are adjacent. */
export interface StoredRow extends Document {
  row: object;
}

export const ROWS: CollectionDefinition = { name: "analytics_rows" };

export interface RowSet {
  name: string;
  generation: number;
}

const REMOVED_AT_ONCE = 500;
/** A row of searches may have 30 KB. */
const READ_AT_ONCE = 50;

export function createRowStore(documents: DocumentStore) {
  const rows = documents.collection<StoredRow>(ROWS);
  return {
    async load(set: RowSet, keys: readonly string[]): Promise<ReadonlyMap<string, object>> {
      const prefix = prefixOf(set);
      const found = await rows.find({ _id: { $in: keys.map((key) => prefix + key) } });
      return new Map(found.map(({ _id, row }) => [_id.slice(prefix.length), row]));
    },

    /** From `from` until before `to`, ascending; other work gets its turn in between. */
    async *range(set: RowSet, table: string, from: string, to: string): AsyncGenerator<[id: string, row: object]> {
      const prefix = `${prefixOf(set)}${table}:`;
      const end = prefix + to;
      let start: { $gte: string } | { $gt: string } = { $gte: prefix + from };
      for (;;) {
        const found = await rows.find({ _id: { ...start, $lt: end } }, { sort: { _id: 1 }, limit: READ_AT_ONCE });
        for (const { _id, row } of found) yield [_id.slice(prefix.length), row];
        const last = found.at(-1);
        if (!last || found.length < READ_AT_ONCE) return;
        start = { $gt: last._id };
        await nextTurn();
      }
    },

    async removeSome(set: RowSet): Promise<boolean> {
      const prefix = prefixOf(set);
      // The character after the colon ends the range.
      const found = await rows.find(
        { _id: { $gte: prefix, $lt: `${prefix.slice(0, -1)};` } },
        { limit: REMOVED_AT_ONCE },
      );
      await rows.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length === REMOVED_AT_ONCE;
    },
  };
}

export function writeOf(set: RowSet, { key, row, isNew }: RowWrite): AtomicWrite {
  const document = { _id: prefixOf(set) + key, row };
  if (isNew) return { collection: ROWS, insertOne: document };
  return { collection: ROWS, require: true, replaceOne: { filter: { _id: document._id }, replacement: document } };
}

function prefixOf({ name, generation }: RowSet): string {
  return `${name}:${generation}:`;
}
