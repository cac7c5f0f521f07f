import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { computeLeadDays } from "../../services/catalog/lead-times.ts";

const DAY_MS = 24 * 60 * 60_000;
const createdAt = new Date("2026-11-01T08:00:00Z");
const take = (days: number) => ({ createdAt, updatedAt: new Date(createdAt.getTime() + days * DAY_MS) });

test("the usual time of purchases is one in which four of five came, and nothing of fewer than three", () => {
  expect(computeLeadDays([0.1, 2, 3, 4.2, 60].map(take))).toBe(5);
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 90, noNaN: true }), { maxLength: 20 }), (days) => {
      const usual = computeLeadDays(days.map(take));
      if (days.length < 3) return expect(usual).toBeUndefined();
      expect(days.filter((count) => count <= usual!).length).toBeGreaterThanOrEqual(days.length * 0.8);
      expect(days.some((count) => Math.max(1, Math.ceil(count)) === usual)).toBe(true);
    }),
  );
});
