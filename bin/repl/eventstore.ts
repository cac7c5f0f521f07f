import type { ServiceBroker } from "moleculer";
import type { Result } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, filterOf, type Command } from "./command.ts";

const SHOWN = 20;
/** Events that are read at a time, and the first step back from the end. */
const STEP = 1_000;

type StoredEvent = Result<Actions["eventstore.list"]>["events"][number];

/** Moleculer's REPL has a command `events` of its own, which lists who listens to what. */
export const eventstore: Command = {
  name: "eventstore",
  summary: "Show the newest events",
  verbs: {
    tail: {
      takes: "[aggregate=…] [aggregate-type=…] [event-type=…]",
      run: async (broker, words) => {
        const {
          aggregate,
          "aggregate-type": aggregateType,
          "event-type": eventType,
        } = filterOf(words, ["aggregate", "aggregate-type", "event-type"]);
        const events = await newest(broker, {
          ...(aggregate === undefined ? {} : { aggregate_id: aggregate }),
          ...(aggregateType === undefined ? {} : { aggregate_type: aggregateType }),
          ...(eventType === undefined ? {} : { event_type: eventType }),
        });
        return {
          columns: ["position", "when", "event", "aggregate", "version", "data"],
          rows: events.map(({ position, timestamp, event_type, aggregate_id, version, data }) =>
            [position, timestamp, event_type, aggregate_id, version, data].map(cell),
          ),
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
async function newestOf(
  broker: Pick<ServiceBroker, "call">,
  aggregate_id: string,
  { aggregate_type, event_type }: Filter,
): Promise<StoredEvent[]> {
  let found: StoredEvent[] = [];
  for (let after_version = 0; ;) {
    const { events } = await call(
      broker,
      "eventstore.readStream",
      { aggregate_id, after_version, limit: STEP },
      AS_ADMIN,
    );
    const last = events.at(-1);
    if (!last) return found;
    const fitting = events.filter(
      (event) =>
        (aggregate_type ?? event.aggregate_type) === event.aggregate_type &&
        (event_type ?? event.event_type) === event.event_type,
    );
    found = [...found, ...fitting].slice(-SHOWN);
    after_version = last.version;
  }
}

/**
 * The store lists from the oldest on: the newest are looked for step by step from its end, each step twice as far as
 * the one before. What is rare is found by the store's indexes in a few of them; of what is not, the last step reads
 * many.
 */
async function newestOfAll(broker: Pick<ServiceBroker, "call">, filter: Filter): Promise<StoredEvent[]> {
  const { position: head } = await call(broker, "eventstore.head", {}, AS_ADMIN);
  let found: StoredEvent[] = [];
  for (let until = head, step = STEP; found.length < SHOWN && until > 0; until -= step, step *= 2) {
    found = [...(await newestBetween(broker, filter, Math.max(0, until - step), until)), ...found].slice(-SHOWN);
  }
  return found;
}

/** A page may hold less than it might; none is the end. */
async function newestBetween(
  broker: Pick<ServiceBroker, "call">,
  filter: Filter,
  after: number,
  until: number,
): Promise<StoredEvent[]> {
  let found: StoredEvent[] = [];
  for (let from = after; from < until;) {
    const { events } = await call(broker, "eventstore.list", { ...filter, after: from, limit: STEP }, AS_ADMIN);
    found = [...found, ...events.filter(({ position }) => position <= until)].slice(-SHOWN);
    from = events.at(-1)?.position ?? until;
  }
  return found;
}
