import { setImmediate as nextTurn } from "node:timers/promises";
import type { AtomicWrite, DocumentStore } from "@partline/durable";
import { ROWS, type StoredRow } from "./collections.ts";
import type { RowWrite } from "./rows.ts";

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
      const prefix = toPrefix(set);
      const documents = await rows.find({ _id: { $in: keys.map((key) => prefix + key) } });
      return new Map(documents.map(({ _id, row }) => [_id.slice(prefix.length), row]));
    },

    /** Reads the rows of a table with ids from `from` up to, exclusive, `to`, ascending; other work gets its turn in between. */
    async *readRange(set: RowSet, table: string, from: string, to: string): AsyncGenerator<[id: string, row: object]> {
      const prefix = `${toPrefix(set)}${table}:`;
      const end = prefix + to;
      let start: { $gte: string } | { $gt: string } = { $gte: prefix + from };
      for (;;) {
        const documents = await rows.find({ _id: { ...start, $lt: end } }, { sort: { _id: 1 }, limit: READ_AT_ONCE });
        for (const { _id, row } of documents) yield [_id.slice(prefix.length), row];
        const last = documents.at(-1);
        if (!last || documents.length < READ_AT_ONCE) return;
        start = { $gt: last._id };
        await nextTurn();
      }
    },

    async removeSome(set: RowSet): Promise<boolean> {
      const prefix = toPrefix(set);
      // The character after the colon ends the range.
      const documents = await rows.find(
        { _id: { $gte: prefix, $lt: `${prefix.slice(0, -1)};` } },
        { limit: REMOVED_AT_ONCE },
      );
      await rows.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } });
      return documents.length === REMOVED_AT_ONCE;
    },
  };
}

export function toWrite(set: RowSet, { key, row, isNew }: RowWrite): AtomicWrite {
  const document = { _id: toPrefix(set) + key, row };
  if (isNew) return { collection: ROWS, insertOne: document };
  return { collection: ROWS, require: true, replaceOne: { filter: { _id: document._id }, replacement: document } };
}

function toPrefix({ name, generation }: RowSet): string {
  return `${name}:${generation}:`;
}
