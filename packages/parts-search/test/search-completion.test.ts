import { describe, expect, it } from "@jest/globals";
import { part as createPart } from "./search-index.documents.ts";
import fc from "fast-check";
import { isAlmostBeginning, listCuts, findMistyped } from "../src/search-index/completion.ts";
import { completeDocument, readCompletion } from "../src/search-index/completions.ts";
import { computeEditDistance } from "../src/search-index/edit-distance.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";
import { ANY_CHARACTER } from "../../../test/support/any-character.ts";

const part = (title: string, more: Partial<IndexDocument> = {}): IndexDocument =>
  createPart("HON", "1", title, { manufacturer: { name: "", code: "HON" }, vendorName: "", skuVariants: [], ...more });
const told = (document: IndexDocument): string[] => [
  ...new Set(completeDocument(document).map((entry) => readCompletion(entry).text)),
];

describe("what may be completed to a part", () => {
  it.each([
    ["Oil Filter, Spin-On, GX160", ["oil", "filter", "oil filter", "spin-on", "spin", "gx160"]],
    ["Head Gasket with Bolts - Cylinder 2", ["head", "gasket", "head gasket", "bolts", "cylinder", "cylinder 2"]],
    [
      "Turf Tire 23x8.50-12 Turf Saver, 4 ply",
      ["turf", "tire", "turf tire", "23x8.50-12", "saver", "turf saver", "ply", "4 ply"],
    ],
    ["Deck Belt, 1/2 in x 68 in", ["deck", "belt", "deck belt"]],
    ["160 V 7, A, of the", ["160 v 7"]],
    ["", []],
  ])("of %j is %j", (title, expected) => {
    expect(told(part(title)).sort()).toEqual([...expected].sort());
  });

  it("are its makers as a whole, and models of its description alone", () => {
    const makers = { manufacturer: { name: "Land Pride", code: "LAN" }, vendorName: "Kuhn" };
    expect(
      told(part("", { ...makers, description: "Fits GX-120, FS730V and 12V. Sold by the piece." })).sort(),
    ).toEqual(["fs730v", "gx-120", "kuhn", "land pride"]);
    expect(completeDocument(part("", makers)).map(readCompletion)).toContainEqual({ key: "pride", text: "land pride" });
  });

  it("are there for any title", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 200 }), (title) => {
        for (const entry of completeDocument(part(title)))
          expect(entry).toMatch(/^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*\t\S(?:[^\t\n]*\S)?$/u);
      }),
    );
  });
});

describe("a query that is typed", () => {
  it("may end in one word or in several of a phrase", () => {
    expect(listCuts("honda  Oil f ")).toEqual([
      { before: "honda  Oil ", keys: ["f"] },
      { before: "honda  ", keys: ["oil f"] },
      { before: "", keys: ["honda oil f"] },
    ]);
    expect(listCuts("23x8.50-1")).toEqual([{ before: "", keys: ["23x8501", "23x85x1"] }]);
    expect(listCuts("fs 730 h").map(({ keys }) => keys)).toEqual([["h"], ["730 h", "730h"], ["fs 730 h", "fs730h"]]);
    expect(listCuts("air-f")).toEqual([{ before: "", keys: ["airf", "air f"] }]);
    for (const q of ["", " ", "<>", "oil &", "B&"]) expect([q, listCuts(q)]).toEqual([q, []]);
  });

  it("is mistyped from four letters on, never in what has a digit", () => {
    const typed = (q: string): string | undefined => findMistyped(listCuts(q)[0]!);
    expect([typed("kaw"), typed("kaws"), typed("gx16o"), typed("oil fltr"), typed("abcdefghijklmnop")]).toEqual([
      undefined,
      "kaws",
      undefined,
      "fltr",
      "abcdefghijkl",
    ]);
  });

  it("begins almost as a word where it is one edit from how that begins, and the first letter is right", () => {
    const letters = fc.stringMatching(/^[abc]{1,7}$/);
    fc.assert(
      fc.property(letters, fc.stringMatching(/^[abc]{4,6}$/), (word, typed) => {
        const isNear = [-1, 0, 1].some(
          (more) =>
            typed.length + more <= word.length && computeEditDistance(typed, word.slice(0, typed.length + more)) <= 1,
        );
        if (word[0] === typed[0] && word[1] === typed[1])
          expect([word, typed, isAlmostBeginning(word, typed)]).toEqual([word, typed, isNear]);
        if (word[0] !== typed[0]) expect([word, typed, isAlmostBeginning(word, typed)]).toEqual([word, typed, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});
