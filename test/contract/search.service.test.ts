import type { ServiceBroker } from "moleculer";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { implement } from "../../broker/contract/implement.ts";
import type { Settings } from "../../broker/settings.ts";
import { getPartsCollection } from "../../services/catalog/collections.ts";
import { call, enqueue, outbox } from "../../services/contracts.ts";
import { disRouterContract } from "../../services/dis-router/contract.ts";
import { BUILDS, RUNNING, type BuildDocument } from "../../services/search/builds.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { eventually } from "../support/eventually.ts";
import { importPrices } from "../support/import-prices.ts";
import { buildEnded, reindex } from "../support/reindex.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const HEADER = "part_number,title,list_price,status,superseded_by,category\n";
const PARTS = `${HEADER}100,Carburetor A,10,discontinued,200,Carburetors\n200,Carburetor B,20,discontinued,300,Carburetors\n300,Carburetor C,30,,,Carburetors
400,"Carburetor, Other",40,,,Carburetors\n500,Carburetor Gasket,5,,,Carburetors\n600,Carburetor D,60,,,Other Things\n700,"Deck Belt, 48 in",7,,,Belts\n`;

const url = process.env.ELASTICSEARCH_URL;

describe("The search service", () => {
  let settings: Settings;
  let test: TestBroker;
  const prefix = elasticsearchTestPrefix("service");
  /** What the dealer says; it may take its time. */
  let inquire: (
    parts: { vendor: string; partNumber: string }[],
  ) => Promise<{ price: number | null; quantity: number | null }[]>;

  const dealer = (_broker: ServiceBroker) =>
    implement(disRouterContract, {
      actions: {
        inquire: async ({ params: { parts } }) => {
          const answers = await inquire(parts);
          return {
            parts: parts.map((part, index) => ({
              ...part,
              ...answers[index]!,
              found: true,
              available: null,
              live: true,
              saidAt: new Date(),
              ageSeconds: 0,
              error: null,
            })),
          };
        },
        health: () => ({ dis: { status: "ok" as const, error: null, askedAt: null } }),
      },
    });
  const start = async (): Promise<void> => {
    test = await startTestBroker({
      services: ["catalog", "search", "eventstore", dealer],
      transport: "fake",
      settings,
    });
  };
  const importFile = (file: string, vendor = "BNS") => importPrices(test.broker, file, { vendor });
  const live = async (): Promise<string[]> =>
    (await call(test.broker, "search.indexes", {})).indexes
      .filter((index) => index.live)
      .map(({ name }) => name)
      .sort();

  beforeAll(async () => {
    settings = testSettings(url ? { ELASTICSEARCH_URL: url, NATS_NAMESPACE: prefix.slice(0, -1) } : {});
    await start();
    await importFile(PARTS);
    await importFile(`${HEADER}T1,Turf Tire,99,,,Tires\nT2,Wheel,50,,,Wheels\n`, "KMT");
  });
  afterAll(async () => {
    await test.stop();
    if (url) await removeTestIndexes(prefix);
  });

  describe("alternatives", () => {
    const of = async (id: string): Promise<[string, string][]> =>
      (await call(test.broker, "search.aiPart", { id })).alternatives.map(({ reason, part }) => [reason, part.id]);

    it("are the chain of successors, the parts replaced, and parts of the category that are the same thing", async () => {
      expect(await of("bns-100")).toEqual([
        ["successor", "bns-200"],
        ["successor", "bns-300"],
        ["similar", "bns-400"],
      ]);
      expect(await of("BNS-300")).toEqual([
        ["predecessor", "bns-200"],
        ["similar", "bns-400"],
      ]);
      expect(await of("bns-700")).toEqual([]);
    });

    it("end where a chain leads back", async () => {
      await importFile(`${HEADER}800,Pump A,1,discontinued,810,Pumps\n810,Pump B,1,discontinued,800,Pumps\n`);
      expect(await of("bns-800")).toEqual([["successor", "bns-810"]]);
    });
  });

  describe("availability", () => {
    const ask = async (...partNumbers: string[]) => call(test.broker, "search.aiAvailability", { partNumbers });

    it("is the catalog's within 3 seconds when the supplier is silent or fails", async () => {
      const catalogs = {
        found: true,
        price: 30,
        status: "active",
        availability: "unknown",
        stock: null,
        live: false,
        ageSeconds: null,
        reason: "unavailable",
      };
      let release: () => void = () => undefined;
      inquire = () => new Promise((resolve) => (release = () => resolve([{ price: 1, quantity: 1 }])));
      const startedAt = Date.now();
      expect((await ask("300")).results).toEqual([
        { partNumber: "300", id: "bns-300", title: "Carburetor C", ...catalogs },
      ]);
      // Other calls have ten seconds.
      expect(Date.now() - startedAt).toBeLessThan(8_000);
      release();
      inquire = () => Promise.reject(new Error("no"));
      expect((await ask("300")).results[0]).toMatchObject(catalogs);
    });
  });

  describe("events", () => {
    const recorded = async () =>
      (await call(test.broker, "eventstore.list", { limit: 1_000 })).events.filter(
        ({ event_type }) => event_type === "SEARCH_PERFORMED",
      );
    const queries = async (beginning: string): Promise<string[]> =>
      (await recorded())
        .map(({ data }) => data.query as string)
        .filter((query) => query.startsWith(beginning))
        .sort();

    it("are left by each search, not by suggestions, facets, another service's look-ups and what says that it does not count", async () => {
      await call(test.broker, "search.filters", { q: "evt filters" });
      await call(test.broker, "search.suggest", { q: "evt suggest" });
      await call(test.broker, "search.instantsearch", {
        requests: [
          { indexName: "parts", query: "evt quiet", analytics: false },
          { indexName: "parts", query: "evt instant" },
        ],
      });
      await call(test.broker, "search.ai", { q: "evt ai" });
      await call(test.broker, "search.lookUp", { q: "evt look-up" });
      await call(test.broker, "search.recordSearch", {
        query: "evt told jo@example.com",
        resultsCount: 2,
        tookMs: 1.5,
      });
      await call(test.broker, "search.search", { q: "evt search belt", category: ["Belts"] });
      expect(await eventually(async () => (await queries("evt")).length >= 4 && queries("evt"))).toEqual([
        "evt ai",
        "evt instant",
        "evt search belt",
        "evt told [e-mail]",
      ]);
      const [event] = (await recorded()).filter(({ data }) => data.query === "evt search belt");
      expect(event).toMatchObject({
        aggregate_type: "search",
        version: 1,
        data: { results_count: 0, filters: { category: ["Belts"] }, took_ms: expect.any(Number) },
      });
      expect(Object.keys(event!.data).sort()).toEqual(["filters", "query", "results_count", "took_ms"]);
      const { relaxedTo, pagination } = await call(test.broker, "search.search", { q: "my deck belt please" });
      expect([relaxedTo, pagination.total > 0]).toEqual(["deck belt", true]);
      const told = await eventually(async () =>
        (await recorded()).find(({ data }) => data.query === "my deck belt please"),
      );
      expect(told.data.results_count).toBe(pagination.total);
      expect(Date.now() - event!.timestamp.getTime()).toBeLessThan(60_000);
    });

    it("are all there after many searches at once, each once", async () => {
      for (let wave = 0; wave < 250; wave += 50) {
        await Promise.all(
          Array.from({ length: 50 }, (_, n) => call(test.broker, "search.search", { q: `many ${1_000 + wave + n}` })),
        );
      }
      const expected = Array.from({ length: 250 }, (_, n) => `many ${1_000 + n}`);
      expect(await eventually(async () => (await queries("many")).length >= 250 && queries("many"))).toEqual(expected);
      const positions = (await recorded()).map(({ position }) => position);
      expect(positions).toEqual(positions.map((_, index) => positions[0]! + index));
    });
  });

  describe("builds", () => {
    it("are begun at once, run one at a time, and move the aliases", async () => {
      const before = await live();
      const asked = await Promise.all([1, 2, 3].map(() => call(test.broker, "search.reindex", {})));
      expect(new Set(asked.map(({ buildId }) => buildId)).size).toBe(1);
      const build = await buildEnded(test.broker, asked[0]!.buildId);
      expect(build).toMatchObject({ status: "published", reason: null, force: false, finishedAt: expect.any(Date) });
      expect(build.indexes).toEqual([
        { index: "parts", name: expect.stringMatching(/^parts_v\d{4}_\d\d_\d\d_\d+$/), sent: 11 },
        { index: "tires", name: expect.stringMatching(/^tires_v/), sent: 2 },
      ]);
      expect(await live()).toEqual(build.indexes.map(({ name }) => name));
      expect(await live()).not.toEqual(before);
      await expect(call(test.broker, "search.build", { buildId: "nobody" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    it("are joined by who asks for no more than the one that runs does, and refuse who asks for more, naming that one", async () => {
      // As if another process built the tires: its task is due after the test.
      const theirs = {
        status: "running" as const,
        running: RUNNING,
        indexes: [{ index: "tires" as const, name: null, sent: 0 }],
        force: false,
        reason: null,
        startedAt: new Date(),
        finishedAt: null,
      };
      await test.documents.atomically([
        {
          collection: BUILDS,
          insertOne: { _id: "theirs", ...theirs, expiresAt: new Date(Date.now() + 1e6) },
        },
        enqueue("search.build", "theirs", { buildId: "theirs" }, { dueAt: new Date(Date.now() + 1e6) }),
      ]);
      expect(await call(test.broker, "search.reindex", { index: "tires" })).toEqual({ buildId: "theirs" });
      for (const asked of [{}, { index: "parts" }, { index: "tires", force: true }] as const) {
        await expect(call(test.broker, "search.reindex", asked)).rejects.toMatchObject({
          code: "BUILD_RUNNING",
          data: { buildId: "theirs" },
        });
      }
      await test.tasks.drop("search.build:theirs");
      const { buildId } = await call(test.broker, "search.reindex", { index: "parts" });
      expect(await call(test.broker, "search.build", { buildId: "theirs" })).toMatchObject({
        status: "failed",
        finishedAt: expect.any(Date),
      });
      expect((await buildEnded(test.broker, buildId)).status).toBe("published");
    });

    it("build one index where one is asked for, and an older one can be gone back to, which catches up", async () => {
      const [parts, tires] = await live();
      const build = await reindex(test.broker, { index: "tires" });
      expect(build.indexes.map(({ index, sent }) => [index, sent])).toEqual([["tires", 2]]);
      expect(await live()).toEqual([parts, build.indexes[0]!.name]);
      await importFile(`${HEADER}T3,Zebra Tire,10,,,Tires\n`, "KMT");
      expect(await call(test.broker, "search.rollback", { index: "tires" })).toEqual({
        index: "tires",
        from: build.indexes[0]!.name,
        to: tires,
      });
      expect(await live()).toEqual([parts, tires]);
      expect(
        (await call(test.broker, "search.search", { q: "zebra", category: ["tires"] })).parts.map(({ id }) => id),
      ).toEqual(["kmt-t3"]);
      await expect(call(test.broker, "search.rollback", { index: "tires" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    it("are refused when they are far smaller than the live index, unless forced", async () => {
      await importFile(
        HEADER + Array.from({ length: 300 }, (_, n) => `B${n},Bulk Bolt ${n},1,,,Bolts\n`).join(""),
        "HON",
      );
      const before = await live();
      const parts = test.documents.collection(getPartsCollection("HON"));
      await parts.deleteMany({ pnNorm: { $gt: "B1" } });
      const refused = await reindex(test.broker);
      expect(refused).toMatchObject({ status: "refused", reason: expect.stringMatching(/\d/) });
      expect(await live()).toEqual(before);
      expect(await reindex(test.broker, { force: true })).toMatchObject({ status: "published", force: true });
      const { indexes } = await reindex(test.broker, { index: "parts" });
      expect(await live()).toContain(indexes[0]!.name);
    }, 60_000);

    it("of the tires alone are built after a sync that changed some, and not after the first", async () => {
      const [parts, tires] = await live();
      const builds = test.documents.collection<BuildDocument>(BUILDS);
      const before = await builds.count({});
      const unchanged = { vendor: "KMT", syncId: "sync_1", written: 0, unchanged: 3, discontinued: 0, refused: 0 };
      const first = { ...unchanged, syncId: "sync_0", written: 3, unchanged: 0 };
      const changed = { ...unchanged, syncId: "sync_2", written: 1 };
      // The last stands for a delivery again.
      for (const synced of [first, unchanged, changed, changed])
        await test.documents.atomically([outbox("catalog.synced", synced)]);
      test.channels.wake();
      expect(
        await eventually(
          async () =>
            (await builds.findOne({}, { sort: { startedAt: -1 } }))?.status === "published" &&
            (await live())[1] !== tires,
        ),
      ).toBe(true);
      await eventually(async () => {
        const { outbox, pending } = await test.channels.depth();
        return outbox + pending === 0;
      });
      expect((await live())[0]).toBe(parts);
      expect(await builds.count({})).toBe(before + 1);
    }, 60_000);
  });

  describe("words of an operator", () => {
    const found = async (q: string) => {
      const { parts, relaxedTo } = await call(test.broker, "search.search", { q });
      return { parts: parts.map(({ partNumber }) => partNumber), relaxedTo };
    };

    it("count from the next search on, on every node in a while, and give way to the product's own", async () => {
      expect(await found("kaasutin")).toEqual({ parts: [], relaxedTo: undefined });
      const lines = ["kaasutin => carburetor"];
      expect(await call(test.broker, "search.setSynonyms", { language: "fi", lines })).toEqual({
        language: "fi",
        isDefault: false,
        lines,
      });
      expect((await found("kaasutin")).parts).toContain("300");
      const { sets } = await call(test.broker, "search.synonyms", {});
      expect(sets.map(({ language, isDefault }) => [language, isDefault])).toEqual([
        ["en", true],
        ["de", true],
        ["es", true],
        ["fr", true],
        ["pl", true],
        ["sv", true],
        ["fi", false],
      ]);
      await call(test.broker, "search.setSynonyms", { language: "de", lines: [] });
      expect((await found("Vergaser")).parts).toEqual([]);
      await call(test.broker, "search.resetSynonyms", { language: "de" });
      expect((await found("Vergaser")).parts).toContain("300");
      expect(await call(test.broker, "search.resetSynonyms", { language: "fi" })).toMatchObject({ lines: [] });
      expect((await found("kaasutin")).parts).toEqual([]);
    });

    it.each([
      ["a", "has one word alone"],
      ["a => ", "has an empty word"],
      [", b", "has an empty word"],
      ["a => b => c", "has more than one"],
    ])("that are none, as %j, are refused by name, and nothing is set", async (line, why) => {
      const params = { language: "de", lines: ["a => b", line] };
      await expect(call(test.broker, "search.setSynonyms", params)).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        data: [{ field: "lines[1]", message: expect.stringContaining(why) }],
      });
      expect((await found("Vergaser")).parts).toContain("300");
    });
  });

  it("answers what asks for too much by what meets most of it, and says so", async () => {
    const { parts, relaxedTo } = await call(test.broker, "search.search", {
      q: "I need a deck belt for 48 in kit please",
    });
    expect([parts.map(({ partNumber }) => partNumber), relaxedTo]).toEqual([["700"], "deck belt 48"]);
    expect(await call(test.broker, "search.search", { q: "rubber boots size 44" })).toMatchObject({ parts: [] });
    expect(await call(test.broker, "search.search", { q: "deck belt" })).not.toHaveProperty("relaxedTo");
    const { total, facets } = await call(test.broker, "search.filters", {
      q: "I need a deck belt for 48 in kit please",
    });
    expect([total, facets.category]).toMatchObject([1, [{ value: "Belts", count: 1 }]]);
  });

  it("bounds the hits by a price in words, and names the bounds that the hits keep to", async () => {
    const bounded = async (q: string, params: { maxPrice?: number } = {}) => {
      const { parts, relaxedTo, minPrice, maxPrice } = await call(test.broker, "search.search", { q, ...params });
      for (const { price } of parts) expect(price).toBeLessThanOrEqual(maxPrice!);
      return { isFound: parts.length > 0, relaxedTo, minPrice, maxPrice };
    };
    const all = { isFound: true, minPrice: undefined };
    expect(await bounded("deck belt under $500")).toEqual({ ...all, relaxedTo: "deck belt", maxPrice: 500 });
    expect(await bounded("deck belt under $500", { maxPrice: 400 })).toMatchObject({ ...all, maxPrice: 400 });
    expect(await bounded("under $500")).toEqual({ ...all, relaxedTo: "", maxPrice: 500 });
  });

  it("finds what it found, knows a build without a task for failed, and begins one again that was cut off", async () => {
    const cut = {
      status: "running" as const,
      indexes: [],
      force: false,
      reason: null,
      startedAt: new Date(),
      finishedAt: null,
      expiresAt: new Date(Date.now() + 1e6),
    };
    const builds = test.documents.collection<BuildDocument>(BUILDS);
    await builds.insertOne({ _id: "cutoff", ...cut });
    const indexes = [{ index: "parts" as const, name: null, sent: 0 }];
    await test.documents.atomically([
      { collection: BUILDS, insertOne: { _id: "last", ...cut, indexes, running: RUNNING } },
      enqueue("search.build", "last", { buildId: "last" }, { dueAt: new Date(Date.now() + 1_500) }),
    ]);
    const told = await call(test.broker, "search.build", { buildId: "cutoff" });
    expect(told).toMatchObject({
      status: "failed",
      reason: "The process that built it ended",
      finishedAt: expect.any(Date),
    });
    expect(await call(test.broker, "search.build", { buildId: "cutoff" })).toEqual(told);
    expect(await call(test.broker, "search.build", { buildId: "last" })).toMatchObject({
      status: "running",
      finishedAt: null,
    });
    const before = await call(test.broker, "search.search", { q: "carburetor" });
    await test.stop();
    await start();
    expect((await call(test.broker, "search.search", { q: "carburetor" })).parts).toEqual(before.parts);
    expect(await buildEnded(test.broker, "last")).toMatchObject({
      status: "published",
      reason: null,
      finishedAt: expect.any(Date),
    });
    const { buildId } = await call(test.broker, "search.reindex", {});
    expect((await buildEnded(test.broker, buildId)).status).toBe("published");
  }, 60_000);
});
