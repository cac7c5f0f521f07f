import { expect, test } from "@jest/globals";
import { Standstill } from "../../broker/calls/standstill.ts";

/** @param notes milliseconds at which the process notes that it runs */
function after(notes: number[], askedAt: number): boolean {
  let now = 0;
  const standstill = new Standstill(() => now);
  for (const at of notes) {
    now = at;
    standstill.note();
  }
  now = askedAt;
  return standstill.isJustOver;
}

test.each([
  ["runs", [250, 500, 750], 900, false],
  ["is slow", [250, 500, 5_000], 5_100, false],
  ["reads what came while it hung, before its timer runs", [250, 500], 8_500, true],
  ["reads on, after its timer has run", [250, 500, 8_500, 8_750], 9_400, true],
  ["has read all that", [250, 500, 8_500, 8_750, 9_000, 9_250], 9_600, false],
])("a process that %s", (_what, notes, askedAt, stale) => {
  expect(after(notes, askedAt)).toBe(stale);
});
