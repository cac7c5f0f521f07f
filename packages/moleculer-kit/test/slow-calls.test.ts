import { expect, test } from "@jest/globals";
import { getSlowLimit, SlowCalls } from "../src/slow-calls.ts";

test("what is slow over and over has a line in ten seconds, which counts those before it", () => {
  const lines: object[] = [];
  let now = 0;
  const slow = new SlowCalls({ warn: (fields) => void lines.push(fields) }, () => now);
  for (now = 0; now < 30_000; now += 100) {
    slow.tell("action", "cart.get", 1_234.5, {});
    slow.tell("route", "GET /api/cart", 2_000, {});
  }
  expect(lines.filter((line) => "action" in line)).toEqual([
    { action: "cart.get", ms: 1_235 },
    { action: "cart.get", ms: 1_235, more: 99 },
    { action: "cart.get", ms: 1_235, more: 99 },
  ]);
  expect(lines).toHaveLength(6);
});

test.each([
  ["an action without a time of its own", undefined, 1_000],
  ["one that must be quick", 300, 1_000],
  ["one with the usual time", 10_000, 1_000],
  ["one that has minutes", 300_000, 150_000],
])("%s is slow after what fits it", (_, timeout, after) => {
  expect(getSlowLimit(1_000, timeout)).toBe(after);
});
