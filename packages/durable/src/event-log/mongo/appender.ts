import type { ClientSession, Db, MongoClient } from "mongodb";
import { isTransient } from "../../mongo/errors.ts";
import { attemptTransaction, RETRY_MS } from "../../mongo/transaction.ts";
import { resolveNextVersion, type EventText, type StreamHead } from "../model/events.ts";
import { countId, countEvents, getStart, type CountedEvent } from "../model/counts.ts";
import type { Appended } from "../port.ts";
import { HEAD, type Collections, type EventDocument } from "./collections.ts";
import { toLogError, createUnavailable } from "./errors.ts";
import { createRivals, createStandstillBreaker, registerAppender } from "./other-appenders.ts";

/** Largest transaction, events. */
const LARGEST_GROUP = 500;
const LARGEST_GROUP_CHARACTERS = 4 * 1024 * 1024;

/** Time after which a new session is made and registered. */
const SESSION_MS = 20 * 60_000;

/** Outcome of an event: an error does not affect its neighbours. */
type Outcome = Appended | { error: unknown };

type Waiting = PromiseWithResolvers<Appended> & { text: EventText };

export function createAppender(client: MongoClient, database: Db, collections: Collections) {
  const rivals = createRivals(collections);
  const waiting: Waiting[] = [];
  let session: { own: ClientSession; since: number } | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  const endSession = async (): Promise<void> => {
    const { own: clientSession } = session ?? {};
    session = undefined;
    await clientSession?.endSession();
  };
  const getSession = async (): Promise<ClientSession> => {
    if (session && performance.now() - session.since < SESSION_MS) return session.own;
    await endSession();
    const clientSession = client.startSession();
    session = { own: clientSession, since: performance.now() };
    try {
      await registerAppender(collections, clientSession);
    } catch (error) {
      await endSession();
      throw error;
    }
    return clientSession;
  };
  /** Repeats after a conflict with another process's append. @throws the driver's errors */
  const runTransaction = async (texts: readonly EventText[]): Promise<Outcome[]> => {
    const deadline = Date.now() + RETRY_MS;
    const clientSession = await getSession();
    const breakStandstill = createStandstillBreaker(database, collections, clientSession);
    try {
      for (;;) {
        try {
          return await rivals.during(() =>
            attemptTransaction(clientSession, () => appendTogether(collections, texts, clientSession)),
          );
        } catch (error) {
          if (!isTransient(error) || Date.now() >= deadline) throw error;
        }
        await breakStandstill();
        await rivals.refused();
      }
    } catch (error) {
      // The server's state of it is unknown.
      await endSession();
      throw error;
    }
  };
  /** An event that the server refuses must not take its neighbours with it; an absent server would delay each again. */
  const appendAll = async (texts: readonly EventText[]): Promise<Outcome[]> => {
    try {
      return await runTransaction(texts);
    } catch (error) {
      const logError = toLogError(error);
      if (texts.length === 1 || logError !== error) return texts.map(() => ({ error: logError }));
    }
    const outcomes: Outcome[] = [];
    for (const text of texts) outcomes.push(...(await appendAll([text])));
    return outcomes;
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await rivals.letThrough();
      const group = waiting.splice(0, groupSize(waiting));
      const outcomes = await appendAll(group.map(({ text }) => text));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]!;
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome);
      }
    }
    running = undefined;
  };

  return {
    append: (text: EventText): Promise<Appended> => {
      if (isClosed) return Promise.reject(createUnavailable("it is closed"));
      const outcome = Promise.withResolvers<Appended>();
      waiting.push({ text, ...outcome });
      running ??= Promise.resolve().then(run);
      return outcome.promise;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await running;
      await endSession();
    },
  };
}

function groupSize(waiting: readonly Waiting[]): number {
  let characters = 0;
  const end = waiting.findIndex(({ text }, index) => {
    characters += text.data.length + text.metadata.length;
    return index > 0 && (index >= LARGEST_GROUP || characters > LARGEST_GROUP_CHARACTERS);
  });
  return end === -1 ? waiting.length : end;
}

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
  const previousHead = await head.findOneAndUpdate(
    { _id: HEAD },
    { $inc: { turn: 1 } },
    { session, returnDocument: "before" },
  );
  if (!previousHead) throw new Error("The event log has no head");
  const appendedEvents = new Map<string, Appended>();
  const repeats = events.find(
    { event_id: { $in: texts.map(({ event_id }) => event_id) } },
    { session, projection: { event_id: 1, aggregate_id: 1, version: 1, timestamp: 1 } },
  );
  for await (const { _id: position, event_id, aggregate_id, version, timestamp } of repeats) {
    appendedEvents.set(event_id, { event_id, aggregate_id, position, version, timestamp, recorded: false });
  }
  const heads = new Map<string, StreamHead>();
  const ids = [...new Set(texts.map(({ aggregate_id }) => aggregate_id))];
  for await (const { _id, ...stream } of streams.find({ _id: { $in: ids } }, { session })) heads.set(_id, stream);

  const documents: EventDocument[] = [];
  const added: CountedEvent[] = [];
  const outcomes = texts.map((text): Outcome => {
    const first = appendedEvents.get(text.event_id);
    if (first) return first;
    const { expected_version: _, ...event } = text;
    const { event_id, aggregate_id, aggregate_type, event_type } = event;
    try {
      const version = resolveNextVersion(text, heads.get(aggregate_id));
      const position = previousHead.position + documents.length + 1;
      const timestamp = new Date(text.timestamp);
      documents.push({ ...event, _id: position, version, timestamp });
      heads.set(aggregate_id, { version, aggregate_type });
      added.push({ aggregate_type, event_type, timestamp: text.timestamp, position });
      const value: Appended = { event_id, aggregate_id, position, version, timestamp, recorded: true };
      appendedEvents.set(event_id, { ...value, recorded: false });
      return value;
    } catch (error) {
      return { error };
    }
  });
  const last = documents.at(-1);
  if (!last) return outcomes;

  await events.insertMany(documents, { session });
  const changedIds = new Set(documents.map(({ aggregate_id }) => aggregate_id));
  await streams.bulkWrite(
    [...changedIds].map((_id) => ({ updateOne: { filter: { _id }, update: { $set: heads.get(_id)! }, upsert: true } })),
    { session },
  );
  await counts.bulkWrite(
    countEvents(added).map(({ events: more, last_position, ...first }) => ({
      updateOne: {
        filter: { _id: countId(first) },
        update: {
          $inc: { events: more },
          $set: { last_position },
          $setOnInsert: { ...first, day: getStart("day", first.start) },
        },
        upsert: true,
      },
    })),
    { session },
  );
  await head.updateOne({ _id: HEAD }, { $set: { position: last._id } }, { session });
  return outcomes;
}
