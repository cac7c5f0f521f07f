import fc from "fast-check";
import { describe, expect, test } from "@jest/globals";
import { RANGE_PAGES, RANGES_AT_ONCE } from "../../services/pipeline/limits.ts";
import {
  listOutstandingRanges,
  getRangePages,
  findNextRange,
  countRanges,
  getRange,
} from "../../services/pipeline/work/ranges.ts";
import { listRemainingWork } from "../../services/pipeline/work/work-item.ts";

const pageCounts = fc.integer({ min: 1, max: 300 });

describe("the page ranges of a file", () => {
  test("hold each page once, at most ten at a time", () => {
    fc.assert(
      fc.property(pageCounts, (pages) => {
        const seen = Array.from({ length: countRanges(pages) }, (_, range) => getRangePages(range, pages)).flatMap(
          ({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index),
        );
        expect(seen).toEqual(Array.from({ length: pages }, (_, index) => index + 1));
        for (const page of seen) {
          const { from, to } = getRangePages(getRange(page), pages);
          expect(from <= page && page <= to && to - from < RANGE_PAGES).toBe(true);
        }
      }),
    );
  });

  test("are queued a few at a time, each once, in any order of work", () => {
    fc.assert(
      fc.property(pageCounts, fc.infiniteStream(fc.nat()), (pages, choices) => {
        const queued = new Set(listOutstandingRanges(pages, []));
        const done: number[] = [];
        const ever = new Set(queued);
        while (queued.size > 0) {
          expect(queued.size).toBeLessThanOrEqual(RANGES_AT_ONCE);
          expect([...queued].sort((a, b) => a - b)).toEqual(listOutstandingRanges(pages, done));
          const range = [...queued][choices.next().value! % queued.size]!;
          queued.delete(range);
          done.push(range);
          const next = findNextRange(range, pages);
          if (next === undefined) continue;
          expect(ever.has(next)).toBe(false);
          ever.add(next);
          queued.add(next);
        }
        expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: countRanges(pages) }, (_, range) => range));
      }),
    );
  });

  test("what is left of a reading is what its state says is due", () => {
    expect(listRemainingWork({ _id: "r", done: [] })).toEqual([{ kind: "open", reading: "r" }]);
    expect(listRemainingWork({ _id: "r", pages: 25, done: [1] })).toEqual([
      { kind: "range", reading: "r", range: 0 },
      { kind: "range", reading: "r", range: 2 },
    ]);
    expect(listRemainingWork({ _id: "r", pages: 25, done: [2, 0, 1] })).toEqual([{ kind: "assemble", reading: "r" }]);
  });
});
