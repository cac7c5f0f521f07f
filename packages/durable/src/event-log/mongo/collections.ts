import type { Binary, Db, IndexDescription } from "mongodb";
import { isDuplicateKey } from "../../mongo/errors.ts";
import { makeCollection } from "../../mongo/make-collection.ts";
import type { EventRow, StreamHead } from "../model/events.ts";
import type { Count } from "../model/counts.ts";

/**
 * `_id` is the position. BSON does not take all that JSON holds (names like `_bsontype`), and may need six times the
 * bytes of text.
 */
export type EventDocument = Omit<EventRow, "position"> & { _id: number };

/**
 * The document that every append writes first, which excludes others until the commit; a second one counts in `turn`
 * how often an append was refused for it.
 */
interface HeadDocument {
  _id: typeof HEAD | typeof RIVALS;
  /** Position of the newest event. */
  position: number;
  turn: number;
}

export const HEAD = "head";
export const RIVALS = "rivals";

export type Collections = ReturnType<typeof getCollections>;

export function getCollections(database: Db) {
  return {
    events: database.collection<EventDocument>("event_log"),
    streams: database.collection<StreamHead & { _id: string }>("event_streams"),
    /** `day` begins at so many minutes since 1970. */
    counts: database.collection<Count & { _id: string; day: number }>("event_counts"),
    head: database.collection<HeadDocument>("event_head"),
    /** Appenders by session. */
    appenders: database.collection<{ _id: Binary; at: Date }>("event_appenders"),
  };
}

const INDEXES: Record<keyof Collections, IndexDescription[]> = {
  events: [
    { key: { event_id: 1 }, name: "by_event_id", unique: true },
    { key: { aggregate_id: 1, version: 1 }, name: "by_stream", unique: true },
    { key: { event_type: 1, _id: 1 }, name: "by_event_type" },
    { key: { aggregate_type: 1, _id: 1 }, name: "by_aggregate_type" },
  ],
  counts: [{ key: { unit: 1, start: 1 }, name: "by_start" }],
  streams: [],
  head: [],
  appenders: [{ key: { at: 1 }, name: "expires", expireAfterSeconds: 3_600 }],
};

/** Makes collections, indexes and the head; many processes may do so at once, and again. @throws the driver's errors */
export async function prepareCollections(database: Db, collections: Collections): Promise<void> {
  for (const [name, indexes] of Object.entries(INDEXES))
    await makeCollection(database, collections[name as keyof Collections].collectionName, indexes);
  try {
    await collections.head.updateOne({ _id: HEAD }, { $setOnInsert: { position: 0, turn: 0 } }, { upsert: true });
  } catch (error) {
    // Another process made it at the same moment.
    if (!isDuplicateKey(error)) throw error;
  }
}
