import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { CompletionIndex } from "../src/search-index/embedded/completion-index.ts";
import { RowValuesPool } from "../src/search-index/embedded/row-values.ts";
import { toSearchable } from "../src/search-index/embedded/searchable.ts";
import { WordIndex } from "../src/search-index/embedded/word-index.ts";

/** Of which many begin alike, for longer than a head, and some are not of ASCII. */
const term = fc
  .tuple(fc.constantFrom("", "é", "aaaaaa", "aaaaaaé"), fc.stringMatching(/^[abéü\u007f]{1,3}$/))
  .map((pieces) => pieces.join(""));
const rows = fc.array(fc.dictionary(term, fc.integer({ min: 1, max: 255 })), { maxLength: 30 });

it("the inverted index knows what was added to it, in between as well", () => {
  const pool = new RowValuesPool();
  fc.assert(
    fc.property(rows, term, fc.constantFrom(0.5, 1), (documents, asked, factor) => {
      const index = new WordIndex();
      for (const [row, weights] of documents.entries()) {
        for (const [text, weight] of Object.entries(weights)) index.add(row + 1, text, weight);
        const known = new Set(documents.slice(0, row + 1).flatMap((each) => Object.keys(each)));
        expect([...index.listIdsByBeginning(asked)].map((id) => index.getTerm(id))).toEqual(
          [...known].filter((text) => text.startsWith(asked)).sort(),
        );
      }
      const having = documents.flatMap((weights, row) =>
        weights[asked] === undefined ? [] : [[row + 1, weights[asked] * factor] as const],
      );
      const id = index.findId(asked);
      expect(id === undefined ? 0 : index.getFrequency(id)).toBe(having.length);
      if (id === undefined) return;
      pool.releaseAll();
      const best = pool.take(documents.length + 1);
      index.raise(id, factor, best);
      index.raise(id, factor / 2, best);
      expect([...best.rows].map((row) => [row, best.values[row]])).toEqual(having);
      expect([...index.getRows(id)]).toEqual(having.map(([row]) => row));
    }),
  );
});

it("a view of the inverted index knows what was there when it was made, not what is added later", () => {
  const pool = new RowValuesPool();
  fc.assert(
    fc.property(fc.array(fc.dictionary(term, fc.integer({ min: 1, max: 255 })), { maxLength: 300 }), (documents) => {
      const index = new WordIndex();
      const views: { rows: number; known: WordIndex }[] = [];
      for (const [row, weights] of documents.entries()) {
        for (const [text, weight] of Object.entries(weights)) index.add(row + 1, text, weight);
        if (row % 7 === 0) views.push({ rows: row + 1, known: WordIndex.of(index.view()) });
      }
      for (const { rows: seen, known } of views) {
        const before = documents.slice(0, seen);
        const terms = [...new Set(before.flatMap((each) => Object.keys(each)))].sort();
        expect([...known.listIdsByBeginning("")].map((id) => known.getTerm(id))).toEqual(terms);
        for (const text of terms) {
          pool.releaseAll();
          const best = pool.take(seen + 1);
          known.raise(known.findId(text)!, 1, best);
          expect([...best.rows].map((row) => [row, best.values[row]])).toEqual(
            before.flatMap((each, row) => (each[text] === undefined ? [] : [[row + 1, each[text]]])),
          );
        }
      }
    }),
  );
});

it("a view of the completions counts what was there when it was made, not what is added later", () => {
  const index = new CompletionIndex();
  const views: { rows: number; known: CompletionIndex }[] = [];
  for (let row = 1; row <= 1_000; row += 1) {
    index.add(row, `head Belt M${row}`);
    if (row % 50 === 0) views.push({ rows: row, known: CompletionIndex.of(index.view()) });
  }
  for (const { rows: seen, known } of views) {
    const [belt] = known.listIdsByBeginning("belt\t");
    expect(known.count(belt!, seen + 1, () => true)).toBe(seen);
  }
});

it("values that are taken again are empty, also after use", () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 50 })), { maxLength: 10 }), (rounds) => {
      const pool = new RowValuesPool();
      for (const [round, filled] of rounds.entries()) {
        pool.releaseAll();
        const values = pool.take(51 + round);
        expect([[...values.rows], values.values.filter((value) => value !== 0).length]).toEqual([[], 0]);
        for (const row of filled) values.raise(row, row);
        expect([...values.rows]).toEqual(filled);
      }
    }),
  );
});

describe("a word", () => {
  const document = (title: string, description: string) => ({
    id: "bns-1",
    slug: "bns-1",
    sku: "CT-BNS-1",
    skuVariants: [],
    partNumber: "1",
    pnNorm: "1",
    title,
    description,
    manufacturer: { name: "Briggs", code: "BNS" },
    vendorName: "Briggs",
    vendorAliases: ["Briggs Engines"],
    category: "parts",
    price: null,
    imageUrl: null,
    status: "active" as const,
    availability: "unknown" as const,
    sources: [],
    createdAt: new Date(0),
    updatedAt: new Date(0),
    isTire: false,
  });
  const weightOf = (title: string, description = "", word = "belt"): number => {
    const { terms, weights } = toSearchable(document(title, description));
    return weights[terms.indexOf(word)]!;
  };

  it("weighs more in a title than in a description, and more in a short title", () => {
    const [short, long, elsewhere] = [
      weightOf("Belt"),
      weightOf("Heavy Duty Front Mower Deck Belt"),
      weightOf("Blade", "Drives the belt"),
    ];
    expect(short).toBeGreaterThan(long);
    expect(long).toBeGreaterThan(elsewhere);
  });

  it("weighs more in front of a title's first comma than behind it, however long that is", () => {
    const behind = weightOf("Pulley, Belt");
    expect(weightOf("Belt, Drive")).toBeGreaterThan(behind);
    expect(weightOf("Belt,Drive")).toBe(weightOf("Belt, Drive, 1/2 in x 68 in, 650 Series"));
    expect(weightOf("Pulley, V, for the belt of any deck")).toBe(behind);
    expect(weightOf("1,000 Hour Belt")).toBeGreaterThan(behind);
    expect(weightOf(", Belt")).toBe(behind);
  });

  it("weighs more as what the part is than beside it, however long the title is", () => {
    const beside = weightOf("Belt Guard");
    for (const title of [
      "Drive Belt",
      "Reinforced Front Left Mower Deck Drive Belt Assembly",
      "Belt with Guard",
      "Belt 48 in",
      "Belt 23x8.50-12 Guard",
      "54 in Belt",
      "Belt and Guard Assembly",
    ]) {
      expect([title, weightOf(title) > beside]).toEqual([title, true]);
    }
    for (const title of ["Guard for Belt", "Belt Tensioner Repair Kit", "Guard, Belt"])
      expect([title, weightOf(title) < beside]).toEqual([title, true]);
  });

  it("weighs less as a name of the maker than anywhere in a title", () => {
    const maker = weightOf("Belt", "", "engine");
    for (const title of ["Engine Belt", "Belt, Engine", `Belt ${"wide ".repeat(40)}`]) {
      expect(weightOf(title)).toBeGreaterThan(maker);
      expect(weightOf(title)).toBeGreaterThanOrEqual(weightOf("Pulley, Belt"));
    }
  });

  it("weighs at most 255, wherever it is", () => {
    const { weights } = toSearchable({
      ...document("Belt, Belt", "belt"),
      partNumber: "Belt",
      vendorName: "Belt",
      category: "Belts",
    });
    expect(weights[0]).toBeLessThanOrEqual(255);
    expect(weights[0]).toBeGreaterThan(weightOf("Belt, Belt", "belt"));
  });
});
