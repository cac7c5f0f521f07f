import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { addDays } from "../../mixins/shop/shop-days.ts";
import { findPrecedingPeriod } from "../../packages/web/src/console/shared/period.ts";

test("the period before has as many days, and ends on the day before", () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays("2020-01-01", days));
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 400 }), (from, days) => {
      const preceding = findPrecedingPeriod({ from, to: addDays(from, days - 1) }, 0);
      expect(preceding).toEqual({ from: addDays(from, -days), to: addDays(from, -1) });
    }),
  );
});

test("of days up to now", () => {
  const now = Date.UTC(2026, 10, 29, 12);
  expect(findPrecedingPeriod({ days: 7 }, now)).toEqual({ from: "2026-11-16", to: "2026-11-22" });
});
