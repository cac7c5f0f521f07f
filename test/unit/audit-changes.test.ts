import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { diffValues } from "../../broker/audit/changes.ts";
import { any, array, date, integer, object, record, string } from "@partline/api-contracts";

const rule = object("Order", {
  status: string(),
  note: string({ personal: true, nullable: true }),
  address: object("Address", { city: string() }, { personal: true, nullable: true }),
  lines: array(object("Line", { number: string(), buyer: string({ personal: true }) })),
  shippedAt: date({ nullable: true }),
  counts: record(string(), integer()),
  payload: any(),
});
const order = {
  status: "pending",
  note: null as string | null,
  address: { city: "Springfield" } as { city: string } | null,
  lines: [{ number: "A", buyer: "Ada" }],
  shippedAt: null as Date | null,
  counts: { a: 1 } as Record<string, number>,
  payload: { who: "Ada" } as unknown,
};

describe("diffValues", () => {
  test("names the fields that differ, and no others", () => {
    const shippedAt = new Date("2026-11-21T09:30:00Z");
    const after = { ...order, status: "shipped", shippedAt, counts: { a: 1, b: 2 } };
    expect(diffValues(rule, order, after)).toEqual([
      { field: "status", before: "pending", after: "shipped" },
      { field: "shippedAt", before: null, after: "2026-11-21T09:30:00.000Z" },
      { field: "counts.b", before: null, after: 2 },
    ]);
    expect(diffValues(rule, order, { ...order })).toEqual([]);
  });

  test("has all of what was made or deleted", () => {
    const made = diffValues(rule, undefined, order);
    expect(made).toContainEqual({ field: "lines.0.number", before: null, after: "A" });
    const deleted = diffValues(rule, order, undefined);
    expect(deleted.map(({ field }) => field)).toEqual(made.map(({ field }) => field));
    expect(deleted.every(({ after }) => after === null)).toBe(true);
  });

  test("takes no inherited member for a value", () => {
    const counts = JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, number>;
    const changes = diffValues(rule, { ...order, counts: {} }, { ...order, counts });
    expect(changes.find(({ field }) => field === "counts.constructor")).toMatchObject({ before: null, after: 2 });
  });

  test("says that personal data and what has no rule changed, and never how", () => {
    const name = fc.string({ minLength: 12 }).map((text) => `§${text}`);
    fc.assert(
      fc.property(name, name, (before, after) => {
        const of = (text: string) => ({
          ...order,
          note: text,
          address: { city: text },
          lines: [{ number: "A", buyer: text }],
          payload: { deep: [text] },
        });
        const changes = diffValues(rule, of(before), of(after));
        expect(JSON.stringify(changes)).not.toContain("§");
        if (before !== after)
          expect(changes.map(({ field }) => field)).toEqual(["note", "address.city", "lines.0.buyer", "payload"]);
      }),
    );
  });

  test("is bounded for any change", () => {
    const lines = Array.from({ length: 10_000 }, () => ({ number: "x".repeat(5_000), buyer: "" }));
    const changes = diffValues(rule, order, { ...order, lines });
    expect(changes).toHaveLength(200);
    expect(JSON.stringify(changes).length).toBeLessThan(300_000);
  });
});
