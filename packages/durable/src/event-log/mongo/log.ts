import { ReadConcern, type Db, type FindOptions, type MongoClient } from "mongodb";
import { connect } from "../../mongo/connect.ts";
import { EVENT_FIELDS, Page, toEventText, type EventRow } from "../model/events.ts";
import {
  createReads,
  typeConditions,
  type Condition,
  type CountedTypes,
  type CountRead,
  type Indexes,
} from "../model/reads.ts";
import type { DayCount, Span } from "../model/counts.ts";
import type { EventLog } from "../port.ts";
import { createAppender } from "./appender.ts";
import { getCollections, HEAD, prepareCollections, type Collections, type EventDocument } from "./collections.ts";
import { toLogError, createUnavailable } from "./errors.ts";

/** Longest linearizable read, milliseconds: a member without a majority could never answer. */
const HEAD_DEADLINE_MS = 5_000;

/**
 * The event log in the MongoDB database that the URL names. @throws UNAVAILABLE when no server answers within five
 * seconds
 */
export async function openMongoLog({ url }: { url: string }): Promise<EventLog> {
  let client: MongoClient | undefined;
  try {
    client = await connect(url);
    // A reader must not see what can still be taken back.
    const database = client.db(undefined, { readConcern: new ReadConcern("majority") });
    const collections = getCollections(database);
    await prepareCollections(database, collections);
    return createLog(client, database, collections);
  } catch (error) {
    await client?.close();
    throw toLogError(error);
  }
}

function createLog(client: MongoClient, database: Db, collections: Collections): EventLog {
  const { events, counts, head } = collections;
  const appender = createAppender(client, database, collections);
  let isClosed = false;

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw createUnavailable("it is closed");
    try {
      return await work();
    } catch (error) {
      throw toLogError(error);
    }
  };
  const readHead = async (readConcern: "majority" | "linearizable"): Promise<number> =>
    (await run(() => head.findOne({ _id: HEAD }, { readConcern, maxTimeMS: HEAD_DEADLINE_MS })))?.position ?? 0;
  const readCounts = <Row extends object>(
    spans: readonly Span[],
    types: CountedTypes,
    group: object,
  ): Promise<Row[]> => {
    const within = spans.map(({ unit, from, to }) => ({ unit, start: { $gte: from, $lt: to } }));
    const match = { $or: within, ...toFilter(typeConditions(types)) };
    return run(() => counts.aggregate<Row>([{ $match: match }, { $group: group }]).toArray());
  };
  const indexes: Indexes = {
    select: ({ index, order, descending, conditions, limit }) => {
      const options: FindOptions = { sort: { [toFieldName(order)]: descending ? -1 : 1 }, limit, hint: toHint(index) };
      return run(async () => {
        const page = new Page();
        for await (const document of events.find(toFilter(conditions), options)) if (!page.add(toRow(document))) break;
        return page.events;
      });
    },
    ends: async (spans, types) => {
      const group = { _id: null, first: { $min: "$first_position" }, last: { $max: "$last_position" } };
      return (await readCounts<{ first: number; last: number }>(spans, types, group))[0];
    },
    sums: async (spans, types) => {
      const rows = await readCounts<{ _id: Omit<DayCount, "events">; events: number }>(spans, types, {
        _id: { aggregate_type: "$aggregate_type", event_type: "$event_type", day: "$day" },
        events: { $sum: "$events" },
      });
      return rows.map(({ _id, events }) => ({ ..._id, events }));
    },
    countEvents: async ({ index, conditions }) => {
      const group = { _id: { aggregate_type: "$aggregate_type", event_type: "$event_type" }, events: { $sum: 1 } };
      const pipeline = [{ $match: toFilter(conditions) }, { $group: group }];
      const rows = await run(() =>
        events
          .aggregate<{ _id: Omit<DayCount, "day" | "events">; events: number }>(pipeline, { hint: toHint(index) })
          .toArray(),
      );
      return rows.map(({ _id, events: count }) => ({ ..._id, events: count }));
    },
  };

  return {
    ...createReads(indexes),
    appendToStream: async (event) => appender.append(toEventText(event)),
    /**
     * A newly elected or superseded member may not know the newest. A linearizable read makes sure; it costs a write.
     */
    head: async (leastPosition = 0) => {
      const position = await readHead("majority");
      return position >= leastPosition ? position : readHead("linearizable");
    },
    ping: async () => {
      await run(() => database.command({ ping: 1 }));
    },
    close: async () => {
      isClosed = true;
      await appender.close();
      await client.close();
    },
  };
}

function toRow({ _id: position, ...event }: EventDocument): EventRow {
  const row = { position, ...event };
  return Object.fromEntries(EVENT_FIELDS.map((field) => [field, row[field]])) as unknown as EventRow;
}

const OPERATORS = { "=": "$eq", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte" } as const;

function toHint(index: CountRead["index"]): string {
  return index === "by_position" ? "_id_" : index;
}

function toFieldName(field: Condition[0]): string {
  return field === "position" ? "_id" : field;
}

function toFilter(conditions: readonly Condition[]): Record<string, Record<string, Condition[2]>> {
  const filter: ReturnType<typeof toFilter> = {};
  for (const [field, operator, value] of conditions)
    filter[toFieldName(field)] = { ...filter[toFieldName(field)], [OPERATORS[operator]]: value };
  return filter;
}
