import { splitChunks, toSingular, splitTerms } from "@partline/parts-language/terms";
import { isWorthShowing } from "@partline/parts-language/words";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { computeEditDistance } from "../../packages/parts-search/src/search-index/edit-distance.ts";
import { createCorrector } from "../../packages/parts-search/src/embedded-index/corrector.ts";
import { selectFirst } from "../../packages/parts-search/src/search-index/embedded/first-in-order.ts";
import { createDatedName } from "../../packages/parts-search/src/search-index/dated-names.ts";
import { countPages } from "@partline/parts-search";
import { presentFacets } from "../../packages/parts-search/src/search-index/shown.ts";
import { toSearchQuery } from "../../services/search/query.ts";
import { createSupplierCoder, routeToIndex } from "../../services/search/routing.ts";
import { testSettings } from "../support/test-settings.ts";
import { ANY_CHARACTER } from "../support/any-character.ts";

const params = { page: 1, status: "active", sort: "relevance" } as const;

describe("a search's parameters", () => {
  it("become cents, offset and limit", () => {
    const asked = { ...params, page: 3, limit: 10, minPrice: 0.1, maxPrice: 19.99, category: ["Belts", " "] };
    const query = {
      ...{ q: "", countsMachines: true, categories: ["Belts"], manufacturers: [], minPrice: 10, maxPrice: 1_999 },
      ...{ status: "active", sort: "relevance", offset: 20, limit: 10 },
    };
    expect(toSearchQuery(asked)).toEqual({ query, page: 3, pageSize: 10 });
    expect(toSearchQuery(params).pageSize).toBe(20);
  });

  it("are refused by name when they contradict each other or go too deep", () => {
    expect(() => toSearchQuery({ ...params, minPrice: 2, maxPrice: 1 })).toThrow("'minPrice'");
    expect(() => toSearchQuery({ ...params, page: 101, limit: 100 })).toThrow("'page'");
    expect(toSearchQuery({ ...params, page: 100, limit: 100 }).query.offset).toBe(9_900);
  });
});

it("the number of pages is that of the pages that can be asked for", () => {
  expect([countPages(0, 20), countPages(1, 20), countPages(41, 20), countPages(10_000, 100)]).toEqual([0, 1, 3, 100]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 100 }), (total, limit) => {
      const last = countPages(total, limit);
      expect(toSearchQuery({ ...params, page: last, limit }).query.offset).toBeLessThan(total);
      // The page behind it has nothing, or lies too deep.
      if (last * limit < total) expect(() => toSearchQuery({ ...params, page: last + 1, limit })).toThrow("'page'");
    }),
  );
});

it("a facet's category is shown as it is, and the one of parts in none as the rest", () => {
  const price = { min: null, max: null, ranges: [] };
  const category = ["Belts", "parts"].map((value) => ({ value, label: value, count: 3 }));
  expect(
    presentFacets({ manufacturer: [], category, availability: [], machine: [], attributes: {}, price }).category,
  ).toEqual([
    { value: "Belts", label: "Belts", count: 3 },
    { value: "parts", label: "Other parts", count: 3 },
  ]);
});

it("a suggestion of words that say nothing is not shown", () => {
  for (const empty of ["and", "or", "the in", "From, with"])
    expect([empty, isWorthShowing(empty)]).toEqual([empty, false]);
  for (const telling of ["belt", "belt and", "the 15964-8141", "a 7", "android"])
    expect([telling, isWorthShowing(telling)]).toEqual([telling, true]);
});

describe("the index that a search goes to", () => {
  const toCode = createSupplierCoder(testSettings().suppliers);
  const route = (categories: string[], manufacturers: string[]) =>
    routeToIndex({ categories, manufacturers: manufacturers.map(toCode) });

  it.each([
    [["Tires"], [], "category"],
    [["wheels"], [], "category"],
    [["WHEELS & TIRES"], [], "category"],
    [["tires", "wheels"], ["BNS"], "category"],
    [[], ["KMT"], "manufacturer"],
    [[], ["kmt"], "manufacturer"],
    [[], ["K&M"], "manufacturer"],
    [["Belts"], ["k&m tire"], "manufacturer"],
    [["tires"], ["KMT", "K&M"], undefined],
  ])(
    "is tires for categories %j and manufacturers %j, where the facet %j counts parts, too",
    (categories, manufacturers, wider) => {
      expect(route(categories, manufacturers)).toEqual({ index: "tires", wider });
    },
  );

  it.each([
    [[], []],
    [["Belts"], []],
    [["tires", "Belts"], []],
    [[], ["BNS"]],
    [[], ["KMT", "BNS"]],
  ])("is parts for categories %j and manufacturers %j", (categories, manufacturers) => {
    expect(route(categories, manufacturers)).toEqual({ index: "parts" });
  });
});

