import { ReadConcern, type Db, type FindOptions, type MongoClient } from "mongodb";
import { connect } from "../../mongo/connect.ts";
import type { DayCount, Span } from "../model/counts.ts";
import { IndexedLog, typeConditions, type Condition, type CountedTypes, type IndexRead } from "../model/indexed-log.ts";
import { toEventText } from "../model/new-event.ts";
import { Page, type EventRow } from "../model/page.ts";
import type { Appended, EventLog, NewEvent, StoredEvent } from "../port.ts";
import { Appender } from "./appender.ts";
import { collectionsOf, HEAD, prepareCollections, type Collections, type EventDocument } from "./collections.ts";
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

class MongoLog extends IndexedLog implements EventLog {
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #collections: Collections;
  readonly #appender: Appender;
  #isClosed = false;

  constructor(client: MongoClient, database: Db, collections: Collections) {
    super();
    this.#client = client;
    this.#database = database;
    this.#collections = collections;
    this.#appender = new Appender(client, database, collections);
  }

  async appendToStream(event: NewEvent): Promise<Appended> {
    return this.#appender.append(toEventText(event));
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

  protected select({ index, order, descending, conditions, limit }: IndexRead): Promise<StoredEvent[]> {
    const options: FindOptions = {
      sort: { [nameOf(order)]: descending ? -1 : 1 },
      limit,
      hint: index === "by_position" ? "_id_" : index,
    };
    return this.#run(async () => {
      const page = new Page();
      for await (const document of this.#collections.events.find(filterOf(conditions), options)) {
        if (!page.add(toRow(document))) break;
      }
      return page.events;
    });
  }

  protected async ends(spans: readonly Span[], types: CountedTypes) {
    const [found] = await this.#counts<{ first: number; last: number }>(spans, types, {
      _id: null,
      first: { $min: "$first_position" },
      last: { $max: "$last_position" },
    });
    return found;
  }

  protected async sums(spans: readonly Span[], types: CountedTypes): Promise<DayCount[]> {
    const rows = await this.#counts<{ _id: Omit<DayCount, "events">; events: number }>(spans, types, {
      _id: { aggregate_type: "$aggregate_type", event_type: "$event_type", day: "$day" },
      events: { $sum: "$events" },
    });
    return rows.map(({ _id, events }) => ({ ..._id, events }));
  }

  #counts<Row extends object>(spans: readonly Span[], types: CountedTypes, group: object): Promise<Row[]> {
    const within = spans.map(({ unit, from, to }) => ({ unit, start: { $gte: from, $lt: to } }));
    const match = { $or: within, ...filterOf(typeConditions(types)) };
    return this.#run(() => this.#collections.counts.aggregate<Row>([{ $match: match }, { $group: group }]).toArray());
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

const OPERATORS = { "=": "$eq", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte" } as const;

function nameOf(field: Condition[0]): string {
  return field === "position" ? "_id" : field;
}

function filterOf(conditions: readonly Condition[]): Record<string, Record<string, Condition[2]>> {
  const filter: ReturnType<typeof filterOf> = {};
  for (const [field, operator, value] of conditions)
    filter[nameOf(field)] = { ...filter[nameOf(field)], [OPERATORS[operator]]: value };
  return filter;
}
