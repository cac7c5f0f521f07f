import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { openSearchIndex } from "../../mixins/search-index/open.ts";
import type { IndexDocument, SearchIndex, SearchPage, SearchQuery } from "../../mixins/search-index/port.ts";

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-search-"));

function part(vendor: "BNS" | "HON" | "KMT", partNumber: string, title: string, more: Partial<IndexDocument> = {}): IndexDocument {
  const pnNorm = partNumber.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const names = { BNS: ["Briggs & Stratton", "B&S"], HON: ["Honda"], KMT: ["K&M Tire", "K&M"] }[vendor];
  const id = `${vendor}-${pnNorm}`.toLowerCase();
  return {
    id, slug: id, sku: `CT-${vendor}-${partNumber}`, partNumber, pnNorm, title,
    manufacturer: { name: names[0]!, code: vendor }, vendorName: names[0]!, vendorAliases: names.slice(1),
    category: "parts", price: 1_000, imageUrl: null, status: "active", createdAt: new Date("2026-01-01"), isTire: vendor === "KMT", ...more,
  };
}

const PARTS = [
  part("BNS", "799868", "Carburetor with Gasket", { category: "Carburetors", price: 4_599, createdAt: new Date("2026-03-01") }),
  part("BNS", "7998681", "Carburetor Bowl", { category: "Carburetors", price: 899 }),
  part("BNS", "498298", "Carburetor, old style", { category: "carburetors", status: "discontinued", supersededBy: "69-2784" }),
  part("BNS", "692784", "Carburetor, replaces 498298", { category: "Carburetors", status: "discontinued", supersededBy: "799866" }),
  part("BNS", "799866", "Carburetor Assembly", { category: "Carburetors", price: null }),
  part("BNS", "590454", "Mower Blade, High Lift", { category: "Blades", price: 2_500 }),
  part("HON", "16100-Z0Y-813", "Carburetor Assembly", { category: "Carburetors", price: 7_800, description: "Fits GX120" }),
  part("HON", "799868", "Air Filter", { category: "Air Filters", price: 999 }),
  part("HON", "98079-56846", "Spark Plug <BPR6ES>", { category: "Ignition", price: 300, createdAt: new Date("2026-02-01") }),
  part("KMT", "TL12345", "Turf Tire 23x8.50-12", { category: "Wheels & Tires", kind: "Tires", manufacturer: { name: "Carlisle", code: "KMT" }, price: 9_900 }),
  part("KMT", "TL54321", "Wheel 8 inch", { category: "Wheels & Tires", kind: "Wheels", price: 5_000 }),
];

const query = (q: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
  q, categories: [], manufacturers: [], status: "active", sort: "relevance", offset: 0, limit: 20, ...more,
});
const ids = ({ hits }: SearchPage): string[] => hits.map(({ document }) => document.id);

