import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const url = process.env.ELASTICSEARCH_URL;

describe("A search of the tires", () => {
  const prefix = elasticsearchTestPrefix("tires");
  let system: TestBroker;
  const importFile = (vendor: string, ...rows: string[]) =>
    importPrices(system.broker, `part_number,title,category,list_price\n${rows.join("\n")}\n`, { vendor });
  const search = (params: { q?: string; category?: string[]; manufacturer?: string[]; sort?: "newest" }) =>
    call(system.broker, "search.search", params);
  const found = async (params: Parameters<typeof search>[0]): Promise<string[]> =>
    (await search(params)).parts.map(({ id }) => id).sort();

  beforeAll(async () => {
    const settings = testSettings({
      TIRE_SUPPLIER_ALIASES: "Acme,K&M",
      ...(url ? { ELASTICSEARCH_URL: url, NATS_NAMESPACE: prefix.slice(0, -1) } : {}),
    });
    system = await startTestBroker({ services: ["catalog", "search"], settings });
    await importFile("KMT", "T-1,Sport Trail,Tires,80", "T-2,Turf Rim,Wheels,50");
    await importFile("BNS", 'B-1,"Oil Filter, Short",Filters,10', 'B-2,"Belt, Short",Belts,20');
  });
  afterAll(async () => {
    await system.stop();
    if (url) await removeTestIndexes(prefix);
  });

  it("counts what it shows, also where a word that no tire has is one of other parts", async () => {
    const { parts, facets } = await search({ q: "short", category: ["tires"] });
    expect(parts.map(({ id }) => id)).toEqual(["kmt-t1"]);
    expect(facets).toMatchObject({ manufacturer: [{ value: "KMT", count: 1 }], price: { min: 80, max: 80 } });
    // Each value with what choosing it finds.
    expect(facets.category.map(({ value, count }) => [value, count])).toEqual([
      ["Belts", 1],
      ["Filters", 1],
      ["Wheels & Tires", 1],
    ]);
    for (const { value, count } of facets.category)
      expect((await search({ q: "short", category: [value] })).pagination.total).toBe(count);
    const bySupplier = await search({ q: "short", manufacturer: ["KMT"] });
    expect(bySupplier.facets.manufacturer.map(({ value, count }) => [value, count])).toEqual([
      ["BNS", 2],
      ["KMT", 1],
    ]);
    expect(bySupplier.facets.category.map(({ value, count }) => [value, count])).toEqual([["Wheels & Tires", 1]]);
  });

  it("is what a filter on the supplier is, by its code and by every alias that is set", async () => {
    for (const manufacturer of ["KMT", "acme", "ACME", "k&m"]) {
      expect([manufacturer, await found({ manufacturer: [manufacturer] })]).toEqual([
        manufacturer,
        ["kmt-t1", "kmt-t2"],
      ]);
    }
    expect(await found({ manufacturer: ["Acme", "BNS"], q: "sport" })).toEqual(["kmt-t1"]);
    for (const facetFilters of [["manufacturer:Acme"], [["manufacturer:K&M"], ["manufacturer:KMT"]]]) {
      const { results } = await call(system.broker, "search.instantsearch", {
        requests: [{ indexName: "parts", params: { facets: ["manufacturer"], facetFilters } }],
      });
      expect(results[0]).toMatchObject({ nbHits: 2, facets: { manufacturer: { "K&M Tire": 2 } } });
    }
  });

  it("does not find what has stopped being one", async () => {
    await importFile("GRP", "TT-1,Implement tire,tires,50");
    expect((await search({ q: "TT-1", category: ["tires"] })).parts).toMatchObject([{ id: "grp-tt1", price: 50 }]);
    await importFile("GRP", "TT-1,Implement tire,Hubs,60");
    expect(await found({ q: "TT-1", category: ["tires"] })).toEqual([]);
    expect((await search({ q: "TT-1" })).parts).toMatchObject([{ id: "grp-tt1", category: "Hubs", price: 60 }]);
  });

  it("and suggestions show what an import brought as soon as search has it, also a page without words", async () => {
    const { total: before } = await call(system.broker, "search.filters", {});
    for (const price of [1, 2, 3]) {
      await importFile("BNS", `10${price},Carburetor ${price},,${price}`, `100,Air Filter,,${price}`);
      const { pagination } = await search({ sort: "newest" });
      const { total } = await call(system.broker, "search.filters", {});
      expect([pagination.total, total]).toEqual([before + 1 + price, before + 1 + price]);
      const { suggestions } = await call(system.broker, "search.suggest", { q: "100" });
      expect(suggestions).toMatchObject([{ part: { unitPrice: price } }]);
    }
  });
});
