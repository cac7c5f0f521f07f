import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { countEvents, splitPeriod, toEventCounts } from "../src/event-log/model/counts.ts";

const MINUTE_MS = 60_000;
const moments = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});
const optional = fc.option(moments, { nil: undefined });

test("a period is covered by spans that count each of its minutes once, and no other", () => {
  fc.assert(
    fc.property(optional, optional, moments, (since, until, moment) => {
      const counts = countEvents([{ aggregate_type: "a", event_type: "A", timestamp: moment.getTime(), position: 1 }]);
      const counted = splitPeriod(since, until).flatMap(({ unit, from, to }) =>
        counts.filter((count) => count.unit === unit && count.start >= from && count.start < to),
      );
      const minute = Math.floor(moment.getTime() / MINUTE_MS);
      const isIn =
        (since === undefined || minute >= Math.floor(since.getTime() / MINUTE_MS)) &&
        (until === undefined || minute < Math.ceil(until.getTime() / MINUTE_MS));
      expect(counted).toHaveLength(isIn ? 1 : 0);
    }),
    { numRuns: 1_000 },
  );
});

test("what one transaction changes is added up by day, hour, minute and types, with the first and the last position", () => {
  const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`);
  const shared = { aggregate_type: "order", event_type: "ORDER_CREATED" };
  const counts = countEvents([
    { ...shared, position: 5, timestamp: at("10:00:30") },
    { ...shared, position: 6, timestamp: at("10:01:00") },
    { ...shared, position: 7, timestamp: at("10:00:59") },
  ]);
  const day = at("00:00:00") / MINUTE_MS;
  expect(counts).toEqual(
    expect.arrayContaining([
      { ...shared, unit: "day", start: day, events: 3, first_position: 5, last_position: 7 },
      { ...shared, unit: "hour", start: day + 600, events: 3, first_position: 5, last_position: 7 },
      { ...shared, unit: "minute", start: day + 600, events: 2, first_position: 5, last_position: 7 },
      { ...shared, unit: "minute", start: day + 601, events: 1, first_position: 6, last_position: 6 },
    ]),
  );
  expect(
    toEventCounts([
      { ...shared, day, events: 2 },
      { aggregate_type: "__proto__", event_type: "X", day: day - 1_440, events: 1 },
    ]),
  ).toEqual({
    total_events: 3,
    by_event_type: { ORDER_CREATED: 2, X: 1 },
    by_aggregate_type: Object.fromEntries([
      ["__proto__", 1],
      ["order", 2],
    ]),
    by_day: { "2026-11-20": 1, "2026-11-21": 2 },
  });
});
