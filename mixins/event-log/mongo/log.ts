import { ReadConcern, type Db, type Filter, type MongoClient } from "mongodb";
import { connect } from "../../mongo/connect.ts";
import { isNarrowedByCounts, spansOf, toEventCounts } from "../model/counts.ts";
import { toEventText } from "../model/new-event.ts";
import { Page, toStoredEvent, type EventRow } from "../model/page.ts";
import type { Appended, EventCounts, EventFilter, EventLog, NewEvent, StoredEvent, StreamRange } from "../port.ts";
import { Appender } from "./appender.ts";
import {
  collectionsOf,
  HEAD,
  prepareCollections,
  type Collections,
  type CountDocument,
  type EventDocument,
} from "./collections.ts";
import { toLogError, unavailable } from "./errors.ts";

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
    const collections = collectionsOf(database);
    await prepareCollections(database, collections);
    return new MongoLog(client, database, collections);
  } catch (error) {
    await client?.close();
    throw toLogError(error);
  }
}

class MongoLog implements EventLog {
  readonly backend = "mongodb";
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #collections: Collections;
  readonly #appender: Appender;
  #isClosed = false;

  constructor(client: MongoClient, database: Db, collections: Collections) {
    this.#client = client;
    this.#database = database;
    this.#collections = collections;
    this.#appender = new Appender(client, database, collections);
  }

  async appendToStream(event: NewEvent): Promise<Appended> {
    return this.#appender.append(toEventText(event));
  }

  readStream(aggregateId: string, { after_version, limit, at }: StreamRange): Promise<StoredEvent[]> {
    return this.#find(
      { aggregate_id: aggregateId, version: { $gt: after_version }, ...(at ? { timestamp: { $lte: at } } : {}) },
      "by_stream",
      limit,
    );
  }

  async lastOfStream(aggregateId: string): Promise<StoredEvent | undefined> {
    const found = await this.#run(() =>
      this.#collections.events.findOne({ aggregate_id: aggregateId }, { sort: { version: -1 }, hint: "by_stream" }),
    );
    return found ? toStoredEvent(toRow(found)) : undefined;
  }

  async readAll(filter: EventFilter, { after, limit }: { after: number; limit: number }): Promise<StoredEvent[]> {
    const { since, until, ...equal } = filter;
    const bounds = await this.#bounds(filter);
    if (!bounds) return [];
    const timestamp = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
    const query: Filter<EventDocument> = {
      ...equal,
      _id: { $gt: Math.max(after, bounds.first - 1), ...(bounds.last === Infinity ? {} : { $lte: bounds.last }) },
      ...(since || until ? { timestamp } : {}),
    };
    return this.#find(query, indexFor(filter), limit);
  }

  async stats({ aggregate_type, since }: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts> {
    const rows = await this.#run(() =>
      this.#collections.counts
        .aggregate<{ _id: Pick<CountDocument, "aggregate_type" | "event_type" | "day">; events: number }>([
          { $match: countsOf({ aggregate_type, since }) },
          {
            $group: {
              _id: { aggregate_type: "$aggregate_type", event_type: "$event_type", day: "$day" },
              events: { $sum: "$events" },
            },
          },
        ])
        .toArray(),
    );
    return toEventCounts(rows.map(({ _id, events }) => ({ ..._id, events })));
  }

  /**
   * A member that was just elected, or superseded, may not know the newest. A linearizable read makes sure; it costs a
   * write.
   */
  async head(known = 0): Promise<number> {
    const position = await this.#headBy("majority");
    return position >= known ? position : this.#headBy("linearizable");
  }

  async ping(): Promise<void> {
    await this.#run(() => this.#database.command({ ping: 1 }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#appender.close();
    await this.#client.close();
  }

  async #headBy(readConcern: "majority" | "linearizable"): Promise<number> {
    return (
      (
        await this.#run(() =>
          this.#collections.head.findOne({ _id: HEAD }, { readConcern, maxTimeMS: HEAD_DEADLINE_MS }),
        )
      )?.position ?? 0
    );
  }

  /** Between which positions the events of a filter can be; undefined when there are none. */
  async #bounds(filter: EventFilter): Promise<{ first: number; last: number } | undefined> {
    if (!isNarrowedByCounts(filter)) return { first: 1, last: Infinity };
    const { since, until } = filter;
    if (since && until && since >= until) return undefined;
    const [found] = await this.#run(() =>
      this.#collections.counts
        .aggregate<{ first: number; last: number }>([
          { $match: countsOf(filter) },
          { $group: { _id: null, first: { $min: "$first_position" }, last: { $max: "$last_position" } } },
        ])
        .toArray(),
    );
    return found;
  }

  async #find(query: Filter<EventDocument>, hint: string, limit: number): Promise<StoredEvent[]> {
    const sort: Record<string, 1> = { [hint === "by_stream" ? "version" : "_id"]: 1 };
    return this.#run(async () => {
      const page = new Page();
      for await (const document of this.#collections.events.find(query, { sort, limit, hint })) {
        if (!page.add(toRow(document))) break;
      }
      return page.events;
    });
  }

  async #run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailable("it is closed");
    try {
      return await read();
    } catch (error) {
      throw toLogError(error);
    }
  }
}

function toRow({ _id: position, ...event }: EventDocument): EventRow {
  return { position, ...event };
}

function countsOf({ aggregate_type, event_type, since, until }: EventFilter): Filter<CountDocument> {
  return {
    $or: spansOf(since, until).map(({ unit, from, to }) => ({ unit, start: { $gte: from, $lt: to } })),
    ...(aggregate_type === undefined ? {} : { aggregate_type }),
    ...(event_type === undefined ? {} : { event_type }),
  };
}

/** With the wrong index a read walks the whole log. */
function indexFor({ aggregate_id, aggregate_type, event_type }: EventFilter): string {
  if (aggregate_id !== undefined) return "by_stream";
  if (event_type !== undefined) return "by_event_type";
  return aggregate_type === undefined ? "_id_" : "by_aggregate_type";
}
