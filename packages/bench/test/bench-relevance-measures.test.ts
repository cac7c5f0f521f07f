import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ndcg, reciprocalRank, type Grades } from "../src/support/relevance/measures.ts";

const many = (count: number, grade: number): Grades =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, grade]));

describe("nDCG of the first ten", () => {
  // By hand: gains 7, 3, 1 for grades 3, 2, 1; discounts 1, 1.58496, 2, 2.32193 for ranks 1 to 4.
  it.each<[string, string[], Grades, number]>([
    ["the best order", ["a", "b", "c"], { a: 3, b: 2, c: 1 }, 1],
    ["the worst order: (1 + 3/1.58496 + 7/2) / (7 + 3/1.58496 + 1/2)", ["c", "b", "a"], { a: 3, b: 2, c: 1 }, 0.680606],
    ["a worthless one first: (7/1.58496) / 7", ["x", "a"], { a: 3 }, 0.63093],
    ["half of it found: 7 / (7 + 7/1.58496)", ["a"], { a: 3, b: 3 }, 0.613147],
    ["equal grades the other way about", ["b", "a", "c"], { a: 2, b: 2, c: 1 }, 1],
    [
      "equal grades round a better one: (3 + 7/1.58496 + 3/2) / (7 + 3/1.58496 + 3/2)",
      ["b", "a", "c"],
      { a: 3, b: 2, c: 2 },
      0.857952,
    ],
    ["nothing found", [], { a: 3 }, 0],
    ["nothing relevant and nothing found", [], {}, 1],
    ["nothing relevant and something found", ["x"], {}, 0],
  ])("%s", (_name, found, grades, expected) => {
    expect(ndcg(found, grades)).toBeCloseTo(expected, 5);
  });

  it("asks for ten of a hundred equally good ones, and looks no deeper", () => {
    const grades = many(100, 3);
    const ids = Object.keys(grades);
    expect(ndcg(ids.slice(50, 60), grades)).toBeCloseTo(1, 12);
    expect(ndcg([...Array.from({ length: 10 }, (_, index) => `x${index}`), ...ids], grades)).toBe(0);
  });

  it("is between 0 and 1, and 1 when sorted by grade", () => {
    const graded = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 4 }).filter((id) => id !== "__proto__"),
      fc.integer({ min: 0, max: 3 }),
      { minKeys: 1, maxKeys: 20 },
    );
    fc.assert(
      fc.property(graded, (grades) => {
        fc.pre(Object.values(grades).some((grade) => grade > 0));
        const ids = Object.keys(grades);
        const value = ndcg(ids, grades);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        expect(
          ndcg(
            ids.toSorted((a, b) => grades[b]! - grades[a]!),
            grades,
          ),
        ).toBeCloseTo(1, 12);
      }),
    );
  });
});

describe("the reciprocal rank", () => {
  it.each<[string[], Grades, number]>([
    [["a"], { a: 1 }, 1],
    [["x", "y", "a", "b"], { a: 1, b: 3 }, 1 / 3],
    [[...Array.from({ length: 10 }, (_, index) => `x${index}`), "a"], { a: 3 }, 0],
    [[], { a: 3 }, 0],
    [[], {}, 1],
    [["x"], {}, 0],
  ])("of %j with the grades %j is %d", (found, grades, expected) => {
    expect(reciprocalRank(found, grades)).toBe(expected);
  });
});
