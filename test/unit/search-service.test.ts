import { splitTerms, DEFAULT_SYNONYMS, parseSynonyms } from "@partline/parts-language/terms";
import { describe, expect, it } from "@jest/globals";
import { part, query } from "../../packages/parts-search/test/search-index.documents.ts";
import fc from "fast-check";
import { PartlineError } from "../../mixins/errors.ts";
import type { SearchPage } from "../../packages/parts-search/src/search-index/search-page.ts";
import type { IndexDocument } from "../../packages/parts-search/src/search-index/index-document.ts";
import { findAlternatives, findTitleNoun } from "../../services/search/alternatives.ts";
import { answerInTime } from "../../services/search/answer-in-time.ts";
import { checkHealth } from "../../services/search/health.ts";
import {
  checkAvailability,
  isNamed,
  summarize,
  toAvailability,
  type Inquired,
} from "../../services/search/part-availability.ts";
import { loadWholePart } from "../../services/search/whole-part.ts";
import { toPerformedSearch } from "../../services/search/performed.ts";
import { ANY_CHARACTER } from "../support/any-character.ts";

describe.each(Object.entries(DEFAULT_SYNONYMS))("the synonyms of %s", (_language, lines) => {
  it("are lines with words on each side, no phrase in two groups", () => {
    const keyOf = (phrase: string): string => splitTerms(phrase).join(" ");
    const rules = lines.map(parseSynonyms);
    expect(rules.length).toBeGreaterThanOrEqual(60);
    expect(
      rules.flatMap(({ words, meanings }) => [...words, ...meanings]).filter((word) => keyOf(word) === ""),
    ).toEqual([]);
    const grouped = rules.flatMap(({ words, meanings }) => (words === meanings ? words.map(keyOf) : []));
    expect(grouped.filter((key, index) => grouped.indexOf(key) !== index)).toEqual([]);
  });
});

describe("the thing that a title names", () => {
  it.each([
    ["Carburetor, Assembly, FS730V", "carburetor"],
    ["Mower Blade, High Lift", "blade"],
    ["Gasket for Carburetor", "gasket"],
    ["Air Filter Kit", "filter"],
    ["V-Belt 48 in", "belt"],
    ["Head Gasket - Cylinder 2", "gasket"],
    ["Turf Tire 23x8.50-12", "tire"],
    ["Pöttinger Zinken", "zinken"],
    ["16100-Z0Y", undefined],
    ["", undefined],
  ])("in %j is %j", (title, noun) => {
    expect(findTitleNoun(title)).toBe(noun);
  });
});

