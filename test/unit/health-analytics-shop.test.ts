import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Condition, IncidentDocument } from "../../services/health-analytics/collections.ts";
import { followCause, findCauses } from "../../services/health-analytics/incidents.ts";
import { listDueNotices, NOTICE_AFTER_MS } from "../../services/health-analytics/notices.ts";
import { areOrdersMissing, followCondition } from "../../services/health-analytics/shop-checks.ts";

const HOUR = 3_600_000;
const NOW = new Date("2026-11-25T15:20:00Z");
const LAST_HOUR = Math.floor(NOW.getTime() / HOUR);

/** Orders of the 29 days before, by the hour and how many hours ago it was. */
const countBy = (orders: (hourOfDay: number, hoursAgo: number) => number) =>
  Array.from({ length: 29 * 24 }, (_, hoursAgo) => {
    const start = new Date((LAST_HOUR - hoursAgo) * HOUR);
    return { start, orders: orders(start.getUTCHours(), hoursAgo) };
  });
const isOpenAt = (hour: number): boolean => hour >= 8 && hour < 18;

test.each<[string, number, number, boolean]>([
  ["four an hour, silent for an hour", 4, 2, false],
  ["four an hour, silent for two", 4, 3, true],
  ["one an hour, silent for the seven since the shop has opened", 1, 8, false],
  ["one an hour, silent since yesterday afternoon", 1, 24, true],
  ["hardly any orders, ever", 0, 29 * 24, false],
])("%s: orders are missing or not", (_, perHour, silentHours, isMissing) => {
  const counts = countBy((hour, ago) => (isOpenAt(hour) && ago >= silentHours ? perHour : 0));
  expect(areOrdersMissing(counts, NOW)).toBe(isMissing);
});

test("nobody misses orders while the shop is usually closed, or as long as one came", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 23 }), (orders, ago) => {
      expect(
        areOrdersMissing(
          countBy((_, hoursAgo) => (hoursAgo === ago ? orders + 1 : 9)),
          NOW,
        ),
      ).toBe(false);
      const night = new Date("2026-11-25T07:59:00Z");
      const counts = countBy((hour, hoursAgo) => (isOpenAt(hour) && hoursAgo > 24 ? 3 : 0));
      const sinceEvening = counts.map(({ start, orders: n }) => ({ start, orders: start < night ? n : 0 }));
      const closing = { start: new Date("2026-11-24T17:00:00Z"), orders: 1 };
      expect(areOrdersMissing([...sinceEvening, closing], night)).toBe(false);
    }),
  );
});

test("a refund is an incident once it has been due for an hour, and ends with it", () => {
  let condition: Condition | null = null;
  let incident: IncidentDocument | undefined;
  const states: string[] = [];
  for (let minute = 0; minute <= 100; minute += 1) {
    const now = new Date(NOW.getTime() + minute * 60_000);
    condition = followCondition(condition, "refunds", minute < 80, now) ?? condition;
    const [cause] = findCauses([], now.getTime(), [], condition ? [condition] : []);
    incident =
      followCause(cause ?? { kind: "refunds", subject: "shop", spells: [] }, incident, now.getTime()).at(-1) ??
      incident;
    if (incident) states.push(`${minute} ${incident.isOpen}`);
  }
  expect(states.at(0)).toBe("60 true");
  expect(states.find((state) => state.endsWith("false"))).toBe("80 false");
  expect(incident).toMatchObject({ kind: "refunds", spells: 1, startedAt: NOW });
});

test("an incident has one notice of its beginning and one of its end, and a short one has none", () => {
  const spell = fc.record({ minutes: fc.integer({ min: 0, max: 20 }), calm: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(spell, ({ minutes, calm }) => {
      const ended = new Date(NOW.getTime() + minutes * 60_000);
      let incident = { startedAt: NOW, endedAt: null, isOpen: true } as unknown as IncidentDocument;
      const states: string[] = [];
      for (let minute = 0; minute <= minutes + calm; minute += 1) {
        if (minute === minutes) incident = { ...incident, isOpen: false, endedAt: ended };
        for (const { state } of listDueNotices([incident], NOW.getTime() + minute * 60_000)) {
          states.push(state);
          incident = { ...incident, noticed: state };
        }
      }
      const least = NOTICE_AFTER_MS / 60_000;
      const wasNoticed = minutes > least;
      expect(states).toEqual([...(wasNoticed ? ["open"] : []), ...(wasNoticed && calm >= least ? ["ended"] : [])]);
    }),
  );
});