describe("text", () => {
  it("becomes terms without case, accents, punctuation and plurals", () => {
    const terms = ["mower", "blade", "pottinger", "23x8", "50", "12", "23x85012", "23x85x12"];
    expect(splitTerms("Mower BLADES, Pöttinger — 23x8.50-12")).toEqual(terms);
    expect(splitChunks("16100-Z0Y-813")).toEqual([{ terms: ["16100", "z0y", "813"], compact: "16100z0y813" }]);
    expect(
      ["pulleys", "brushes", "assemblies", "gas", "chassis", "glass", "bus", "boxes", "gt500s"].map(toSingular),
    ).toEqual(["pulley", "brush", "assembly", "gas", "chassis", "glass", "bus", "box", "gt500s"]);
  });

  it.each([
    ["23x8.50-12", "23x85x12"],
    ["23x8.5-12", "23x85x12"],
    ["23X8.50X12", "23x85x12"],
    ["23×8.50-12", "23x85x12"],
    ["23 x 8.50 - 12", "23x85x12"],
    ["20x10x8", "20x10x8"],
    ["20x10.00-8", "20x10x8"],
    ["ST205/75R14", "205x75x14"],
    ["205/75r14", "205x75x14"],
    ["480-8", "48x8"],
    ["4.80-8", "48x8"],
    ["5.7-8", "57x8"],
    ["5.70-8", "57x8"],
    ["(18x9.5-8)", "18x95x8"],
    ["16x6.5", "16x65"],
    ["16100-813", undefined],
    ["gx160", undefined],
    ["54", undefined],
  ])("has the size of %j in one spelling", (text, size) => {
    expect(splitChunks(text).map((chunk) => chunk.size)).toEqual([size]);
  });

  it("has both sizes that a tire goes by", () => {
    expect(splitTerms("Tire 4.80/4.00-8")).toEqual(expect.arrayContaining(["48x4x8", "48x8", "4x8"]));
  });

  it.each([
    ["GX 160", "gx160"],
    ["belt 54 in deck", "54in"],
    ["17.5 HP", "175hp"],
    ["95 A", "95a"],
    ["FS 730V", "fs730v"],
  ])("of %j has what is also written together as %j", (text, term) => {
    expect(splitTerms(text)).toContain(term);
  });

  it("joins no word that says nothing, and no other neighbours", () => {
    expect(splitTerms("for 54 to belt 12 deck")).toEqual(["for", "54", "to", "belt", "12", "deck"]);
  });

  it("has terms of letters and digits only, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) =>
        splitTerms(text).every((term) => /^[\p{L}\p{N}]+$/u.test(term)),
      ),
    );
  });
});

describe("the corrector", () => {
  const frequencies = new Map([
    ["carburetor", 20],
    ["belt", 9],
    ["bolt", 12],
    ["spark", 5],
    ["spare", 7],
    ["muffler", 3],
    ["gx160", 4],
  ]);
  const corrector = createCorrector([...frequencies.keys()], (word) => frequencies.get(word)!);

  it.each([
    ["carburator", "carburetor"],
    ["carbureotr", "carburetor"],
    ["craburetro", "carburetor"],
    ["mufler", "muffler"],
    ["beltt", "belt"],
  ])("reads %s as %s", (typed, meant) => {
    expect(corrector.findCorrections(typed, 3)[0]).toBe(meant);
  });

  it("prefers the more frequent of equally near words, and leaves short words and numbers alone", () => {
    expect(corrector.findCorrections("sparr", 3)).toEqual(["spare", "spark"]);
    expect(corrector.findCorrections("bellt", 3)).toEqual(["belt"]);
    expect(corrector.findCorrections("bolet", 3)).toEqual(["bolt"]);
    expect(corrector.findCorrections("blet", 3)).toEqual(["belt"]);
    expect(corrector.findCorrections("bald", 3)).toEqual([]);
    expect(corrector.findCorrections("gx161", 3)).toEqual([]);
  });

  it("finds every word within the distance", () => {
    const word = fc.stringMatching(/^[abc]{9,11}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 30 }), word, (words, typed) => {
        const known = createCorrector(words, () => 1);
        const distances = words.filter((entry) => entry !== typed).map((entry) => computeEditDistance(typed, entry));
        const nearest = Math.min(...distances);
        expect(known.findCorrections(typed, 100)).toHaveLength(
          nearest <= 2 ? distances.filter((distance) => distance === nearest).length : 0,
        );
      }),
    );
  });
});

describe("the first in order", () => {
  it("are those of a full sort", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.nat(20), fc.integer({ min: 1, max: 9 }), (values, count, same) => {
        const keyOf = (value: number): number => Math.floor(value / same);
        const ascending = (a: number, b: number): number => a - b;
        const tieOf = (value: number): number => value % 3;
        const inOrder = (a: number, b: number): number => keyOf(b) - keyOf(a) || tieOf(b) - tieOf(a) || ascending(a, b);
        const order = { keys: values.map(keyOf), tieOf, compare: ascending };
        expect(selectFirst(values, count, order)).toEqual([...values].sort(inOrder).slice(0, count));
      }),
    );
  });
});

it("a second index of a day has a number", () => {
  const day = new Date("2026-11-21T23:30:00Z");
  expect(createDatedName("parts", day, new Set())).toBe("parts_v2026_11_21");
  expect(createDatedName("parts", day, new Set(["parts_v2026_11_21"]))).toBe("parts_v2026_11_21_2");
  expect(
    createDatedName("parts", day, new Set(["parts_v2026_11_20_7", "parts_v2026_11_21_9", "parts_v2026_11_21_10"])),
  ).toBe("parts_v2026_11_21_11");
});
