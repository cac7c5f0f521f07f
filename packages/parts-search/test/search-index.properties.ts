import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { AVAILABILITIES } from "../../parts-language/src/availability.ts";
import type { SearchIndex, SearchQuery } from "../src/search-index/port.ts";
import type { Facets, FacetValue } from "../src/search-index/search-page.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";
import type { IndexUnderTest } from "./search-index.subject.ts";
import { ids, part, query, type Vendor } from "./search-index.documents.ts";
import { ANY_CHARACTER } from "../../../test/support/any-character.ts";

const WORDS = ["belt", "blade", "mower", "muffler", "gasket"];
const CATEGORIES = ["Drives", "Cutting", "Wheels & Tires"];
const VENDORS: readonly Vendor[] = ["BNS", "HON", "KMT"];
const RIMS = ["8", "12", "16.1"];
const MACHINES = ["GX160", "Vanguard 18 HP", "ROS"];
const PRICES = [null, 0, 999, 1_000, 2_499, 2_500, 9_999, 99_999, 100_000, 250_000];

/** Every sort of part, in an order that says nothing: 60 of them, always the same. */
const DOCUMENTS: readonly IndexDocument[] = Array.from({ length: 60 }, (_, n) =>
  part(VENDORS[n % 3]!, `Q${1_000 + ((n * 37) % 60)}`, `${WORDS[n % 5]!} ${WORDS[(n * 7 + 1) % 5]!} ${n}`, {
    category: CATEGORIES[(n * 5) % 3]!,
    price: PRICES[(n * 3) % 10]!,
    imageUrl: n % 4 === 0 ? null : `/images/${n}`,
    availability: AVAILABILITIES[(n * 13) % 4]!,
    attributes: { ...(n % 2 === 0 ? { tireRim: RIMS[n % 3]! } : {}), ...(n % 5 === 0 ? { tireTube: "Tubeless" } : {}) },
    ...(n % 3 === 0 ? {} : { fits: MACHINES.slice(n % 4 === 0 ? 1 : 0, 1 + (n % 3)) }),
    status: n % 6 === 0 ? "discontinued" : "active",
    createdAt: new Date(Date.UTC(2026, 0, 1 + ((n * 11) % 20))),
  }),
);

const anyQuery: fc.Arbitrary<SearchQuery> = fc.record({
  q: fc.constantFrom("", ...WORDS, "belt gasket", "mower blade", "gaskit"),
  categories: fc.subarray(CATEGORIES, { maxLength: 2 }),
  manufacturers: fc.subarray(["bns", "Honda", "K&M"], { maxLength: 2 }),
  availabilities: fc.option(fc.subarray(["in_stock", "low_stock", "unknown"] as const), { nil: undefined }),
  attributes: fc.option(
    fc.record(
      { tireRim: fc.subarray(RIMS), tireTube: fc.constantFrom(["tubeless"], ["tube_type"]) },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
  minPrice: fc.option(fc.constantFrom(0, 1_000, 2_500), { nil: undefined }),
  maxPrice: fc.option(fc.constantFrom(2_499, 9_999, 300_000), { nil: undefined }),
  countsMachines: fc.constant(true),
  machines: fc.option(fc.subarray([...MACHINES, "GX390"], { maxLength: 2 }), { nil: undefined, freq: 2 }),
  fits: fc.option(
    fc.record({
      equipment: fc.constant("GT-2254"),
      parts: fc.subarray(DOCUMENTS.slice(0, 8).map(({ pnNorm }) => ({ pnNorm }))),
      machines: fc.subarray(MACHINES, { maxLength: 1 }),
    }),
    { nil: undefined, freq: 2 },
  ),
  status: fc.constantFrom("active" as const, "discontinued" as const),
  sort: fc.constantFrom("relevance" as const, "price_asc" as const, "price_desc" as const, "newest" as const),
  offset: fc.nat(20),
  limit: fc.integer({ min: 0, max: 30 }),
});

export function propertySuite(underTest: IndexUnderTest): void {
  describe("for any query", () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await underTest.newPlace().open();
      await index.write({ documents: [...DOCUMENTS], progress: { BNS: 1, HON: 1, KMT: 1 } });
    });

    it("hits, total and facets are what counting over the documents gives", async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, async (each) => {
          const page = await index.search("parts", each);
          const passed = DOCUMENTS.filter(
            (document) => matches(document, each) && Object.values(filters(each)).every((passes) => passes(document)),
          );
          expect({ each, total: page.total }).toEqual({ each, total: passed.length });
          expect({ each, facets: page.facets }).toEqual({ each, facets: naiveFacets(each) });
          const everything = await index.search("parts", { ...each, offset: 0, limit: 100 });
          expect(ids(everything).sort()).toEqual(passed.map(({ id }) => id).sort());
          expect({ each, ids: ids(page) }).toEqual({
            each,
            ids: ids(everything).slice(each.offset, each.offset + each.limit),
          });
          if (each.q === "") expect(ids(everything)).toEqual(passed.toSorted(naiveOrder(each)).map(({ id }) => id));
        }),
        { numRuns: underTest.runs },
      );
    }, 120_000);

    it("there is an answer, also to rubbish", async () => {
      const nasty = fc.oneof(
        fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
        fc
          .array(
            fc.constantFrom(
              '"',
              "*",
              "(",
              ")",
              "AND",
              "OR",
              "NOT",
              "NEAR",
              "title:",
              "^",
              "-",
              "'",
              "\0",
              "😀",
              "\ud800",
              "belt",
              "Q10",
              "\\",
              "{",
              "%",
              "~2",
              "/.*/",
              "[a TO b]",
              "../_all",
            ),
            { maxLength: 20 },
          )
          .map((pieces) => pieces.join(" ")),
      );
      await fc.assert(
        fc.asyncProperty(nasty, async (text) => {
          expect((await index.search("parts", query(text))).total).toBeGreaterThanOrEqual(0);
          expect((await index.suggest("parts", { q: text, limit: 5 })).length).toBeLessThanOrEqual(5);
          expect((await index.search("parts", query("", { categories: [text], manufacturers: [text] }))).total).toBe(0);
        }),
        { numRuns: underTest.runs * 2 },
      );
      expect((await index.search("parts", query("belt ".repeat(1_000)))).total).toBeGreaterThan(0);
      expect((await index.search("parts", query("x".repeat(10_000)))).total).toBe(0);
      const misspelt = Array.from({ length: 40 }, (_, n) => "abcdefghijklmnopqrstuvwxyzabcd".slice(n % 7)).join(" ");
      expect((await index.search("parts", query(misspelt))).total).toBe(0);
    }, 120_000);
  });
}

