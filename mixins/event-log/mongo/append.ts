import type { ClientSession } from "mongodb";
import { CountChanges, startOfDay } from "../model/counts.ts";
import { nextVersion, type EventText, type StreamHead } from "../model/new-event.ts";
import type { Appended } from "../port.ts";
import { HEAD, type Collections, type EventDocument } from "./collections.ts";

/** Outcomes are in the order of the events. */
export type Outcome = { ok: true; value: Appended } | { ok: false; error: unknown };

/**
 * Appends events in the transaction of the session. Writing the head comes first: it excludes every other append, so
 * what is read after it is what the newest event left, and positions become visible in order. @throws the driver's
 * errors
 */
export async function appendTogether(
  { events, streams, counts, head }: Collections,
  texts: readonly EventText[],
  session: ClientSession,
): Promise<Outcome[]> {
  const before = await head.findOneAndUpdate(
    { _id: HEAD },
    { $inc: { turn: 1 } },
    { session, returnDocument: "before" },
  );
  if (!before) throw new Error("The event log has no head");
  const known = new Map<string, Appended>();
  const found = events.find(
    { event_id: { $in: texts.map(({ event_id }) => event_id) } },
    { session, projection: { event_id: 1, aggregate_id: 1, version: 1, timestamp: 1 } },
  );
  for await (const { _id: position, event_id, aggregate_id, version, timestamp } of found) {
    known.set(event_id, { event_id, aggregate_id, position, version, timestamp, recorded: false });
  }
  const heads = new Map<string, StreamHead>();
  const ids = [...new Set(texts.map(({ aggregate_id }) => aggregate_id))];
  for await (const { _id, ...stream } of streams.find({ _id: { $in: ids } }, { session })) heads.set(_id, stream);

  const documents: EventDocument[] = [];
  const changes = new CountChanges();
  const outcomes = texts.map((text): Outcome => {
    const first = known.get(text.event_id);
    if (first) return { ok: true, value: first };
    const { expected_version: _, ...event } = text;
    const { event_id, aggregate_id, aggregate_type } = event;
    try {
      const version = nextVersion(text, heads.get(aggregate_id));
      const position = before.position + documents.length + 1;
      const timestamp = new Date(text.timestamp);
      documents.push({ ...event, _id: position, version, timestamp });
      heads.set(aggregate_id, { version, aggregate_type });
      changes.add(text, position);
      const value: Appended = { event_id, aggregate_id, position, version, timestamp, recorded: true };
      known.set(event_id, { ...value, recorded: false });
      return { ok: true, value };
    } catch (error) {
      return { ok: false, error };
    }
  });
  const last = documents.at(-1);
  if (!last) return outcomes;

  await events.insertMany(documents, { session });
  const changed = new Set(documents.map(({ aggregate_id }) => aggregate_id));
  await streams.bulkWrite(
    [...changed].map((_id) => ({ updateOne: { filter: { _id }, update: { $set: heads.get(_id)! }, upsert: true } })),
    { session },
  );
  await counts.bulkWrite(
    changes.values().map(({ events: added, last_position, ...first }) => ({
      updateOne: {
        filter: { _id: JSON.stringify([first.unit, first.start, first.aggregate_type, first.event_type]) },
        update: {
          $inc: { events: added },
          $set: { last_position },
          $setOnInsert: { ...first, day: startOfDay(first.start) },
        },
        upsert: true,
      },
    })),
    { session },
  );
  await head.updateOne({ _id: HEAD }, { $set: { position: last._id } }, { session });
  return outcomes;
}
