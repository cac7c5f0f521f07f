import { describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { Beginnings } from "../src/fitment-index/beginnings.ts";
import { ModelFinder } from "../src/fitment-index/model-finder.ts";
import type { Model } from "../src/fitment-index/model-names.ts";
import { Models } from "../src/fitment-index/models.ts";

const KNOWN: Model[] = [
  { equipment: "GT-2260", manufacturer: "Cub Crafter" },
  { equipment: "GT-2254", manufacturer: "Cub Crafter" },
  { equipment: "gt 2254", manufacturer: "CUB CRAFTER" },
  { equipment: "GT-2254H", manufacturer: "Cub Crafter" },
  { equipment: "GT-2254", manufacturer: "Meadow" },
  { equipment: "GTX 100 Garden Tractor", manufacturer: "Meadow" },
  { equipment: "Meadow RX-48B", manufacturer: "Meadow" },
  { equipment: "YTH 22V46", manufacturer: "Husqvarna" },
  { equipment: "Ranger" },
];
const finder = await ModelFinder.build(KNOWN, new Models(KNOWN));
const first = { offset: 0, limit: 20 };
const idsOf = (asked: { make?: string; q?: string }): string[] =>
  finder.findModels({ ...asked, ...first }).found.map(({ id }) => id);

describe("models of machines", () => {
  test("are listed once each, in the order of their names, and by their make", () => {
    expect(idsOf({})).toEqual([
      ..."cub-crafter-gt-2254 meadow-gt-2254 cub-crafter-gt-2254h cub-crafter-gt-2260".split(" "),
      ..."meadow-gtx-100-garden-tractor meadow-rx-48b ranger husqvarna-yth-22v46".split(" "),
    ]);
    expect(finder.findModels({ make: "cubcrafter", offset: 1, limit: 1 })).toEqual({
      found: [{ id: "cub-crafter-gt-2254h", equipment: "GT-2254H", manufacturer: "Cub Crafter" }],
      total: 3,
      isNear: false,
    });
    expect(finder.findMakes(first).found).toEqual([
      { make: "Cub Crafter", models: 3 },
      { make: "Husqvarna", models: 1 },
      { make: "Meadow", models: 3 },
    ]);
  });

  test.each([
    ["gt-2254", ["cub-crafter-gt-2254", "meadow-gt-2254", "cub-crafter-gt-2254h"]],
    ["gt22", ["cub-crafter-gt-2254", "meadow-gt-2254", "cub-crafter-gt-2254h", "cub-crafter-gt-2260"]],
    ["2260", ["cub-crafter-gt-2260"]],
    ["22v", ["husqvarna-yth-22v46"]],
    ["meadow r", ["meadow-rx-48b"]],
    ["cub crafter gt2260", ["cub-crafter-gt-2260"]],
    ["blade for a GTX 100", ["meadow-gtx-100-garden-tractor"]],
  ])("%j begins or names them", (q, expected) => {
    expect(idsOf({ q })).toEqual(expected);
    expect(finder.findModels({ q, ...first }).isNear).toBe(false);
  });

  test.each([
    ["gt-2206", ["cub-crafter-gt-2260"]],
    ["gt226o", ["cub-crafter-gt-2260"]],
    ["huskvarna yth22", ["husqvarna-yth-22v46"]],
    ["ragner", ["ranger"]],
  ])("%j is a slip or two away from them", (q, expected) => {
    expect(idsOf({ q })).toEqual(expect.arrayContaining(expected));
    expect(finder.findModels({ q, ...first })).toMatchObject({ found: [{ id: expected[0] }], isNear: true });
  });

  test.each(["zz-9999", "---", "gx9", "unknown machine"])("%j is none", (q) => {
    expect(finder.findModels({ q, ...first })).toEqual({ found: [], total: 0, isNear: false });
  });

  test("of a make that is typed with a slip, or begun, or not there", () => {
    expect(idsOf({ make: "Huskvarna" })).toEqual(["husqvarna-yth-22v46"]);
    expect(idsOf({ make: "cub", q: "gt-2254" })).toEqual(["cub-crafter-gt-2254", "cub-crafter-gt-2254h"]);
    expect(idsOf({ make: "No Such Make" })).toEqual([]);
    expect(finder.findMakes({ q: "medow", ...first })).toEqual({
      found: [{ make: "Meadow", models: 3 }],
      total: 1,
      isNear: true,
    });
    expect(finder.findMakes({ q: "craft", ...first }).found.map(({ make }) => make)).toEqual(["Cub Crafter"]);
  });

  test("an id means its models as typed text", () => {
    for (const { id, equipment } of finder.findModels(first).found)
      expect(new Models(KNOWN).findNamed(id).map((model) => model.equipment)).toContain(equipment);
  });
});

test("keys are found by beginnings with slips as by comparing each with each", () => {
  const letters = fc.constantFrom(..."AB12");
  const words = fc.string({ unit: letters, minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), words, fc.integer({ min: 0, max: 2 }), (keys, typed, most) => {
      const found = new Map<string, number>();
      new Beginnings(keys.map((key, entry) => ({ key, entry }))).near(typed, most, (entry, slips) =>
        found.set(keys[entry]!, slips),
      );
      const expected = new Map(
        keys.map((key) => [key, slipsOf(typed, key)] as const).filter(([, slips]) => slips <= most),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

/** Least slips between what was typed and a beginning of the key. */
function slipsOf(typed: string, key: string): number {
  return Math.min(...Array.from({ length: key.length + 1 }, (_, length) => distance(typed, key.slice(0, length))));
}

/** Restricted Damerau distance, as its definition says. */
function distance(one: string, other: string): number {
  const rows = [...one, ""].map(() => new Array<number>(other.length + 1).fill(0));
  for (let i = 0; i <= one.length; i += 1)
    for (let j = 0; j <= other.length; j += 1) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      rows[i]![j] =
        i === 0 || j === 0
          ? i + j
          : Math.min(
              rows[i - 1]![j]! + 1,
              rows[i]![j - 1]! + 1,
              rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1),
              isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
            );
    }
  return rows[one.length]![other.length]!;
}