describe("what is kept of a search", () => {
  const now = new Date("2026-11-21T10:00:00.000Z");

  it("is what was asked for and found", () => {
    const filters = { categories: ["Belts"], manufacturers: ["BNS"], minPrice: 100, maxPrice: 999 };
    const asked = query(" belt ", { ...filters, status: "discontinued" });
    expect(toPerformedSearch(asked, 3, 1.23456, now)).toEqual({
      query: "belt",
      results_count: 3,
      took_ms: 1.23,
      searched_at: "2026-11-21T10:00:00.000Z",
      filters: { category: ["Belts"], manufacturer: ["BNS"], minPrice: 1, maxPrice: 9.99, status: "discontinued" },
    });
    expect(toPerformedSearch(query("belt"), 0, 0, now).filters).toEqual({});
  });

  it.each([
    ["jo.doe+x@example.co.uk", "[e-mail]"],
    ["order of <jo@example.com>, belt", "order of [e-mail] belt"],
    ["jo@localhost", "[e-mail]"],
    ["jö@exämple.de", "[e-mail]"],
    ["call (555) 123-4567 please", "call [phone] please"],
    ["555-123-4567", "[phone]"],
    ["1 555 123 4567", "[phone]"],
    ["+49 89 1234 5678", "[phone]"],
    ["16100-Z0Y-813", "16100-Z0Y-813"],
    ["15964-8141", "15964-8141"],
    ["790 614 713", "790 614 713"],
    ["5551234567", "5551234567"],
    ["23x8.50-12", "23x8.50-12"],
    ["12345-555-123-4567", "12345-555-123-4567"],
  ])("of %j that finds nothing is %j", (q, kept) => {
    expect(toPerformedSearch(query(q, { categories: [q] }), 0, 0, now)).toMatchObject({
      query: kept,
      filters: { category: [kept] },
    });
  });

  it("is a number that found a part, though it looks like a phone's", () => {
    expect(toPerformedSearch(query("555-123-4567"), 1, 0, now).query).toBe("555-123-4567");
    expect(toPerformedSearch(query("jo@example.com"), 1, 0, now).query).toBe("[e-mail]");
    expect(toPerformedSearch(query("belt 555-123-4567"), 0, 0, now, { total: 3 })).toMatchObject({
      query: "belt [phone]",
      results_count: 3,
    });
  });

  it.each([
    ["16100-Z0Y-813 call me 312-555-0177", "16100-Z0Y-813 call me [phone]"],
    ["16100-Z0Y-813 4111111111111111", "16100-Z0Y-[card]"],
    ["carburetor 555.123.4567 or (312) 555-0177", "carburetor 555.123.4567 or [phone]"],
    ["belt 5555555555554444", "belt 5555555555554444"],
  ])("of %j keeps the numbers of the parts that it found alone: %j", (q, kept) => {
    const parts = () => JSON.stringify([{ partNumber: "16100-Z0Y-813" }, { title: "555-123-4567 5555555555554444" }]);
    expect(toPerformedSearch(query(q), 2, 0, now, { serializeHits: parts }).query).toBe(kept);
    expect(toPerformedSearch(query("312-555-0177"), 1, 0, now, { serializeHits: parts }).query).toBe("312-555-0177");
  });

  it("has no part of an address either, wherever in it the end of what is read falls", () => {
    const addresses = `${"jo".repeat(110)}@example.com `.repeat(50);
    for (let before = 1; before < 250; before += 1)
      expect(toPerformedSearch(query(`${"x".repeat(before)} ${addresses}`), 0, 0, now).query).not.toContain("jo");
  });

  it("is short, well-formed, and no address, for any text", () => {
    const typed = fc.tuple(
      fc.string({ unit: ANY_CHARACTER, maxLength: 500 }),
      fc.emailAddress(),
      fc.string({ unit: ANY_CHARACTER, maxLength: 500 }),
    );
    fc.assert(
      fc.property(typed, ([before, address, after]) => {
        const { query: kept, filters } = toPerformedSearch(
          query(`${before} ${address} ${after}`, { categories: Array.from({ length: 50 }, () => address) }),
          0,
          0,
          now,
        );
        expect(kept.length).toBeLessThanOrEqual(200);
        expect(kept.isWellFormed()).toBe(true);
        expect(kept).not.toContain(address);
        expect(filters.category as string[]).toHaveLength(10);
      }),
    );
  });
});

describe("a part that is asked for by number", () => {
  const part = {
    id: "kaw-159648141",
    partNumber: "15964-8141",
    pnNorm: "159648141",
    sku: "CT-KAW-15964-8141",
    skuVariants: ["OLD-77"],
    manufacturer: { name: "Kawasaki", code: "KAW" },
    vendorName: "Kawasaki",
    vendorAliases: ["Kawasaki Engines"],
  } as unknown as IndexDocument;

  it.each(["159648141", "KAW159648141", "KAWASAKI159648141", "KAWASAKIENGINES159648141", "CTKAW159648141", "OLD77"])(
    "is named by %s",
    (asked) => expect(isNamed(part, asked)).toBe(true),
  );
  it.each(["", "15964814", "1596481410", "HON159648141"])("is not named by %j", (asked) =>
    expect(isNamed(part, asked)).toBe(false),
  );
});

