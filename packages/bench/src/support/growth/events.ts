import { openEventLog } from "../../../../durable/src/event-log/open.ts";
import { Snapshots } from "../../../../../services/eventstore/snapshots.ts";
import { foldAggregate } from "../../../../../services/eventstore/state.ts";
import { fill } from "../events/fill.ts";
import { createChange, generateEvents, generateStream, LAST_MOMENT } from "../events/generated.ts";
import { defineFamily } from "./family.ts";

const STREAM = "growth-stream";
const VERSIONS = 500;
const AT_ONCE = 256;
/** Since then a thirtieth of the events happened. */
const LATEST = new Date(LAST_MOMENT - 86_400_000);

/** The event log, at its port. Its rows are events, of some 30 days. */
export const events = defineFamily({
  name: "events",
  kinds: {
    "append an event": "write",
    "state of 500 events": "look-up",
    "a page of one type": "look-up",
    "a page of an aggregate": "look-up",
    "catch up by 1,000": "look-up",
    "statistics of all": "look-up",
    "statistics since a day": "look-up",
    "open the log": "look-up",
  },
  async fill({ settings: { dataDir, mongoUrl } }, rows) {
    const log = await openEventLog({ dataDir, mongoUrl });
    if (mongoUrl === undefined) {
      await log.close();
      fill(dataDir, generateStream(STREAM, VERSIONS));
      fill(dataDir, generateEvents(rows));
      return;
    }
    for (const event of generateStream(STREAM, VERSIONS)) await log.appendToStream(event);
    const left = generateEvents(rows)[Symbol.iterator]();
    const appendNext = async (): Promise<void> => {
      for (let next = left.next(); !next.done; next = left.next()) await log.appendToStream(next.value);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, appendNext));
    await log.close();
  },
  async open({ settings: { dataDir, mongoUrl } }, rows) {
    let log = await openEventLog({ dataDir, mongoUrl });
    return {
      operations: {
        "append an event": (round) =>
          log.appendToStream({
            event_id: `growth-${round}`,
            aggregate_id: `growth_${round}`,
            aggregate_type: "order",
            event_type: "ORDER_UPDATED",
            timestamp: new Date(),
            data: createChange(round),
          }),
        "state of 500 events": () => foldAggregate(log, new Snapshots(), STREAM),
        "a page of one type": (round) =>
          log.readAll({ event_type: "CART_SAVED" }, { after: Math.floor(((round % 9) / 10) * rows), limit: 100 }),
        "a page of an aggregate": (round) =>
          log.readAll({ aggregate_id: STREAM }, { after: (round % 3) * 100, limit: 100 }),
        "catch up by 1,000": (round) => log.readAll({}, { after: (round % 9) * 10, limit: 900 }),
        "statistics of all": () => log.stats({}),
        "statistics since a day": () => log.stats({ since: LATEST }),
        "open the log": async () => {
          await log.close();
          const startedAt = performance.now();
          log = await openEventLog({ dataDir, mongoUrl });
          await log.head();
          return performance.now() - startedAt;
        },
      },
      close: () => log.close(),
    };
  },
});
