import type { Binary, Db, IndexDescription } from "mongodb";
import { isDuplicateKey } from "../../mongo/errors.ts";
import { makeCollection } from "../../mongo/make-collection.ts";
import type { EventRow, StreamHead } from "../model/events.ts";
import type { Count } from "../model/reads.ts";

/**
 * `_id` is the position. Data and metadata are text: BSON does not take all that JSON holds (names like `_bsontype`),
 * and may need six times the bytes.
 */
export type EventDocument = Omit<EventRow, "position"> & { _id: number };

/** `_id` is the aggregate's. */
type StreamDocument = StreamHead & { _id: string };

/** `day` is the beginning of the day of `start`, in minutes since 1970. */
type CountDocument = Count & { _id: string; day: number };

/** What every append writes first: it excludes others until the commit. The rivals' `turn` counts refusals for it. */
interface HeadDocument {
  _id: typeof HEAD | typeof RIVALS;
  /** Of the newest event. */
  position: number;
  turn: number;
}

/** A session that appends; `_id` is the session's. */
type AppenderDocument = { _id: Binary; at: Date };

export const HEAD = "head";
export const RIVALS = "rivals";

export type Collections = ReturnType<typeof collectionsOf>;

export function collectionsOf(database: Db) {
  return {
    events: database.collection<EventDocument>("event_log"),
    streams: database.collection<StreamDocument>("event_streams"),
    counts: database.collection<CountDocument>("event_counts"),
    head: database.collection<HeadDocument>("event_head"),
    appenders: database.collection<AppenderDocument>("event_appenders"),
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