describe("availability", () => {
  const known = {
    id: "a-1",
    title: "Belt",
    price: 1_000,
    status: "active",
    availability: "low_stock",
    stock: { quantityOnHand: 2 },
  } as const;
  const indexed = { ...known, partNumber: "1", manufacturer: { code: "A", name: "A" } } as unknown as IndexDocument;
  const availabilityOf = (inquired?: Inquired, more: object = {}) =>
    toAvailability("1", { known: { ...known, ...more }, inquired });
  const said = (more: Partial<Inquired> = {}): Inquired => ({
    vendor: "A",
    partNumber: "1",
    found: true,
    price: 1_100,
    available: true,
    quantity: 9,
    live: true,
    saidAt: new Date(),
    ageSeconds: 0,
    error: null,
    ...more,
  });

  it("is the supplier's word where there is one", () => {
    expect(availabilityOf(said())).toEqual({
      partNumber: "1",
      found: true,
      id: "a-1",
      title: "Belt",
      price: 11,
      status: "active",
      availability: "in_stock",
      stock: 9,
      live: true,
      ageSeconds: 0,
      reason: null,
    });
    const earlier = said({ live: false, ageSeconds: 30, price: null, quantity: null, available: false });
    const told = { price: 10, availability: "out_of_stock", stock: null };
    expect(availabilityOf(earlier)).toMatchObject({ ...told, live: true, ageSeconds: 30, reason: null });
    const priceOf = (priceEdit: { fixed?: number; marginPercent?: number }) =>
      availabilityOf(said(), { priceEdit }).price;
    expect([priceOf({ fixed: 10 }), priceOf({ marginPercent: 50 })]).toEqual([10, 16.5]);
  });

  it("is the shop's own count first, and the dealer's beside it", () => {
    const counted = { stock: { quantityOnHand: 5, own: 3, held: 1 } };
    const silent = said({ error: "timed_out", live: false, found: null, quantity: null, ageSeconds: null });
    const none = { stock: { quantityOnHand: 0, own: 0 } };
    expect(availabilityOf(said(), counted)).toMatchObject({ stock: 11, own: 3, live: true });
    expect(availabilityOf(said({ available: false }), counted).stock).toBe(2);
    expect(availabilityOf(silent, counted)).toMatchObject({ stock: 4, live: true, reason: null });
    expect(availabilityOf(silent, none)).toMatchObject({ live: false, reason: "timed_out" });
    const notAsked = { availability: "out_of_stock", stock: 0, live: true, reason: null };
    expect(availabilityOf({ ...silent, error: "not_asked" }, none)).toMatchObject(notAsked);
  });

  it("leaves out pieces that others hold", () => {
    const held = { stock: { quantityOnHand: 2, held: 5 } };
    expect(availabilityOf(said(), held).stock).toBe(4);
    expect(availabilityOf(undefined, held).stock).toBe(0);
  });

  const nothing = { price: null, quantity: null, available: null };
  const earlier = { live: false, ageSeconds: 900 };
  it.each<[string, Inquired | undefined, number | null, string]>([
    ["nobody could be asked", undefined, null, "unavailable"],
    ["it said something else before", said({ ...earlier, error: "timed_out" }), null, "timed_out"],
    [
      "it said the same before",
      said({ ...earlier, error: "circuit_open", price: 1_000, quantity: 2 }),
      900,
      "circuit_open",
    ],
    [
      "it never said anything",
      said({ ...nothing, found: null, error: "not_asked", live: false, ageSeconds: null }),
      null,
      "not_asked",
    ],
    [
      "it did not have the part before",
      said({ ...nothing, ...earlier, found: false, error: "timed_out" }),
      null,
      "timed_out",
    ],
  ])("is the catalog's where nobody answers and %s, with age and reason", (_what, inquired, ageSeconds, reason) => {
    const values = { price: 10, availability: "low_stock", stock: 2 };
    expect(availabilityOf(inquired)).toMatchObject({ ...values, live: false, ageSeconds, reason });
  });

  it("is not known where the supplier does not have the part", async () => {
    const word = said({ ...nothing, found: false });
    const values = { price: 10, availability: "unknown", stock: null };
    expect(availabilityOf(word)).toMatchObject({ ...values, live: false, ageSeconds: null, reason: "not_listed" });
    const [result] = await checkAvailability(["1"], {
      find: async () => indexed,
      loadFromCatalog: async () => known,
      inquire: async () => [word],
      onError: () => undefined,
    });
    expect(result).toMatchObject({ availability: "unknown", stock: null });
  });

  it("of a discontinued part says so, and counts it as found alone", () => {
    const results = ["active", "discontinued"].map((status) => availabilityOf(said(), { status }));
    expect(results.map(({ status, availability }) => [status, availability])).toEqual([
      ["active", "in_stock"],
      ["discontinued", "in_stock"],
    ]);
    expect(summarize(results)).toEqual({ requested: 2, found: 2, available: 1 });
  });

  it("is answered in the order asked, of each part once, also when supplier and catalog fail", async () => {
    const asked: number[] = [];
    const document: IndexDocument = { ...indexed, price: null, availability: "unknown" };
    const results = await checkAvailability(["1", "2", "A-1"], {
      find: async (partNumber) => (partNumber === "2" ? undefined : document),
      loadFromCatalog: () => Promise.reject(new Error("gone")),
      inquire: (parts) => (asked.push(parts.length), Promise.reject(new Error("gone"))),
      onError: () => undefined,
    });
    expect(asked).toEqual([1]);
    const told = results.map(({ partNumber, found, price, stock, live }) => [partNumber, found, price, stock, live]);
    expect(told).toEqual([
      ["1", true, null, 2, false],
      ["2", false, null, null, false],
      ["A-1", true, null, 2, false],
    ]);
    expect(summarize(results)).toEqual({ requested: 3, found: 2, available: 0 });
  });
});

