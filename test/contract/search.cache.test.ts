import { afterEach, expect, test } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const url = process.env.ELASTICSEARCH_URL;

const prefix = elasticsearchTestPrefix("recent");
let system: TestBroker | undefined;
afterEach(async () => {
  await system?.stop();
  if (url) await removeTestIndexes(prefix);
});

test("suggestions and pages without words show what an import brought as soon as search has it", async () => {
  const settings = testSettings(url ? { ELASTICSEARCH_URL: url, NATS_NAMESPACE: prefix.slice(0, -1) } : {});
  system = await startTestBroker({ services: ["catalog", "search"], settings });
  const { broker } = system;
  const importPart = (line: string) => importPrices(broker, `part_number,title,list_price\n${line}\n`);

  for (const price of [1, 2, 3]) {
    await importPart(`10${price},Carburetor ${price},${price}`);
    await importPart(`100,Air Filter,${price}`);
    expect((await call(broker, "search.search", { sort: "newest" })).pagination.total).toBe(price + 1);
    expect((await call(broker, "search.filters", {})).total).toBe(price + 1);
    expect((await call(broker, "search.suggest", { q: "100" })).suggestions).toMatchObject([
      { part: { unitPrice: price } },
    ]);
  }
}, 60_000);
