import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { answerCacheOf } from "../../broker/caching/middleware.ts";
import { call } from "../../services/contracts.ts";
import searchService from "../../services/search/search.service.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { REDIS_URL } from "../support/redis.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const url = process.env.ELASTICSEARCH_URL;
const caches = [["in memory", {}], ...(REDIS_URL ? [["in Redis", { REDIS_URL }] as const] : [])] as const;

/** Of one of the nodes, how its cached actions were answered. */
function counted(broker: ServiceBroker): Record<string, number> {
  return Object.fromEntries(
    [...answerCacheOf(broker).requests.counts()].map(({ labels, count }) => [
      `${labels.action} ${labels.result}`,
      count,
    ]),
  );
}

(url ? describe : describe.skip).each(caches)(
  "two search nodes over one index, their answers kept %s",
  (_where, env) => {
    let system: TestBroker | undefined;
    const prefix = elasticsearchTestPrefix("cache");
    afterEach(async () => {
      await system?.stop();
      await removeTestIndexes(prefix);
    });

    test("show what an import brought as soon as it is answered, each of them, and look it up once", async () => {
      const nodes: ServiceBroker[] = [];
      const search = (broker: ServiceBroker) => {
        nodes.push(broker);
        return searchService(broker);
      };
      const settings = testSettings({ ...env, ELASTICSEARCH_URL: url!, NATS_NAMESPACE: prefix.slice(0, -1) });
      system = await startTestBroker({ services: ["catalog", search, search], transport: "fake", settings });
      const { broker } = system;
      await broker.waitForServices(["search"], 10_000, 20);
      const importPart = (line: string) =>
        call(broker, "catalog.import", { vendor: "BNS", contentType: "text/csv" }, {
          stream: Readable.from([Buffer.from(`part_number,title,list_price\n${line}\n`)]),
        } as object);

      for (let number = 1; number <= 3; number += 1) {
        await importPart(`10${number},Carburetor ${number},${number}`);
        // In turns, so that both nodes answer.
        for (let turn = 0; turn < 6; turn += 1) {
          const page = await call(broker, "search.search", { sort: "newest" });
          expect(page).toMatchObject({ pagination: { total: number }, facets: { manufacturer: [{ count: number }] } });
          expect((await call(broker, "search.filters", {})).total).toBe(number);
          expect((await call(broker, "search.suggest", { q: `10${number}` })).suggestions).toMatchObject([
            { part: { unitPrice: number } },
          ]);
        }
      }
      await importPart("101,Carburetor 1,99");
      for (let turn = 0; turn < 4; turn += 1)
        expect((await call(broker, "search.suggest", { q: "101" })).suggestions).toMatchObject([
          { part: { unitPrice: 99 } },
        ]);
      for (const node of nodes) {
        const { "search.browse hit": browsed = 0, "search.suggest hit": suggested = 0 } = counted(node);
        expect(browsed).toBeGreaterThan(3);
        expect(suggested).toBeGreaterThan(3);
      }
      // A search leaves its event, whether it was looked up or not.
      expect(counted(nodes[0]!)).not.toHaveProperty("search.search hit");
    }, 60_000);
  },
);
