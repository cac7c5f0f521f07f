import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { resolvePeriod, createSlots } from "../../services/analytics/period.ts";
import { HOUR_MS, toHour } from "../../services/analytics/hours.ts";

const now = new Date("2026-11-21T10:30:00Z");
const refusal = (ends: { from?: string; to?: string }, interval: "hour" | "day" = "day") => {
  try {
    resolvePeriod(ends, now, interval);
  } catch (error) {
    return error;
  }
  throw new Error("It was not refused");
};

describe("A counted period", () => {
  it("is the last 30 days by default, whole hours in any case", () => {
    const span = (from: string, to: string) => ({ from: new Date(`${from}:00Z`), to: new Date(`${to}:00Z`) });
    expect(resolvePeriod({}, now)).toEqual(span("2026-10-23T00:00", "2026-11-21T11:00"));
    expect(resolvePeriod({ to: "2026-11-10" }, now)).toEqual(span("2026-10-12T00:00", "2026-11-11T00:00"));
    const within = { from: "2026-11-20T08:59:59Z", to: "2026-11-20T10:00:01+01:00" };
    expect(resolvePeriod(within, now)).toEqual(span("2026-11-20T08:00", "2026-11-20T10:00"));
  });

  it("stays in the years 1 to 9999, for any dates", () => {
    for (const ends of [
      { from: "9999-12-01", to: "9999-12-31" },
      { to: "0001-01-03" },
      { to: "9999-12-31T23:59:59Z" },
    ]) {
      const { from, to } = resolvePeriod(ends, now);
      const written = [from, to].map((end) => end.toISOString());
      for (const end of written) expect(end).toMatch(/^\d{4}-/);
      expect(written[0]! >= "0001-01-01" && from < to).toBe(true);
    }
  });

  it("is refused by the field that is wrong", () => {
    for (const ends of [
      { from: "2026-11-21", to: "2026-11-20" },
      { from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:00:00Z" },
      { from: "2026-11-20T10:10:00Z", to: "2026-11-20T10:05:00Z" },
      { from: "2020-01-01" },
    ])
      expect(refusal(ends)).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "from" }] });
    const hours = refusal({ from: "2026-10-20T09:00:00Z", to: "2026-11-20T10:00:00Z" }, "hour");
    expect(hours).toMatchObject({ data: [{ field: "interval" }] });
    expect(() =>
      resolvePeriod({ from: "2026-10-20T10:00:00Z", to: "2026-11-20T10:00:00Z" }, now, "hour"),
    ).not.toThrow();
  });

  it("has a slot for each of its hours or days, and every row in one", () => {
    const start = fc.integer({ min: 0, max: 24 * 40 }).map((hours) => new Date(Date.UTC(2026, 9, 1) + hours * HOUR_MS));
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 1, max: 24 * 31 }),
        fc.constantFrom("hour", "day"),
        (from, hours, interval) => {
          const to = new Date(from.getTime() + hours * HOUR_MS);
          const rows = Array.from({ length: hours }, (_, n): [string, number] => [
            toHour(new Date(from.getTime() + n * HOUR_MS)),
            n,
          ]);
          const slots = createSlots<number[]>(interval, [], (one, other) => [...one, ...other]);
          for (const [hour, n] of rows) slots.add(hour, [n]);
          const series = slots.listSeries({ from, to }, (held) => ({ held }));
          expect(series.flatMap(({ held }) => held)).toEqual(rows.map(([, n]) => n));
          for (const { start: begins, held } of series) expect(toHour(begins)).toBe(rows[held[0]!]![0]);
          const days = new Set(rows.map(([hour]) => hour.slice(0, 10)));
          expect(series).toHaveLength(interval === "hour" ? hours : days.size);
        },
      ),
    );
  });
});
