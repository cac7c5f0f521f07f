import { expect, test } from "@jest/globals";
import { createStandstill } from "../src/calls/standstill.ts";

/** @param notes milliseconds at which the process notes that it runs */
function after(notes: number[], askedAt: number): { stale: boolean; told: number[] } {
  let now = 0;
  const told: number[] = [];
  const standstill = createStandstill(
    (hungMs) => told.push(hungMs),
    () => now,
  );
  for (const at of notes) {
    now = at;
    standstill.note();
  }
  now = askedAt;
  return { stale: standstill.isJustOver(), told };
}

test.each([
  ["runs", [250, 500, 750], 900, false, []],
  ["is slow", [250, 500, 5_000], 5_100, false, []],
  ["reads what came while it hung, before its timer runs", [250, 500], 8_500, true, [8_000]],
  ["reads on, after its timer has run", [250, 500, 8_500, 8_750], 9_400, true, [8_000]],
  ["has read all that", [250, 500, 8_500, 8_750, 9_000, 9_250], 9_600, false, [8_000]],
])("a process that %s", (_what, notes, askedAt, stale, told) => {
  expect(after(notes, askedAt)).toEqual({ stale, told });
});
