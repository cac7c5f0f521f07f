import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { addDays, createZoneDays } from "../../mixins/shop/shop-days.ts";
import { findArrival, findReady } from "@partline/toolkit/pure";
import { listSupply, type Stocked, type Supply } from "../../services/search/supply.ts";

const HOURS = ["Mon-Fri 08:00-17:00", "Sat 09:00-12:00"];
const chicago = createZoneDays("America/Chicago");

test.each([
  ["in the morning it is packed today", "2026-12-03T15:00:00Z", 0, { readyOn: "2026-12-03", readyUntil: "17:00" }],
  ["after the last hour, tomorrow", "2026-12-03T23:00:00Z", 0, { readyOn: "2026-12-04" }],
  ["on Saturday until noon", "2026-12-05T17:59:00Z", 0, { readyOn: "2026-12-05", readyUntil: "12:00" }],
  ["on Saturday afternoon, on Monday", "2026-12-05T18:00:00Z", 0, { readyOn: "2026-12-07" }],
  ["a day of handling counts from an open day", "2026-12-05T18:00:00Z", 1, { readyOn: "2026-12-08" }],
  ["it is still Thursday in Chicago", "2026-12-04T04:00:00Z", 1, { readyOn: "2026-12-05" }],
  // The clock goes forward on Sunday, 8 March: the same hour is another moment on Monday.
  ["before the clock changes", "2026-03-06T22:30:00Z", 0, { readyOn: "2026-03-06", readyUntil: "17:00" }],
  ["after the clock changed", "2026-03-09T22:30:00Z", 0, { readyOn: "2026-03-10" }],
  ["over the day of 25 hours", "2026-10-31T18:00:00Z", 1, { readyOn: "2026-11-03" }],
])("%s", (_, now, handlingDays, ready) => {
  expect(findReady({ workHours: HOURS, handlingDays }, chicago, new Date(now))).toEqual(ready);
});

test("what takes no day of the calendar is packed tomorrow once the shop has closed", () => {
  const find = (time: string) =>
    findReady({ workHours: HOURS, handlingDays: 0 }, chicago, new Date(time), { calendarDays: 0 });
  expect(find("2026-12-03T15:00:00Z")).toEqual({ readyOn: "2026-12-03", readyUntil: "17:00" });
  expect(find("2026-12-03T23:00:00Z")).toEqual({ readyOn: "2026-12-04" });
});

test("a shop that never works promises no day", () => {
  expect(findReady({ workHours: [], handlingDays: 0 }, chicago, new Date())).toBeUndefined();
});

test("pieces are ready on a working day that has not ended, no later than others that wait longer", () => {
  const zones = fc.constantFrom("UTC", "America/Chicago", "Australia/Lord_Howe", "Pacific/Apia");
  const moments = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
  const waits = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(zones, moments, waits, waits, (zone, now, handlingDays, workingDays) => {
      const days = createZoneDays(zone);
      const plan = { workHours: HOURS, handlingDays };
      const { readyOn } = findReady(plan, days, now)!;
      expect(new Date(readyOn).getUTCDay()).not.toBe(0);
      expect(readyOn >= days.findDay(now)).toBe(true);
      expect(findReady(plan, days, now, { workingDays })!.readyOn >= readyOn).toBe(true);
      const { readyOn: later } = findReady(plan, days, now, { calendarDays: workingDays })!;
      expect(later >= addDays(days.findDay(now), workingDays)).toBe(true);
    }),
  );
});

test.each([
  ["2026-12-03", 1, "2026-12-04"],
  ["2026-12-04", 1, "2026-12-07"],
  ["2026-12-05", 2.5, "2026-12-09"],
  ["2026-12-03", 0, "2026-12-03"],
])("what leaves on %s and takes %d days arrives on %s", (leavesOn, carrierDays, arrival) => {
  expect(findArrival(leavesOn, carrierDays)).toBe(arrival);
});

const on = (place: string, onHand: number) => ({ place, onHand });

test.each([
  [
    "own ones first",
    { stock: 7, own: 5, held: 1 },
    ["shelf 4 2026-12-03", "dealer 3 2026-12-07", "backorder null null"],
  ],
  ["held ones are gone", { stock: 2, own: 3, held: 4 }, ["dealer 2 2026-12-07", "backorder null null"]],
  [
    "lie at pickup places, unless they are held or lie elsewhere",
    { stock: 7, own: 9, held: 2, shelves: [on("main", 3), on("south", 4), on("attic", 2)] },
    ["shelf 7 2026-12-03 north 1 south 2", "backorder null null"],
  ],
  ["none is left", { stock: 0, backorderDays: 9 }, ["backorder null 2026-12-12"]],
  ["no more than there is", { stock: 1, beyondStock: "up_to_stock" as const }, ["dealer 1 2026-12-07"]],
  ["more may be there", { stock: 2, own: 2, uncounted: true }, ["shelf 2 2026-12-03", "uncounted null null"]],
  ["nobody knows", { stock: null }, []],
])("where pieces come from: %s", (_, stocked: Partial<Stocked> & Pick<Stocked, "stock">, lines) => {
  const pickupPlaces = ["north", "south"].map((id) => ({ id, name: id, address: [], hours: [] }));
  const plan = { workHours: HOURS, handlingDays: 0, dealerDays: 3, pickupPlaces };
  const supply = listSupply({ beyondStock: "sell", ...stocked }, plan, chicago, new Date("2026-12-03T15:00:00Z"));
  const listPlaces = ({ places = [] }: Supply): string[] =>
    stocked.shelves ? places.map(({ place, pieces }) => ` ${place} ${pieces}`) : [];
  const described = supply.map((each) => `${each.from} ${each.pieces} ${each.readyOn}${listPlaces(each).join("")}`);
  expect(described).toEqual(lines);
});