describe("the alternatives to a part", () => {
  const document = (id: string): IndexDocument => part("HON", id, "Mower Belt", { id, category: "Belts" });
  const index = {
    get: async (_name: string, ids: readonly string[]) => ids.map(document),
    search: async () =>
      ({
        hits: [{ document: document("a-3"), highlights: {} }],
        total: 1,
        facets: { manufacturers: [], categories: [], prices: { ranges: [] } },
      }) as unknown as SearchPage,
  };

  it("are those that the index has, and the rest is reported as missing, if the catalog does not answer", async () => {
    const failures: string[] = [];
    const gone = {
      index,
      loadSupersession: () => Promise.reject(new Error("gone")),
      onError: (what: string) => void failures.push(what),
    };
    expect(await findAlternatives(document("a-1"), gone)).toEqual({
      alternatives: [{ reason: "similar", part: expect.objectContaining({ id: "a-3" }) }],
      missing: ["supersession"],
    });
    expect(failures).toHaveLength(1);
    const there = await findAlternatives(document("a-1"), {
      ...gone,
      loadSupersession: async () => ({
        supersededBy: [{ id: "a-2", partNumber: "2", title: "Belt", status: "active" as const }],
        supersedes: [],
      }),
    });
    expect(there.alternatives.map(({ reason, part }) => [reason, part.id])).toEqual([
      ["successor", "a-2"],
      ["similar", "a-3"],
    ]);
    expect(there).not.toHaveProperty("missing");
  });
});

describe("an index that does not answer", () => {
  it("is waited for a bounded time", async () => {
    await expect(answerInTime(new Promise(() => undefined), 20)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await answerInTime(Promise.resolve(7), 20)).toBe(7);
  });

  it("has no numbers in the health, nor has a catalog", async () => {
    const gone = (): Promise<never> => Promise.reject(new Error("gone"));
    expect(await checkHealth({ index: gone, loadCatalogStats: async () => ({ total: 3 }) })).toEqual({
      ...{ elasticsearch: "error", mongodb: "ok", aliasTarget: { parts: null, tires: null } },
      ...{ docCount_es: null, docCount_api: 3, delta: null },
    });
    const index = async () => ({
      parts: { name: "parts_v1", documents: 2 },
      tires: { name: "tires_v1", documents: 1 },
    });
    expect(await checkHealth({ index, loadCatalogStats: gone })).toMatchObject({
      ...{ elasticsearch: "ok", mongodb: "error" },
      ...{ docCount_es: 2, docCount_api: null, delta: null },
    });
  });
});

describe("the answer for one part", () => {
  const belt = part("BNS", "1", "Belt", { slug: "belt-bns-1", price: 1_050, sources: ["dis"], updatedAt: new Date(1) });
  const index = { get: async (_name: string, ids: readonly string[]) => [{ ...belt, id: ids[0]! }] };
  const refuse = (code: "TIMEOUT" | "NOT_FOUND") =>
    ({ call: () => Promise.reject(new PartlineError(code, "late")) }) as unknown as Parameters<typeof loadWholePart>[0];

  it("is the index's, and names what is missing, while the catalog does not answer", async () => {
    const failures: string[] = [];
    const onError = (what: string) => failures.push(what);
    const part = await loadWholePart(refuse("TIMEOUT"), "belt-bns-1", { index, onError });
    expect(part).toMatchObject({
      id: "bns-1",
      price: { list: { value: 10.5 } },
      sources: ["dis"],
      updatedAt: new Date(1),
      missing: ["fitment", "supersession", "interchange", "kit"],
    });
    expect(part).not.toHaveProperty("vendorName");
    expect(failures).toHaveLength(1);
  });

  it("is not found where the catalog says so, though the index still has it", async () => {
    const loading = loadWholePart(refuse("NOT_FOUND"), "bns-1", { index, onError: () => undefined });
    await expect(loading).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