/** What a query's words ask for, judged by looking at the titles. */
function matches({ title, status, pnNorm, fits = [] }: IndexDocument, each: SearchQuery): boolean {
  const words = each.q === "gaskit" ? ["gasket"] : each.q.split(" ").filter((word) => word !== "");
  if (each.machines?.some((name) => fits.includes(name)) === false) return false;
  const { parts = [], machines = [] } = each.fits ?? {};
  const isListed = parts.some((part) => part.pnNorm === pnNorm) || machines.some((name) => fits.includes(name));
  if (each.fits && !isListed) return false;
  return status === each.status && words.every((word) => title.split(" ").includes(word));
}

type Filter = "manufacturer" | "category" | "availability" | "tireRim" | "tireTube" | "price";

function filters({
  categories,
  manufacturers,
  availabilities,
  attributes = {},
  minPrice,
  maxPrice,
}: SearchQuery): Record<Filter, (document: IndexDocument) => boolean> {
  const codes = manufacturers.map((name) => ({ bns: "BNS", Honda: "HON", "K&M": "KMT" })[name]);
  return {
    manufacturer: ({ manufacturer }) => codes.length === 0 || codes.includes(manufacturer.code),
    category: ({ category }) => categories.length === 0 || categories.includes(category),
    availability: ({ availability }) => availabilities === undefined || availabilities.includes(availability),
    tireRim: (document) => attributes.tireRim?.includes(document.attributes?.tireRim ?? "") !== false,
    tireTube: (document) => attributes.tireTube?.includes(document.attributes?.tireTube?.toLowerCase() ?? "") !== false,
    price: ({ price }) =>
      (minPrice === undefined && maxPrice === undefined) ||
      (price !== null && price >= (minPrice ?? 0) && price <= (maxPrice ?? Infinity)),
  };
}

function naiveFacets(each: SearchQuery): Facets {
  const passing = (but?: Filter): IndexDocument[] => {
    const others = Object.entries(filters(each)).filter(([name]) => name !== but);
    return DOCUMENTS.filter((document) => matches(document, each) && others.every(([, passes]) => passes(document)));
  };
  const ofAttribute = (attribute: "tireRim" | "tireTube") => {
    const values = passing(attribute).flatMap(({ attributes }) => attributes?.[attribute] ?? []);
    return values.length === 0 ? {} : { [attribute]: counted(values.map((value) => [value, value])) };
  };
  const prices = passing("price").flatMap(({ price }) => price ?? []);
  const bounds = [0, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];
  return {
    manufacturer: counted(
      passing("manufacturer").map(({ manufacturer, vendorName }) => [manufacturer.code, vendorName]),
    ),
    category: counted(passing("category").map(({ category }) => [category, category])),
    availability: AVAILABILITIES.map((value) => ({
      value,
      label: { in_stock: "In stock", low_stock: "Few left", out_of_stock: "Out of stock", unknown: "Not known" }[value],
      count: passing("availability").filter(({ availability }) => availability === value).length,
    })).filter(({ count }) => count > 0),
    machine: counted(passing().flatMap(({ fits = [] }) => fits.map((name): [string, string] => [name, name]))),
    attributes: { ...ofAttribute("tireRim"), ...ofAttribute("tireTube") },
    price: {
      min: prices.length === 0 ? null : Math.min(...prices),
      max: prices.length === 0 ? null : Math.max(...prices),
      ranges: bounds.map((from, at) => {
        const to = at + 1 < bounds.length ? bounds[at + 1]! - 1 : null;
        return { from, to, count: prices.filter((price) => price >= from && price <= (to ?? Infinity)).length };
      }),
    },
  };
}

function counted(entries: [string, string][]): FacetValue[] {
  const labels = new Map(entries);
  return [...labels]
    .map(([value, label]) => ({ value, label, count: entries.filter(([each]) => each === value).length }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
}

function naiveOrder({ sort }: SearchQuery): (a: IndexDocument, b: IndexDocument) => number {
  const quality = (a: IndexDocument, b: IndexDocument): number =>
    Number(b.price !== null) - Number(a.price !== null) ||
    Number(b.imageUrl !== null) - Number(a.imageUrl !== null) ||
    (a.id < b.id ? -1 : 1);
  const byPrice =
    (sign: number) =>
    (a: IndexDocument, b: IndexDocument): number =>
      Number(b.price !== null) - Number(a.price !== null) || sign * ((a.price ?? 0) - (b.price ?? 0)) || quality(a, b);
  const orders = {
    relevance: quality,
    price_asc: byPrice(1),
    price_desc: byPrice(-1),
    newest: (a: IndexDocument, b: IndexDocument): number =>
      b.createdAt.getTime() - a.createdAt.getTime() || quality(a, b),
  };
  return orders[sort];
}
