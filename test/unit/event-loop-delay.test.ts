import { EventLoopDelay } from "@partline/toolkit";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";

let watched: EventLoopDelay;
beforeEach(() => {
  watched = new EventLoopDelay();
  watched.start();
});
afterEach(() => watched.stop());

test("reports that an idle loop is not late, for any time between two looks at it", async () => {
  await eventually(async () => {
    await delay(300);
    const { p50, max } = watched.take();
    return max > 0 && p50 < 5;
  }, 60_000);
}, 90_000);

test("reports how long it stood still, once", async () => {
  await delay(100);
  const until = performance.now() + 300;
  while (performance.now() < until);
  await delay(100);
  const { max, utilization } = watched.take();
  expect(max).toBeGreaterThan(200);
  expect(utilization).toBeGreaterThan(0.3);
  const next = watched.take();
  expect([next.p50, next.max]).toEqual([0, 0]);
});