describe("the embedded search index", () => {
  let index: SearchIndex;
  const directory = newDirectory();
  const find = (q: string, more?: Partial<SearchQuery>): Promise<SearchPage> => index.search("parts", query(q, more));

  beforeAll(async () => {
    index = await openSearchIndex({ directory });
    await index.write({ documents: PARTS, progress: { BNS: 6, HON: 3, KMT: 2 } });
  });
  afterAll(() => index.close());

  it.each([
    "16100-Z0Y-813", "16100z0y813", "16100.Z0Y.813", "16100 z0y 813", " 16100-Z0Y-813 ", "HON 16100-Z0Y-813", "hon16100z0y813",
    "Honda 16100Z0Y-813", "CT-HON-16100-Z0Y-813", "carburetor 16100-Z0Y-813", "16100 Z0Y 813 carburetor",
  ])("finds a number first that is typed as %j", async (typed) => {
    expect(ids(await find(typed))[0]).toBe("hon-16100z0y813");
  });

  it("finds the number of every vendor, only that vendor's behind its name, and then what begins so", async () => {
    expect(ids(await find("799868"))).toEqual(["bns-799868", "hon-799868", "bns-7998681"]);
    expect(ids(await find("B&S 799868")).slice(0, 2)).toEqual(["bns-799868", "bns-7998681"]);
    expect(ids(await find("7998"))).toEqual(["bns-799868", "bns-7998681", "hon-799868", "bns-799866"]);
  });

  it("puts the end of a chain of successors above the discontinued part that was asked for", async () => {
    expect(ids(await find("498298")).slice(0, 2)).toEqual(["bns-799866", "bns-498298"]);
    expect(ids(await find("carburetor old style"))).toEqual([]);
    expect(ids(await find("carburetor old style", { status: "discontinued" }))).toEqual(["bns-498298"]);
  });

  it("never corrects a number", async () => {
    expect(ids(await find("799869"))).toEqual([]);
    expect(ids(await find("16100-Z0Y-831"))).toEqual([]);
  });

  it.each([
    ["carburetor assembly", ["bns-799866", "hon-16100z0y813"]],
    ["CARBURETORS assembly", ["bns-799866", "hon-16100z0y813"]],
    ["carburator asembly", ["bns-799866", "hon-16100z0y813"]],
    ["honda carburetor", ["hon-16100z0y813"]],
    ["carb gx120", ["hon-16100z0y813"]],
    ["carburetor for the honda", ["hon-16100z0y813"]],
    ["mower blades", ["bns-590454"]],
    ["blad mowr", ["bns-590454"]],
    ["sparkplug", ["hon-9807956846"]],
    ["23x8.50-12", ["kmt-tl12345"]],
    ["23x850-12", ["kmt-tl12345"]],
    ["carlisle", ["kmt-tl12345"]],
  ])("finds the words %j", async (words, expected) => {
    expect(ids(await find(words)).sort()).toEqual([...expected].sort());
  });

  it("suggests a query that finds something where this one does not", async () => {
    const page = await find("carburator zzzzqq");
    expect(page).toMatchObject({ hits: [], total: 0, suggestion: "carburetor" });
    expect((await find(page.suggestion!)).total).toBeGreaterThan(0);
    expect(await find("zzzzqq")).not.toHaveProperty("suggestion");
    expect(await find("carburetor")).not.toHaveProperty("suggestion");
  });

  it("marks what matched, and escapes the rest", async () => {
    expect((await find("spark bpr6")).hits[0]!.highlights).toEqual({ title: "<em>Spark</em> Plug &lt;<em>BPR6ES</em>&gt;" });
    expect((await find("16100z")).hits[0]!.highlights.partNumber).toBe("<em>16100-Z</em>0Y-813");
    expect((await find("799868")).hits[0]!.highlights.partNumber).toBe("<em>799868</em>");
  });

  it("filters by category, kind, manufacturer, brand and price", async () => {
    const all = async (more: Partial<SearchQuery>): Promise<string[]> => ids(await find("", more)).sort();
    expect(await all({ categories: ["BLADES"] })).toEqual(["bns-590454"]);
    expect(await all({ categories: ["blades", "ignition"] })).toEqual(["bns-590454", "hon-9807956846"]);
    expect(await all({ categories: ["tires"] })).toEqual(["kmt-tl12345"]);
    expect(await all({ categories: ["Wheels & Tires"] })).toEqual(["kmt-tl12345", "kmt-tl54321"]);
    expect(await all({ manufacturers: ["b&s"], minPrice: 899, maxPrice: 2_500 })).toEqual(["bns-590454", "bns-7998681"]);
    expect(await all({ manufacturers: ["Carlisle", "honda"], minPrice: 5_000 })).toEqual(["hon-16100z0y813", "kmt-tl12345"]);
    expect(await all({ categories: ["nothing"] })).toEqual([]);
    expect(await all({ maxPrice: 999_999 })).not.toContain("bns-799866");
  });

  it("sorts by price, what has none last, and by age", async () => {
    const carburetors = { categories: ["carburetors"] };
    expect(ids(await find("", { ...carburetors, sort: "price_asc" }))).toEqual(["bns-7998681", "bns-799868", "hon-16100z0y813", "bns-799866"]);
    expect(ids(await find("", { ...carburetors, sort: "price_desc" }))).toEqual(["hon-16100z0y813", "bns-799868", "bns-7998681", "bns-799866"]);
    expect(ids(await find("", { sort: "newest", limit: 2 }))).toEqual(["bns-799868", "hon-9807956846"]);
  });

  it("counts each facet without its own filter", async () => {
    const { total, facets } = await find("carburetor", { manufacturers: ["BNS"], maxPrice: 4_599 });
    expect(total).toBe(2);
    expect(facets.manufacturer).toEqual([{ value: "BNS", label: "Briggs & Stratton", count: 2 }]);
    expect(facets.category).toEqual([{ value: "Carburetors", label: "Carburetors", count: 2 }]);
    expect(facets.price).toMatchObject({ min: 899, max: 4_599 });
    const open = await find("carburetor", { manufacturers: ["BNS"], categories: ["Blades"] });
    expect(open.total).toBe(0);
    expect(open.facets.category).toEqual([{ value: "Carburetors", label: "Carburetors", count: 3 }]);
  });

  it("has facets that come true when they are used", async () => {
    const { facets } = await find("");
    for (const { value, count } of facets.manufacturer) expect((await find("", { manufacturers: [value] })).total).toBe(count);
    for (const { value, count } of facets.category) expect((await find("", { categories: [value] })).total).toBe(count);
    for (const { from, to, count } of facets.price.ranges) {
      expect((await find("", { minPrice: from, ...(to === null ? {} : { maxPrice: to }) })).total).toBe(count);
    }
  });

  it("pages without gaps or repeats", async () => {
    const pages = await Promise.all([0, 4, 8].map((offset) => find("", { offset, limit: 4 })));
    const seen = pages.flatMap(ids);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(pages[0]!.total);
    expect(ids(await find("", { offset: 100, limit: 4 }))).toEqual([]);
  });

  it("answers whatever is typed", async () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(fc.constantFrom('"', "*", "(", ")", "AND", "OR", "NOT", "NEAR", "title:", "^", "-", "'", "\0", "😀", "carburetor", "7998", "\\", "{", "%"), { maxLength: 20 })
        .map((pieces) => pieces.join(" ")),
    );
    await fc.assert(fc.asyncProperty(nasty, async (text) => expect((await find(text)).total).toBeGreaterThanOrEqual(0)), { numRuns: 300 });
    expect((await find("carburetor ".repeat(1_000))).total).toBeGreaterThan(0);
    expect((await find("x".repeat(10_000))).total).toBe(0);
  });

  it("keeps the tires in an index of their own as well", async () => {
    expect(ids(await index.search("tires", query(""))).sort()).toEqual(["kmt-tl12345", "kmt-tl54321"]);
    expect(await index.status()).toEqual({ parts: { name: expect.stringMatching(/^parts_v\d{4}_\d\d_\d\d$/), documents: 11 }, tires: { name: expect.stringMatching(/^tires_v/), documents: 2 } });
  });
});

