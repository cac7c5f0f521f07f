import { describe, expect, it } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { runCommand } from "../../bin/repl/command.ts";
import { eventstore } from "../../bin/repl/eventstore.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { storedEvent } from "../unit/analytics.support.ts";
import { useStarted } from "../support/use-started.ts";

const EVENTS = 60_000;
const MOST_OF_A_PAGE = 30;

/** A log of many events, which cuts its pages as one of large events does. */
const manyEvents = Array.from({ length: EVENTS }, (_, index) => {
  const isOld = index < 100;
  return {
    ...storedEvent("thing", index === 6 || index === 8 ? "RARE" : index % 2 === 0 ? "EVEN" : "ODD", { n: index + 1 }),
    position: index + 1,
    aggregate_id: isOld ? "old" : "other",
    version: isOld ? index + 1 : index - 99,
  };
});

interface Asked {
  params: { aggregate_id?: string; aggregate_type?: string; event_type?: string; after: number; limit: number };
}

const standIn = (): ServiceSchema => {
  const page = (events: typeof manyEvents, limit: number) => ({
    events: events.slice(0, Math.min(limit, MOST_OF_A_PAGE)),
  });
  return {
    name: "eventstore",
    actions: {
      head: () => ({ position: EVENTS }),
      list: ({ params: { after, limit, ...filter } }: Asked) =>
        page(
          manyEvents
            .slice(after, after + 2 * limit)
            .filter((event: Record<string, unknown>) =>
              Object.entries(filter).every(([field, value]) => (value ?? event[field]) === event[field]),
            ),
          limit,
        ),
    },
  };
};

describe("eventstore tail", () => {
  const test = useStarted(() => startTestBroker({ services: [standIn] }));

  const tail = async (...words: string[]): Promise<string[]> => {
    const answer = await runCommand(eventstore, test.broker, ["tail", ...words]);
    if (typeof answer === "string") throw new Error(answer);
    return answer.rows.map(([position]) => position!);
  };
  const positions = (first: number, last: number, step = 1) =>
    Array.from({ length: (last - first) / step + 1 }, (_, index) => String(first + index * step));

  it("shows an aggregate's newest events, however long ago they happened", async () => {
    expect(await tail("aggregate=old")).toEqual(positions(81, 100));
    expect(await tail("aggregate=old", "event-type=ODD")).toEqual(positions(62, 100, 2));
    expect(await tail("aggregate=old", "aggregate-type=thing", "event-type=EVEN")).toEqual(positions(61, 99, 2));
    expect(await tail("aggregate=old", "aggregate-type=order")).toEqual([]);
    expect(await tail("aggregate=none")).toEqual([]);
  });

  it("finds the newest of a type also where the last of it is long past", async () => {
    expect(await tail("event-type=RARE")).toEqual(["7", "9"]);
  });

  it("shows the newest of all where pages hold less than they might", async () => {
    expect(await tail()).toEqual(positions(EVENTS - 19, EVENTS));
    expect(await tail("event-type=ODD")).toEqual(positions(EVENTS - 38, EVENTS, 2));
  });
});
