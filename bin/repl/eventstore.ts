import type { Result } from "@partline/api-contracts";
import type { Actions } from "../../services/contracts.ts";
import { ask, readFilter, toListing, type Caller, type Command } from "./command.ts";

const SHOWN = 20;
/** Events read at a time, and the first step back from the end. */
const STEP = 1_000;

type StoredEvent = Result<Actions["eventstore.list"]>["events"][number];
type Filter = { [Field in "aggregate_id" | "aggregate_type" | "event_type"]: StoredEvent[Field] | undefined };

/** Moleculer's own command `events` lists listeners. */
export const eventstore: Command = {
  name: "eventstore",
  summary: "Show the latest events",
  verbs: {
    tail: {
      takes: "[aggregate=…] [aggregate-type=…] [event-type=…]",
      run: async (broker, words) => {
        const filter = readFilter(words, ["aggregate", "aggregate-type", "event-type"]);
        const { aggregate: aggregate_id, "aggregate-type": aggregate_type, "event-type": event_type } = filter;
        const events = await findNewest(broker, { aggregate_id, aggregate_type, event_type });
        return toListing(
          events.map(({ position, timestamp, event_type, aggregate_id, version, data }) => ({
            position,
            when: timestamp,
            event: event_type,
            aggregate: aggregate_id,
            version,
            data,
          })),
        );
      },
    },
  },
};

/** Goes back from the end of the store, which lists the oldest first, in steps that double. */
async function findNewest(broker: Caller, filter: Filter): Promise<StoredEvent[]> {
  const { position: head } = await ask(broker, "eventstore.head", {});
  let events: StoredEvent[] = [];
  for (let until = head, step = STEP; events.length < SHOWN && until > 0; until -= step, step *= 2) {
    events = [...(await findNewestBetween(broker, filter, Math.max(0, until - step), until)), ...events].slice(-SHOWN);
  }
  return events;
}

/** A page may hold less than it might; an empty one is the end. */
async function findNewestBetween(broker: Caller, filter: Filter, after: number, until: number): Promise<StoredEvent[]> {
  let newest: StoredEvent[] = [];
  for (let from = after; from < until;) {
    const { events } = await ask(broker, "eventstore.list", { ...filter, after: from, limit: STEP });
    newest = [...newest, ...events.filter(({ position }) => position <= until)].slice(-SHOWN);
    from = events.at(-1)?.position ?? until;
  }
  return newest;
}