describe("an embedded index over time", () => {
  it("replaces by id, and words of the old text find nothing", async () => {
    const index = await openSearchIndex({ directory: newDirectory() });
    await index.write({ documents: [part("BNS", "1234", "Old Muffler")], progress: { BNS: 1 } });
    await index.write({ documents: [part("BNS", "1234", "New Exhaust", { price: 5_555 })], progress: { BNS: 2 } });
    expect((await index.search("parts", query("muffler"))).total).toBe(0);
    expect((await index.search("parts", query("exhaust"))).hits[0]!.document.price).toBe(5_555);
    expect((await index.status()).parts.documents).toBe(1);
    await index.close();
  });

  it("is there again after a restart, with how far it had read", async () => {
    const directory = newDirectory();
    const before = await openSearchIndex({ directory });
    await before.write({ documents: PARTS, progress: { BNS: 6 } });
    await before.write({ documents: [], progress: { HON: 9 } });
    const page = await before.search("parts", query("carburetor"));
    await before.close();
    const after = await openSearchIndex({ directory });
    expect(await after.search("parts", query("carburetor"))).toEqual(page);
    expect(await after.progress()).toEqual({ BNS: 6, HON: 9 });
    await after.close();
  });

  it("is empty when its file is damaged, so that it is filled again", async () => {
    const directory = newDirectory();
    const before = await openSearchIndex({ directory });
    await before.write({ documents: PARTS, progress: { BNS: 6 } });
    const { name } = (await before.status()).parts;
    await before.close();
    writeFileSync(join(directory, `${name}.db`), "this is no database".repeat(1_000));
    const after = await openSearchIndex({ directory });
    expect(await after.progress()).toEqual({});
    await after.write({ documents: PARTS, progress: { BNS: 6 } });
    expect((await after.search("parts", query("799868"))).total).toBeGreaterThan(0);
    await after.close();
  });

  it("switches to a build at once, serves the old one until then, and keeps one to go back to", async () => {
    const directory = newDirectory();
    const index = await openSearchIndex({ directory });
    await index.write({ documents: PARTS, progress: { BNS: 6 } });
    const first = await index.status();
    for (let round = 2; round <= 4; round += 1) {
      const build = await index.startBuild();
      await build.add({ documents: [...PARTS, part("BNS", `9000${round}`, "Newcomer")], progress: { BNS: round * 10 } });
      expect((await index.search("parts", query(`9000${round}`))).hits).toEqual([]);
      await build.publish(12);
      expect(ids(await index.search("parts", query(`9000${round}`)))).toEqual([`bns-9000${round}`]);
      expect((await index.status()).parts.name).toBe(`${first.parts.name}_${round}`);
    }
    expect(await index.progress()).toEqual({ BNS: 40 });
    await index.close();
    const files = readdirSync(directory).filter((file) => file.startsWith("parts_"));
    expect(files.sort()).toEqual([`${first.parts.name}_3.db`, `${first.parts.name}_4.db`]);
  });

  it("refuses a build that is short, and one far below the live index", async () => {
    const index = await openSearchIndex({ directory: newDirectory() });
    await index.write({ documents: PARTS, progress: { BNS: 6 } });
    const { name } = (await index.status()).parts;
    const build = await index.startBuild();
    await build.add({ documents: PARTS.slice(0, 3), progress: { BNS: 3 } });
    await expect(build.publish(11)).rejects.toMatchObject({ code: "BUILD_REFUSED" });
    await expect(build.publish(3)).rejects.toMatchObject({ code: "BUILD_REFUSED" });
    await build.discard();
    expect((await index.status()).parts).toEqual({ name, documents: 11 });
    await index.close();
  });

  it("serves one process only", async () => {
    const directory = newDirectory();
    const index = await openSearchIndex({ directory });
    await expect(openSearchIndex({ directory })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await index.close();
    await (await openSearchIndex({ directory })).close();
    await expect(index.progress()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
