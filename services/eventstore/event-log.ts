import type { Result } from "../../broker/contract/define.ts";
import { hasStoreCode, type DocumentStore, type Filter } from "../../mixins/document-store/port.ts";
import type { Sequences } from "../../mixins/sequence.ts";
import { EVENTS, type EventDocument } from "./collections.ts";
import type { eventstoreContract } from "./contract.ts";

export type StoredEvent = Result<(typeof eventstoreContract)["actions"]["list"]>["events"][number];
export interface NewEvent extends Omit<StoredEvent, "position" | "version" | "timestamp"> {
  occurred_at: Date;
}

interface Appended {
  version: number;
  position: number;
  /** The event id was known: nothing changed, and this is the first answer. */
  duplicate: boolean;
}

/** The sequence of global positions. */
const POSITIONS = "event-positions";

export interface EventLog {
  /** Appends to the aggregate's stream, once for an event id: position and version are given in the same atomic write. */
  append(event: NewEvent): Promise<Appended>;
  /**
   * Appends events that are the first of their aggregates, at positions in a row, all of them or none; once, told by
   * the first's event id.
   */
  appendFirsts(events: readonly NewEvent[]): Promise<void>;
  readStream(aggregateId: string, afterVersion: number, limit: number): Promise<StoredEvent[]>;
  /** Ascending by position. */
  list(filter: Filter, limit: number): Promise<StoredEvent[]>;
}

export function createEventLog(documents: DocumentStore, sequences: Sequences): EventLog {
  const events = documents.collection<EventDocument>(EVENTS);

  async function known(eventId: string): Promise<Appended | undefined> {
    const event = await events.findOne({ _id: eventId });
    return event ? { version: event.version, position: event.position, duplicate: true } : undefined;
  }

  return {
    async append(event) {
      const first = await known(event.event_id);
      if (first) return first;
      let version = 0;
      try {
        const position = await sequences.next(POSITIONS, async (next) => {
          const last = await events.findOne({ aggregate_id: event.aggregate_id }, { sort: { version: -1 } });
          version = (last?.version ?? 0) + 1;
          return [{ collection: EVENTS, insertOne: { ...documentOf(event, next, version) } }];
        });
        return { version, position, duplicate: false };
      } catch (error) {
        const winner = hasStoreCode(error, "DUPLICATE_KEY") ? await known(event.event_id) : undefined;
        if (!winner) throw error;
        return winner;
      }
    },
    async appendFirsts(all) {
      const [first] = all;
      if (!first || (await known(first.event_id))) return;
      try {
        await sequences.next(
          POSITIONS,
          (position) => all.map((event, index) => ({ collection: EVENTS, insertOne: { ...documentOf(event, position + index, 1) } })),
          all.length,
        );
      } catch (error) {
        if (!hasStoreCode(error, "DUPLICATE_KEY") || !(await known(first.event_id))) throw error;
      }
    },
    async readStream(aggregateId, afterVersion, limit) {
      const found = await events.find({ aggregate_id: aggregateId, version: { $gt: afterVersion } }, { sort: { version: 1 }, limit });
      return found.map(present);
    },
    list: async (filter, limit) => (await events.find(filter, { sort: { position: 1 }, limit })).map(present),
  };
}

function documentOf(event: NewEvent, position: number, version: number): EventDocument {
  const { event_id, aggregate_id, aggregate_type, event_type, data, occurred_at } = event;
  return { _id: event_id, position, aggregate_id, aggregate_type, event_type, version, data, timestamp: occurred_at };
}

function present({ _id, ...event }: EventDocument): StoredEvent {
  return { event_id: _id, ...event };
}
