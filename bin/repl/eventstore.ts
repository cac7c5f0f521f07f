import type { ServiceBroker } from "moleculer";
import type { Result } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, filterOf, type Command } from "./command.ts";

const SHOWN = 20;
/** Positions that are looked through at a time, and at most in all: a filter by types that fits nothing must end too. */
const STEP = 1_000;
const FURTHEST = 50 * STEP;

type StoredEvent = Result<Actions["eventstore.list"]>["events"][number];

/** Moleculer's REPL has a command `events` of its own, which lists who listens to what. */
export const eventstore: Command = {
  name: "eventstore",
  summary: "Show the newest events",
  verbs: {
    tail: {
      takes: "[aggregate=…] [aggregate-type=…] [event-type=…]",
      run: async (broker, words) => {
        const { aggregate, "aggregate-type": aggregateType, "event-type": eventType } = filterOf(words, ["aggregate", "aggregate-type", "event-type"]);
        const events = await newest(broker, {
          ...(aggregate === undefined ? {} : { aggregate_id: aggregate }),
          ...(aggregateType === undefined ? {} : { aggregate_type: aggregateType }),
          ...(eventType === undefined ? {} : { event_type: eventType }),
        });
        return {
          columns: ["position", "when", "event", "aggregate", "version", "data"],
          rows: events.map(({ position, timestamp, event_type, aggregate_id, version, data }) => [position, timestamp, event_type, aggregate_id, version, data].map(cell)),
        };
      },
    },
  },
};

interface Filter {
  aggregate_id?: string;
  aggregate_type?: string;
  event_type?: string;
}

function newest(broker: Pick<ServiceBroker, "call">, { aggregate_id, ...filter }: Filter): Promise<StoredEvent[]> {
  return aggregate_id === undefined ? newestOfAll(broker, filter) : newestOf(broker, aggregate_id, filter);
}

/** The events of an aggregate are read from its first on, wherever they lie. */
async function newestOf(broker: Pick<ServiceBroker, "call">, aggregate_id: string, { aggregate_type, event_type }: Filter): Promise<StoredEvent[]> {
  let found: StoredEvent[] = [];
  for (let after_version = 0; ; ) {
    const { events } = await call(broker, "eventstore.readStream", { aggregate_id, after_version, limit: STEP }, AS_ADMIN);
    const last = events.at(-1);
    if (!last) return found;
    const fitting = events.filter((event) => (aggregate_type ?? event.aggregate_type) === event.aggregate_type && (event_type ?? event.event_type) === event.event_type);
    found = [...found, ...fitting].slice(-SHOWN);
    after_version = last.version;
  }
}

/** The store lists from the oldest on: the newest are looked for step by step from its end. */
async function newestOfAll(broker: Pick<ServiceBroker, "call">, filter: Filter): Promise<StoredEvent[]> {
  const { position: head } = await call(broker, "eventstore.head", {}, AS_ADMIN);
  let found: StoredEvent[] = [];
  for (let after = head - STEP; found.length < SHOWN && after > head - FURTHEST - STEP; after -= STEP) {
    found = [...(await between(broker, filter, Math.max(0, after), after + STEP)), ...found];
    if (after <= 0) break;
  }
  return found.slice(-SHOWN);
}

/** A page may hold less than it might; none is the end. */
async function between(broker: Pick<ServiceBroker, "call">, filter: Filter, after: number, until: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  while (after < until) {
    const { events } = await call(broker, "eventstore.list", { ...filter, after, limit: STEP }, AS_ADMIN);
    found.push(...events.filter(({ position }) => position <= until));
    after = events.at(-1)?.position ?? until;
  }
  return found;
}
