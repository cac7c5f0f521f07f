import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import type { Rule } from "@partline/api-contracts";
import { createDateWriter } from "../../../gateway/http/dates.ts";

const order: Rule = {
  type: "object",
  props: {
    id: { type: "string" },
    placedAt: { type: "date" },
    shippedAt: { type: "date", optional: true },
    lines: {
      type: "array",
      items: { type: "object", props: { dueAt: { type: "date", nullable: true }, count: { type: "number" } } },
    },
    seenBy: { type: "record", key: { type: "string" }, value: { type: "date" } },
  },
};

const moment = fc.date({ noInvalidDate: true });
const orders = fc.record(
  {
    id: fc.string(),
    placedAt: moment,
    shippedAt: fc.option(moment, { nil: undefined }),
    lines: fc.array(fc.record({ dueAt: fc.option(moment), count: fc.integer() })),
    seenBy: fc.dictionary(fc.string(), moment),
  },
  { requiredKeys: ["id", "placedAt"] },
);

test("the JSON text is the same with the dates written first, and the result itself is left alone", () => {
  const write = createDateWriter(order)!;
  fc.assert(
    fc.property(orders, (value) => {
      const before = structuredClone(value);
      const written = write(value);
      expect(JSON.stringify(written)).toBe(JSON.stringify(value));
      expect(value).toEqual(before);
    }),
  );
});

test("an invalid Date is null, as in JSON", () => {
  expect(createDateWriter({ type: "date" })!(new Date(NaN))).toBeNull();
});

test("no Date is left where the rule has one", () => {
  const holdsDate = (value: unknown): boolean =>
    value instanceof Date || (typeof value === "object" && value !== null && Object.values(value).some(holdsDate));
  const write = createDateWriter(order)!;
  fc.assert(fc.property(orders, (value) => expect(holdsDate(write(value))).toBe(false)));
});

test("a result without dates by its rule needs no writer", () => {
  expect(
    createDateWriter({
      type: "object",
      props: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
    }),
  ).toBeUndefined();
});

test.each([null, undefined, "text", 7, []])("%j in place of an object stays as it is", (value) => {
  expect(createDateWriter(order)!(value)).toBe(value);
});
