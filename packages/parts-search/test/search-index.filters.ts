import { describe, expect, it } from "@jest/globals";
import type { Availability } from "../../parts-language/src/availability.ts";
import type { Attributes } from "../src/search-index/attributes.ts";
import type { SearchQuery } from "../src/search-index/port.ts";
import type { SearchPage } from "../src/search-index/search-page.ts";
import type { IndexUnderTest } from "./search-index.subject.ts";
import { ids, part, PARTS, query } from "./search-index.documents.ts";
import { searched } from "./search-index.searched.ts";

export function filterSuite(underTest: IndexUnderTest): void {
  const find = (q: string, more?: Partial<SearchQuery>): Promise<SearchPage> =>
    searched(underTest.index, query(q, more));
  const all = async (more: Partial<SearchQuery>): Promise<string[]> => ids(await find("", more)).sort();

  describe("filters and facets", () => {
    it("narrow by category, kind, manufacturer, brand and price", async () => {
      expect(await all({ categories: ["BLADES"] })).toEqual(["bns-590454"]);
      expect(await all({ categories: ["blades", "ignition"] })).toEqual(["bns-590454", "hon-9807956846"]);
      expect(await all({ categories: ["tires"] })).toEqual(["kmt-tl12345"]);
      expect(await all({ categories: ["Wheels & Tires"] })).toEqual(["kmt-tl12345", "kmt-tl54321"]);
      expect(await all({ manufacturers: ["b&s"], minPrice: 899, maxPrice: 2_500 })).toEqual([
        "bns-590454",
        "bns-7998681",
      ]);
      expect(await all({ manufacturers: ["Carlisle", "honda"], minPrice: 5_000 })).toEqual([
        "hon-16100z0y813",
        "kmt-tl12345",
      ]);
      expect(await all({ categories: ["nothing"] })).toEqual([]);
      expect(await all({ maxPrice: 999_999 })).not.toContain("bns-799866");
    });

    it("narrow to the parts of an equipment, of any vendor or of the one that is named", async () => {
      const fits = (...parts: { pnNorm: string; vendor?: string }[]) => ({ fits: { equipment: "GT-2254", parts } });
      const both = fits(
        { pnNorm: "799868" },
        { pnNorm: "590454", vendor: "BNS" },
        { pnNorm: "TL12345", vendor: "HON" },
        { pnNorm: "UNKNOWN" },
      );
      expect(await all(both)).toEqual(["bns-590454", "bns-799868", "hon-799868"]);
      expect(await all(fits({ pnNorm: "799868", vendor: "HON" }))).toEqual(["hon-799868"]);
      expect(await all(fits())).toEqual([]);
      expect(ids(await find("carburetor", both))).toEqual(["bns-799868"]);
      expect(ids(await find("16100-Z0Y-813", both))).toEqual([]);
      expect(ids(await find("799868", fits({ pnNorm: "799868", vendor: "HON" })))).toEqual(["hon-799868"]);
      const { total, facets } = await find("", { ...both, manufacturers: ["HON"] });
      expect(total).toBe(1);
      expect(facets.manufacturer.map(({ value, count }) => [value, count])).toEqual([
        ["BNS", 2],
        ["HON", 1],
      ]);
      expect(await all({})).toContain("hon-16100z0y813");
    });

    it("hold for a part that is named by its number, too", async () => {
      expect(ids(await find("799868", { manufacturers: ["HON"] }))).toEqual(["hon-799868"]);
      expect(ids(await find("498298", { status: "discontinued" }))).toEqual(["bns-498298", "bns-692784"]);
    });

    it("sort by price, what has none last, and by age", async () => {
      const carburetors = { categories: ["carburetors"] };
      expect(ids(await find("", { ...carburetors, sort: "price_asc" }))).toEqual([
        "bns-7998681",
        "bns-799868",
        "hon-16100z0y813",
        "bns-799866",
      ]);
      expect(ids(await find("", { ...carburetors, sort: "price_desc" }))).toEqual([
        "hon-16100z0y813",
        "bns-799868",
        "bns-7998681",
        "bns-799866",
      ]);
      expect(ids(await find("", { sort: "newest", limit: 2 }))).toEqual(["bns-799868", "hon-9807956846"]);
    });

    it("count each facet without its own filter", async () => {
      const { total, facets } = await find("carburetor", { manufacturers: ["BNS"], maxPrice: 4_599 });
      expect(total).toBe(2);
      expect(facets.manufacturer).toEqual([{ value: "BNS", label: "Briggs & Stratton", count: 2 }]);
      expect(facets.category).toEqual([{ value: "Carburetors", label: "Carburetors", count: 2 }]);
      expect(facets.price).toMatchObject({ min: 899, max: 4_599 });
      const open = await find("carburetor", { manufacturers: ["BNS"], categories: ["Blades"] });
      expect(open.total).toBe(0);
      expect(open.facets.category).toEqual([{ value: "Carburetors", label: "Carburetors", count: 3 }]);
    });

    it("have facets that come true when they are used", async () => {
      const { facets } = await find("");
      for (const { value, count } of facets.manufacturer)
        expect((await find("", { manufacturers: [value] })).total).toBe(count);
      for (const { value, count } of facets.category)
        expect((await find("", { categories: [value] })).total).toBe(count);
      expect(facets.availability.map(({ value }) => value)).toEqual(["in_stock", "out_of_stock", "unknown"]);
      for (const { value, count } of facets.availability)
        expect((await find("", { availabilities: [value as Availability] })).total).toBe(count);
      for (const { from, to, count } of facets.price.ranges) {
        expect((await find("", { minPrice: from, ...(to === null ? {} : { maxPrice: to }) })).total).toBe(count);
      }
    });

    it("narrow by attributes that some parts have, and count them", async () => {
      const tire = (number: string, tireRim: string, more: Attributes = {}) =>
        part("KMT", number, `Tire ${number}`, { attributes: { tireRim, ...more } });
      const index = await underTest.newPlace().open();
      await index.write({
        documents: [
          tire("A1", "8", { tirePly: "4", tireSize: "26x12.00LL-12" }),
          tire("A2", "8", { tirePly: "6" }),
          tire("A3", "12", { tirePly: "4" }),
          part("BNS", "A4", "Tire iron"),
        ],
        progress: { KMT: 3 },
      });
      const of = async (attributes: SearchQuery["attributes"], q = "tire") => {
        const { hits, facets } = await index.search("parts", query(q, { attributes }));
        const counts = Object.entries(facets.attributes).map(([name, values]) => [
          name,
          values.map(({ value, count }) => `${value}: ${count}`).join(", "),
        ]);
        return { ids: ids({ hits }).sort(), counts: Object.fromEntries(counts) as Record<string, string> };
      };
      expect((await of(undefined)).counts).toEqual({
        tireSize: "26x12.00LL-12: 1",
        tireRim: "8: 2, 12: 1",
        tirePly: "4: 2, 6: 1",
      });
      expect(await of({ tireRim: ["8"] })).toEqual({
        ids: ["kmt-a1", "kmt-a2"],
        counts: { tireSize: "26x12.00LL-12: 1", tireRim: "8: 2, 12: 1", tirePly: "4: 1, 6: 1" },
      });
      expect(await of({ tireRim: ["8", "12"], tirePly: ["4"] })).toEqual({
        ids: ["kmt-a1", "kmt-a3"],
        counts: { tireSize: "26x12.00LL-12: 1", tireRim: "12: 1, 8: 1", tirePly: "4: 2, 6: 1" },
      });
      expect((await of({ tireSize: ["26X12.00ll-12"] })).ids).toEqual(["kmt-a1"]);
      expect((await of({ tireSpeed: ["A8"] })).ids).toEqual([]);
      // The size is found though the title does not have it.
      for (const typed of ["26x12-12", "26 12 12", "26 x 12.00 - 12", "26x1200x12"])
        expect([typed, (await of(undefined, typed)).ids]).toEqual([typed, ["kmt-a1"]]);
    });

    it("have one value for the spellings of a category that a filter takes for one, under the most frequent", async () => {
      const index = await underTest.newPlace().open();
      const spelt = (category: string, count: number, from: number) =>
        Array.from({ length: count }, (_, n) => part("BNS", `A${from + n}`, "Filter", { category }));
      await index.write({
        documents: [...spelt("Air-Filters", 3, 100), ...spelt("Air Filters", 5, 200), ...spelt("AIR FILTERS", 1, 300)],
        progress: { BNS: 9 },
      });
      expect((await index.search("parts", query(""))).facets.category).toEqual([
        { value: "Air Filters", label: "Air Filters", count: 9 },
      ]);
      for (const category of ["Air Filters", "air-filters"])
        expect((await index.search("parts", query("", { categories: [category] }))).total).toBe(9);
    });

    it("page without gaps or repeats", async () => {
      const pages = await Promise.all([0, 4, 8].map((offset) => find("", { offset, limit: 4 })));
      const seen = pages.flatMap(ids);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(pages[0]!.total);
      expect(ids(await find("", { offset: 100, limit: 4 }))).toEqual([]);
      expect(ids(await find("", { offset: 10_000, limit: 100 }))).toEqual([]);
    });

    it("count without hits where the limit is 0", async () => {
      const page = await find("carburetor", { limit: 0 });
      expect(page.hits).toEqual([]);
      expect(page.total).toBe((await find("carburetor")).total);
    });
  });

  describe("the index", () => {
    it("keeps the tires in an index of their own as well", async () => {
      expect(ids(await underTest.index.search("tires", query(""))).sort()).toEqual(["kmt-tl12345", "kmt-tl54321"]);
      expect(await underTest.index.status()).toEqual({
        parts: { name: expect.stringMatching(/^parts_v\d{4}_\d\d_\d\d$/), documents: 11 },
        tires: { name: expect.stringMatching(/^tires_v\d{4}_\d\d_\d\d$/), documents: 2 },
      });
    });

    it("gives documents as they were written, in the order that they are asked for", async () => {
      const wanted = ["kmt-tl12345", "nobody", "bns-498298", "hon-16100z0y813"];
      const found = await underTest.index.get("parts", wanted);
      expect(found).toEqual(
        ["kmt-tl12345", "bns-498298", "hon-16100z0y813"].map((id) => PARTS.find((part) => part.id === id)),
      );
      expect(await underTest.index.get("tires", wanted)).toHaveLength(1);
      expect(await underTest.index.get("parts", [])).toEqual([]);
    });
  });
}
