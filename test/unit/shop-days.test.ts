import { afterEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toPeriod } from "../../broker/contract/period.ts";
import { addDays, createZoneDays, findTimeZone, setShopTimeZone } from "../../mixins/shop/shop-days.ts";
import { toHour } from "../../services/analytics/hours.ts";
import { resolvePeriod, createSlots } from "../../services/analytics/period.ts";

afterEach(() => setShopTimeZone("UTC"));

const ZONES = ["UTC", "America/Chicago", "America/Santiago", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
const moments = fc.date({ min: new Date("1972-01-08"), max: new Date("2060-01-01"), noInvalidDate: true });

it("each moment is of one day, and each day begins where the one before ends", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moments, (zone, at) => {
      const { findDay, findDayStart, findDayEnd } = createZoneDays(zone);
      const day = findDay(at);
      expect(findDayStart(day).getTime()).toBeLessThanOrEqual(at.getTime());
      expect(findDayEnd(day).getTime()).toBeGreaterThan(at.getTime());
      expect(findDay(findDayStart(day))).toBe(day);
      expect(findDay(new Date(findDayStart(day).getTime() - 1)) < day).toBe(true);
      expect(findDayEnd(day)).toEqual(findDayStart(addDays(day, 1)));
    }),
  );
});

it.each([
  ["America/Chicago", "2026-03-08", "2026-03-08T06:00:00.000Z", 23],
  ["America/Chicago", "2026-11-01", "2026-11-01T05:00:00.000Z", 25],
  // Midnight is left out.
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", 23],
  // It comes twice.
  ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
  ["Asia/Kolkata", "2026-11-01", "2026-10-31T18:30:00.000Z", 24],
])("%s: %s begins at %s and has %d hours", (zone, day, start, hours) => {
  const { findDayStart, findDayEnd } = createZoneDays(zone);
  expect(findDayStart(day).toISOString()).toBe(start);
  expect((findDayEnd(day).getTime() - findDayStart(day).getTime()) / 3_600_000).toBe(hours);
});

it.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["europe/berlin", "Europe/Berlin"],
  ["etc/utc", "UTC"],
  ["UTC", "UTC"],
  ["America/Peoria", undefined],
  ["CST6", undefined],
  ["+05:00", undefined],
])("a zone is known by its name alone: %s", (name, zone) => {
  expect(findTimeZone(name)).toBe(zone);
});

it("a date of a period is a day of the shop; a time is what it says", () => {
  setShopTimeZone("America/Chicago");
  expect(toPeriod({ from: "2026-11-01", to: "2026-11-01" })).toEqual({
    start: new Date("2026-11-01T05:00:00Z"),
    end: new Date("2026-11-02T06:00:00Z"),
  });
  expect(toPeriod({ from: "2026-11-01T00:00" })).toMatchObject({ start: new Date("2026-11-01T00:00:00Z") });
  const all = toPeriod({ from: "0001-01-01", to: "9999-12-31" });
  expect([all.start?.toISOString(), all.end?.toISOString()]).toEqual([
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ]);
});

it.each([
  ["America/Chicago", "2026-11-21T05:59:00Z", "2026-11-21T05", "2026-11-20T06:00:00.000Z"],
  ["Asia/Kolkata", "2026-11-20T18:29:00Z", "2026-11-20T18:15", "2026-11-19T18:30:00.000Z"],
  ["Asia/Kathmandu", "2026-11-20T18:14:00Z", "2026-11-20T18", "2026-11-19T18:15:00.000Z"],
])("figures of %s count a moment on its day: the last minute of 2026-11-20", (zone, at, slot, start) => {
  setShopTimeZone(zone);
  const add = (one: number, other: number): number => one + other;
  expect(toHour(new Date(at))).toBe(slot);
  const slots = createSlots<number>("day", 0, add);
  slots.add(toHour(new Date(at)), 1);
  slots.add(toHour(new Date(Date.parse(at) + 60_000)), 5);
  const period = resolvePeriod({ from: "2026-11-20", to: "2026-11-21" }, new Date("2026-12-01T00:00:00Z"), "day");
  expect(period.from.toISOString()).toBe(start);
  const series = slots.listSeries(period, (count) => ({ count }));
  expect(series.map(({ count }) => count)).toEqual([1, 5]);
  const hours = createSlots<number>("hour", 0, add);
  hours.add(toHour(new Date(at)), 1);
  expect(hours.listSeries({ ...period, to: new Date(start) }, (count) => ({ count }))).toEqual([]);
  const last = hours.listSeries(
    resolvePeriod({ from: "2026-11-20", to: "2026-11-20" }, new Date(at), "hour"),
    (count) => ({
      count,
    }),
  );
  expect([last.length, last.at(-1)?.count]).toEqual([24, 1]);
});

it("the longest period is counted in days, also if a clock was put back in it", () => {
  setShopTimeZone("America/Chicago");
  const counted = (from: string) => () => resolvePeriod({ from, to: "2026-11-15" }, new Date("2027-01-01"), "hour");
  expect(counted("2026-10-16")).not.toThrow();
  expect(counted("2026-10-15")).toThrow("31 days");
});
