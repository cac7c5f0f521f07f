import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createEntryPointService } from "../../gateway/http/entry-point.ts";
import { call } from "../../services/contracts.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

(process.env.ELASTICSEARCH_URL ? describe : describe.skip)("search while Elasticsearch is gone", () => {
  const prefix = elasticsearchTestPrefix("outage");
  let line: TcpProxy;
  let test: TestBroker;
  let url: string;

  const importFile = (rows: string) =>
    call(
      test.broker,
      "catalog.import",
      { vendor: "BNS", contentType: "text/csv" },
      {
        stream: Readable.from([`part_number,title\n${rows}\n`]),
      },
    );
  const ids = async (q: string): Promise<string[]> =>
    (await call(test.broker, "search.search", { q })).parts.map(({ id }) => id);
  const ask = async (
    path: string,
    body?: object,
  ): Promise<{ status: number; retryAfter: string | null; body: unknown }> => {
    const response = await fetch(
      `${url}${path}`,
      body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    );
    return { status: response.status, retryAfter: response.headers.get("retry-after"), body: await response.json() };
  };
  const expectRefusals = async (): Promise<void> => {
    const asked = [
      call(test.broker, "search.search", { q: "belt" }),
      call(test.broker, "search.filters", {}),
      call(test.broker, "search.suggest", { q: "be" }),
      call(test.broker, "search.ai", { q: "belt" }),
      call(test.broker, "search.instantsearch", { requests: [{ indexName: "parts" }] }),
      call(test.broker, "search.aiPart", { id: "bns-1" }),
      call(test.broker, "search.aiAvailability", { partNumbers: ["1"] }),
      call(test.broker, "search.indexes", {}),
      call(test.broker, "search.ready", {}),
    ];
    const startedAt = Date.now();
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "SERVICE_UNAVAILABLE" } });
    expect(Date.now() - startedAt).toBeLessThan(7_000);
    const gone = {
      elasticsearch: "error",
      mongodb: "ok",
      docCount_es: null,
      delta: null,
      aliasTarget: { parts: null, tires: null },
      dependencies: { search: { status: "error" } },
    };
    expect(await ask("/health")).toMatchObject({ status: 200, body: { status: "degraded", ...gone } });
    expect(await ask("/health/ready")).toMatchObject({ status: 503, retryAfter: "1", body: { ready: false } });
    expect(await ask("/health/live")).toMatchObject({ status: 200 });
    const message = expect.stringMatching(
      /^The search index did not answer in time$|^The search index does not answer$/,
    );
    const envelope = { success: false, error: { code: "SERVICE_UNAVAILABLE", message } };
    const requests = [{ indexName: "parts", query: "belt" }];
    const refused: [body: object, path: string, sent?: object][] = [
      [envelope, "/api/search?q=belt"],
      [envelope, "/api/search?category=tires"],
      [envelope, "/api/filters"],
      [envelope, "/api/search/suggest?q=be"],
      [envelope, "/api/ai?q=belt"],
      [envelope, "/api/ai/parts/bns-1"],
      [envelope, "/api/ai/availability", { partNumbers: ["1", "2"] }],
      // As their clients read it.
      ...["/api/search/instantsearch", "/1/indexes/*/queries"].map((path): [object, string, object] => [
        { ...envelope, message, status: 503 },
        path,
        { requests },
      ]),
    ];
    const askedAt = Date.now();
    const answers = await Promise.all(refused.map(async ([, path, sent]) => ({ path, ...(await ask(path, sent)) })));
    expect(answers).toEqual(refused.map(([body, path]) => ({ path, status: 503, retryAfter: "1", body })));
    expect(Date.now() - askedAt).toBeLessThan(7_000);
  };

  beforeAll(async () => {
    line = await startTcpProxy(process.env.ELASTICSEARCH_URL!);
    const port = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    test = await startTestBroker({
      services: ["catalog", "search", (broker) => createEntryPointService(broker, "search")],
      settings: testSettings({
        ELASTICSEARCH_URL: line.url,
        NATS_NAMESPACE: prefix.slice(0, -1),
        SEARCH_PORT: String(port),
      }),
    });
    await importFile("1,Belt");
    await call(test.broker, "search.refresh", {});
    expect(await ids("belt")).toEqual(["bns-1"]);
  });
  afterAll(async () => {
    await test.stop();
    await line.close();
    await removeTestIndexes(prefix);
  });

  it.each<[string, () => Promise<void> | void]>([
    ["the connection is refused", () => line.cut()],
    ["nothing is answered", () => line.freeze()],
  ])(
    "is refused within seconds when %s, and goes on by itself afterwards",
    async (_what, fail) => {
      await fail();
      await expectRefusals();
      // What the catalog takes meanwhile is found once the index is there again.
      const number = 100 + Math.floor(Math.random() * 1e6);
      const imported = importFile(`${number},Belt ${number}`);
      await line.restore();
      await imported;
      await eventually(async () => (await ids(String(number)))[0] === `bns-${number}`, 60_000);
      expect(await ask("/health/ready")).toMatchObject({ status: 200 });
      expect(await ask("/health")).toMatchObject({
        body: { status: "ok", elasticsearch: "ok", delta: 0, dependencies: { search: { status: "ok" } } },
      });
    },
    120_000,
  );
});
