import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import type { Passage, PassageHit, PassageIndex } from "../src/passage-index/port.ts";

export const SYNONYMS = ["carburetor, carb", "muffler, silencer"];

export interface PassageWorld {
  /** Opens the same index each time. */
  open(): Promise<PassageIndex>;
  /** Takes all away from an open index, as an operator does. Returns it, opened again if it was closed for that. */
  lose(index: PassageIndex): Promise<PassageIndex>;
}

export function passage(page: number, text: string, more: Partial<Passage> = {}): Passage {
  return { page, text, equipment: ["GT-2254"], ...more };
}

/** In the plane, at so many degrees. */
function at(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.from([Math.cos(angle), Math.sin(angle), 0]);
}

const pagesOf = (hits: readonly PassageHit[]): string[] => hits.map(({ manual, page }) => `${manual} ${page}`);

/** What every adapter of the passage index promises. */
export function passageIndexContract(name: string, newWorld: () => PassageWorld, { runs }: { runs: number }): void {
  describe(`The passage index (${name})`, () => {
    let index: PassageIndex;
    let world: PassageWorld;
    beforeEach(async () => {
      world = newWorld();
      index = await world.open();
    });
    afterEach(() => index.close());

    const fill = async (): Promise<void> => {
      await index.put({
        manual: "a",
        passages: [
          passage(7, "FIGURE 7: CARBURETOR\nRef  Part No.  Description  Qty\n3  15964-8141  CARBURETOR, COMPLETE  1", {
            schema: "Figure 7: Carburetor",
          }),
          passage(9, "The blade is held by two bolts. Torque the blade bolts to 50 ft-lb.", { heading: "BLADE" }),
          passage(12, "Change the oil filter every 100 hours."),
        ],
      });
      await index.put({
        manual: "b",
        passages: [
          passage(2, "Muffler and exhaust pipe", { equipment: ["RX-100"] }),
          passage(4, "Carburetor of the other machine, and a fuel filter", { equipment: ["RX-100", "RX-200"] }),
        ],
      });
    };

    test("finds passages by any of the words that are asked for, the best first, and gives them as they were put", async () => {
      await fill();
      const hits = await index.byWords({ words: "How many bolts hold the blade?", limit: 5 });
      expect(hits[0]).toEqual({
        manual: "a",
        page: 9,
        text: "The blade is held by two bolts. Torque the blade bolts to 50 ft-lb.",
        equipment: ["GT-2254"],
        score: expect.any(Number),
      });
      expect((await index.byWords({ words: "carburetor 15964-8141", limit: 5 }))[0]).toMatchObject({
        manual: "a",
        page: 7,
      });
      const scores = (await index.byWords({ words: "carburetor oil filter blade", limit: 10 })).map(
        ({ score }) => score,
      );
      expect(scores.length).toBeGreaterThan(3);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(await index.byWords({ words: "carburetor oil filter blade", limit: 2 })).toHaveLength(2);
    });

    test.each([
      ["a number however it is typed", "159648141", "a 7"],
      ["a plural", "mufflers", "b 2"],
      ["what means the same", "silencer", "b 2"],
      ["a slip", "muflfer", "b 2"],
      ["a heading", "blade", "a 9"],
      ["a model", "gt2254 filter", "a 12"],
      ["accents", "cárburetor complete", "a 7"],
    ])("finds %s", async (_what, words, first) => {
      await fill();
      expect(pagesOf(await index.byWords({ words, limit: 3 }))[0]).toBe(first);
    });

    test.each([
      [""],
      ["   "],
      ["how many of the"],
      ["?!"],
      ['" OR ""'],
      ["zzyzx"],
      ["15964-9999"],
      ["models : gt2254 NEAR("],
      ["*"],
    ])("finds nothing for %j", async (words) => {
      await fill();
      expect((await index.byWords({ words, limit: 5 })).filter(({ manual }) => manual === "b")).toEqual([]);
    });

    test("narrows to models in any spelling, and to none where none is named", async () => {
      await fill();
      const found = async (models: string[]) =>
        pagesOf(await index.byWords({ words: "carburetor filter", models, limit: 10 })).sort();
      expect(await found(["gt 2254"])).toEqual(["a 12", "a 7"]);
      expect(await found(["RX-200"])).toEqual(["b 4"]);
      expect(await found(["rx100", "GT2254"])).toEqual(["a 12", "a 7", "b 4"]);
      expect(await found(["RX"])).toEqual([]);
      expect(await found([])).toEqual([]);
      expect(await found(["--"])).toEqual([]);
    });

    test("finds the nearest vectors of the same model and length, by their cosine", async () => {
      await index.put({
        manual: "a",
        vectorModel: "m",
        passages: [
          passage(1, "one", { vector: at(0).map((value) => value * 5) }),
          passage(2, "two", { vector: at(40) }),
          passage(3, "three"),
        ],
      });
      await index.put({
        manual: "b",
        vectorModel: "m",
        passages: [passage(4, "four", { vector: at(90), equipment: ["RX-100"] })],
      });
      await index.put({ manual: "c", vectorModel: "other", passages: [passage(5, "five", { vector: at(0) })] });
      await index.put({
        manual: "d",
        vectorModel: "m",
        passages: [passage(6, "six", { vector: Float32Array.from([1, 0]) })],
      });
      const hits = await index.byVector({ vector: at(10), vectorModel: "m", limit: 10 });
      expect(pagesOf(hits)).toEqual(["a 1", "a 2", "b 4"]);
      for (const [place, angle] of [10, 30, 80].entries())
        expect(hits[place]!.score).toBeCloseTo(Math.cos((angle * Math.PI) / 180), 2);
      expect(pagesOf(await index.byVector({ vector: at(10), vectorModel: "m", limit: 1 }))).toEqual(["a 1"]);
      expect(pagesOf(await index.byVector({ vector: at(0), vectorModel: "m", models: ["rx 100"], limit: 5 }))).toEqual([
        "b 4",
      ]);
      expect(await index.byVector({ vector: at(0), vectorModel: "m", models: [], limit: 5 })).toEqual([]);
      expect(await index.byVector({ vector: at(0), vectorModel: "unknown", limit: 5 })).toEqual([]);
      expect(await index.manuals()).toEqual([
        { manual: "a", passages: 3, vectorModel: "m" },
        { manual: "b", passages: 1, vectorModel: "m" },
        { manual: "c", passages: 1, vectorModel: "other" },
        { manual: "d", passages: 1, vectorModel: "m" },
      ]);
    });

    test("puts a manual in the place of what was known of it, and removes it", async () => {
      await fill();
      await index.put({ manual: "a", passages: [passage(1, "A starter rope")] });
      expect(pagesOf(await index.byWords({ words: "carburetor blade starter", limit: 10 })).sort()).toEqual([
        "a 1",
        "b 4",
      ]);
      expect(await index.manuals()).toEqual([
        { manual: "a", passages: 1 },
        { manual: "b", passages: 2 },
      ]);
      await index.remove("a");
      await index.remove("never there");
      expect(pagesOf(await index.byWords({ words: "carburetor blade starter", limit: 10 }))).toEqual(["b 4"]);
      expect(await index.manuals()).toEqual([{ manual: "b", passages: 2 }]);
      await index.put({ manual: "a", passages: [passage(3, "A starter rope again")] });
      expect(pagesOf(await index.byWords({ words: "starter", limit: 10 }))).toEqual(["a 3"]);
    });

    test("a manual without passages is known, and one with vectors that differ in length is refused and changes nothing", async () => {
      await index.put({ manual: "empty", passages: [] });
      await index.put({ manual: "a", passages: [passage(1, "starter")] });
      await expect(
        index.put({
          manual: "a",
          vectorModel: "m",
          passages: [passage(2, "rope", { vector: at(0) }), passage(3, "rope", { vector: Float32Array.from([1]) })],
        }),
      ).rejects.toThrow("differ in length");
      expect(await index.manuals()).toEqual([
        { manual: "a", passages: 1 },
        { manual: "empty", passages: 0 },
      ]);
      expect(pagesOf(await index.byWords({ words: "starter rope", limit: 5 }))).toEqual(["a 1"]);
    });

    test("no search sees some of the old and some of the new", async () => {
      const generation = (number: number): Passage[] =>
        Array.from({ length: 60 }, (_, page) =>
          passage(page + 1, `muffler generation${number}`, { vector: at(number) }),
        );
      await index.put({ manual: "a", vectorModel: "m", passages: generation(0) });
      let isDone = false;
      const writing = (async () => {
        for (let number = 1; number <= 6; number += 1)
          await index.put({ manual: "a", vectorModel: "m", passages: generation(number) });
        isDone = true;
      })();
      let looks = 0;
      while (!isDone) {
        const found = [
          await index.byWords({ words: "muffler", limit: 100 }),
          await index.byVector({ vector: at(0), vectorModel: "m", limit: 100 }),
        ];
        for (const hits of found) {
          expect([new Set(hits.map(({ text }) => text)).size, hits.length]).toEqual([1, 60]);
          looks += 1;
        }
      }
      await writing;
      expect(looks).toBeGreaterThan(0);
      expect((await index.byWords({ words: "muffler", limit: 1 }))[0]!.text).toBe("muffler generation6");
    });

    test("of two that put a manual at once one counts, whole", async () => {
      const of = (word: string): Passage[] => Array.from({ length: 30 }, (_, page) => passage(page, word));
      const results = await Promise.allSettled([
        index.put({ manual: "a", passages: of("muffler") }),
        index.put({ manual: "a", passages: of("starter") }),
      ]);
      expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
      const [muffler, starter] = [
        await index.byWords({ words: "muffler", limit: 100 }),
        await index.byWords({ words: "starter", limit: 100 }),
      ];
      expect([muffler.length, starter.length].sort((a, b) => a - b)).toEqual([0, 30]);
    });

    test("keeps what was put when it is opened again", async () => {
      await fill();
      await index.put({ manual: "v", vectorModel: "m", passages: [passage(1, "vector", { vector: at(20) })] });
      await index.close();
      index = await world.open();
      expect(pagesOf(await index.byWords({ words: "blade", limit: 5 }))).toEqual(["a 9"]);
      expect(pagesOf(await index.byVector({ vector: at(20), vectorModel: "m", limit: 5 }))).toEqual(["v 1"]);
    });

    test("is empty after a loss, and takes and finds as before", async () => {
      const vector = { manual: "v", vectorModel: "m", passages: [passage(1, "A vector", { vector: at(20) })] };
      await fill();
      await index.put(vector);
      index = await world.lose(index);
      expect(await index.manuals()).toEqual([]);
      expect(await index.byWords({ words: "blade", limit: 5 })).toEqual([]);
      expect(await index.byVector({ vector: at(20), vectorModel: "m", limit: 5 })).toEqual([]);
      index = await world.lose(index);
      await index.put(vector);
      index = await world.lose(index);
      await index.remove("v");
      await fill();
      await index.put(vector);
      expect(await index.manuals()).toEqual([
        { manual: "a", passages: 3 },
        { manual: "b", passages: 2 },
        { manual: "v", passages: 1, vectorModel: "m" },
      ]);
      expect(pagesOf(await index.byWords({ words: "filter", models: ["rx 200"], limit: 5 }))).toEqual(["b 4"]);
      expect(pagesOf(await index.byVector({ vector: at(20), vectorModel: "m", limit: 5 }))).toEqual(["v 1"]);
    });

    test("refuses what is asked of it when it is closed", async () => {
      await index.close();
      await expect(index.byWords({ words: "blade", limit: 5 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      index = await world.open();
    });

    test("finds any passage by a word that it alone has, after any puts and removals", async () => {
      const word = fc.constantFrom("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf");
      const change = fc.record({
        manual: fc.constantFrom("p1", "p2", "p3"),
        words: fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
          const known = new Map<string, string[]>();
          for (const manual of ["p1", "p2", "p3"]) await index.remove(manual);
          for (const { manual, words } of changes) {
            if (words) await index.put({ manual, passages: words.map((text, page) => passage(page, text)) });
            else await index.remove(manual);
            if (words) known.set(manual, words);
            else known.delete(manual);
          }
          for (const asked of ["alpha", "echo", "golf"]) {
            const expected = [...known].flatMap(([manual, words]) =>
              words.flatMap((text, page) => (text === asked ? [`${manual} ${page}`] : [])),
            );
            expect(pagesOf(await index.byWords({ words: asked, limit: 50 })).sort()).toEqual(expected.sort());
          }
          expect((await index.manuals()).map(({ manual }) => manual)).toEqual([...known.keys()].sort());
        }),
        { numRuns: runs },
      );
    });
  });
}
