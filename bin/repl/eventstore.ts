import type { ServiceBroker } from "moleculer";
import type { Result } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, filterOf, type Command } from "./command.ts";

const SHOWN = 20;
/** Positions that are looked through at a time, and at most in all: a filter that fits nothing must end too. */
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

/** The store lists from the oldest on: the newest are looked for step by step from its end. */
async function newest(broker: Pick<ServiceBroker, "call">, filter: { aggregate_id?: string; aggregate_type?: string; event_type?: string }): Promise<StoredEvent[]> {
  const { position: head } = await call(broker, "eventstore.head", {}, AS_ADMIN);
  let found: StoredEvent[] = [];
  for (let after = head - STEP; found.length < SHOWN && after > head - FURTHEST - STEP; after -= STEP) {
    const { events } = await call(broker, "eventstore.list", { ...filter, after: Math.max(0, after), limit: STEP }, AS_ADMIN);
    const before = found[0]?.position ?? Infinity;
    found = [...events.filter(({ position }) => position < before && position <= after + STEP), ...found];
    if (after <= 0) break;
  }
  return found.slice(-SHOWN);
}
