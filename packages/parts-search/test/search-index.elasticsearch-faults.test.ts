import { inspect } from "node:util";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { writeAll } from "../src/elasticsearch/bulk.ts";
import { connect } from "../src/elasticsearch/client.ts";
import { INDEX_VERSION } from "../src/search-index/elasticsearch/mapping.ts";
import { openSearchIndex } from "../src/search-index/open.ts";
import type { SearchIndex } from "../src/search-index/port.ts";
import { elasticsearchTestPrefix, removeTestIndexes, testClient } from "../../../test/support/elasticsearch.ts";
import { eventually } from "../../../test/support/eventually.ts";
import {
  hang,
  json,
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedServer,
} from "../../../test/support/scripted-server.ts";
import { startTcpProxy, type TcpProxy } from "../../../test/support/tcp-proxy.ts";
import { part, PARTS, query } from "./search-index.documents.ts";

/** Longest that a caller waits for an answer or an error; the client's own limit is 5 s. */
const BOUND_MS = 9_000;

const UNAVAILABLE = { name: "SearchIndexError", code: "UNAVAILABLE" };

async function expectUnavailable(task: () => Promise<unknown>): Promise<void> {
  const startedAt = Date.now();
  await expect(task()).rejects.toMatchObject(UNAVAILABLE);
  expect(Date.now() - startedAt).toBeLessThan(BOUND_MS);
}

/** An answer as Elasticsearch gives it. */
const answer = (body: unknown, status = 200): ScriptedAnswer =>
  json(body, status, { "x-elastic-product": "Elasticsearch" });
const items = (...statuses: number[]): ScriptedAnswer =>
  answer({
    took: 1,
    errors: statuses.some((status) => status > 299),
    items: statuses.map((status, n) => ({
      index: {
        _id: String(n),
        status,
        ...(status > 299 ? { error: { type: `failure_${status}`, reason: "quotes a secret document" } } : {}),
      },
    })),
  });

if (process.env.ELASTICSEARCH_URL) {
  describe("an Elasticsearch that fails", () => {
    const prefix = elasticsearchTestPrefix("faults");
    let proxy: TcpProxy;
    let index: SearchIndex;
    let places = 0;
    let elasticsearchPrefix: string;
    beforeEach(async () => {
      proxy = await startTcpProxy(process.env.ELASTICSEARCH_URL!);
      elasticsearchPrefix = `${prefix}${++places}_`;
      index = await openSearchIndex({ elasticsearchUrl: proxy.url, elasticsearchPrefix, directory: "", synonyms: [] });
      await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
    });
    afterEach(async () => {
      await proxy.restore();
      await index.close();
      await proxy.close();
    });
    afterAll(() => removeTestIndexes(prefix));

    const everyOperation = (): (() => Promise<unknown>)[] => [
      () => index.search("parts", query("carburetor")),
      () => index.search("parts", query("")),
      () => index.suggest("parts", { q: "carb", limit: 5 }),
      () => index.get("parts", ["bns-799868"]),
      () => index.write({ documents: [part("BNS", "1", "Muffler")], progress: { BNS: 7 } }),
      () => index.progress(),
      () => index.status(),
      () => index.indexes(),
      () => index.startBuild(["parts"]),
      () => index.rollback("parts"),
    ];

    test("that is gone makes every operation UNAVAILABLE, and all go on when it is back", async () => {
      await proxy.cut();
      await Promise.all(everyOperation().map(expectUnavailable));
      await proxy.restore();
      expect((await index.search("parts", query("799868"))).total).toBe(3);
      await index.write({ documents: [part("BNS", "1", "Muffler")], progress: { BNS: 7 } });
      expect((await index.search("parts", query("muffler"))).total).toBe(1);
      expect(await index.progress()).toEqual({ BNS: 7 });
    }, 60_000);

    test("that hangs makes every operation UNAVAILABLE in a few seconds, and all go on when it wakes", async () => {
      proxy.freeze();
      await Promise.all(everyOperation().map(expectUnavailable));
      await proxy.restore();
      expect(await eventually(async () => (await index.search("parts", query("799868"))).total)).toBe(3);
    }, 60_000);

    test("that goes away amid a build leaves the live index, and the build goes on when it is back", async () => {
      const build = await index.startBuild(["parts"]);
      await build.add({ documents: PARTS.slice(0, 6), progress: { BNS: 6 } });
      await proxy.cut();
      // Nobody waits for a build: what it asks is tried again for as long as it takes.
      await expect(build.add({ documents: PARTS.slice(6), progress: { HON: 3 } })).rejects.toMatchObject(UNAVAILABLE);
      await expect(build.publish({ parts: 6 })).rejects.toMatchObject(UNAVAILABLE);
      await proxy.restore();
      await build.add({ documents: PARTS.slice(6), progress: { HON: 3 } });
      await build.publish({ parts: 11 });
      expect((await index.status()).parts).toEqual({ name: build.names.parts, documents: 11 });
    }, 60_000);

    test.each([1, 99])(
      "whose answer to the switch of the aliases is lost (%i times) has made the build live, which nothing then deletes",
      async (times) => {
        const build = await index.startBuild(["parts", "tires"]);
        await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
        proxy.loseAnswersTo("POST /_aliases", times);
        await build.publish({ parts: 11, tires: 2 });
        proxy.loseAnswersTo("POST /_aliases", 0);
        await build.discard().catch(() => undefined);
        expect((await index.status()).parts).toEqual({ name: build.names.parts, documents: 11 });
        expect((await index.search("parts", query("799868"))).total).toBe(3);
      },
      60_000,
    );

    test("that cannot be asked after the switch either keeps the build, though it was discarded", async () => {
      const build = await index.startBuild(["parts", "tires"]);
      await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
      proxy.loseAnswersTo("POST /_aliases", 99, { andThenAll: true });
      await expect(build.publish({ parts: 11, tires: 2 })).rejects.toMatchObject(UNAVAILABLE);
      await proxy.restore();
      await build.discard();
      expect((await index.status()).parts).toEqual({ name: build.names.parts, documents: 11 });
      expect((await index.search("parts", query("799868"))).total).toBe(3);
    }, 60_000);

    test("with an index that is blocked takes no writes and says so, answers searches, and takes them again", async () => {
      const client = testClient();
      const live = `${elasticsearchPrefix}${(await index.status()).parts.name}`;
      await client.indices.putSettings({ index: live, settings: { "index.blocks.write": true } });
      await expectUnavailable(() => index.write({ documents: [part("BNS", "1", "Muffler")], progress: { BNS: 7 } }));
      expect((await index.search("parts", query("799868"))).total).toBe(3);
      expect(await index.progress()).toEqual({ BNS: 6 });
      await client.indices.putSettings({ index: live, settings: { "index.blocks.write": null } });
      await index.write({ documents: [part("BNS", "1", "Muffler")], progress: { BNS: 7 } });
      expect(await index.progress()).toEqual({ BNS: 7 });
      await client.close();
    }, 60_000);

    test("with an index that is closed is UNAVAILABLE until it is open", async () => {
      const client = testClient();
      const live = `${elasticsearchPrefix}${(await index.status()).parts.name}`;
      await client.indices.close({ index: live });
      await expectUnavailable(() => index.search("parts", query("799868")));
      await client.indices.open({ index: live });
      expect((await index.search("parts", query("799868"))).total).toBe(3);
      await client.close();
    }, 60_000);

    test("with a red index is UNAVAILABLE until it is whole", async () => {
      const client = testClient();
      const live = `${elasticsearchPrefix}${(await index.status()).parts.name}`;
      const { mappings } = (await client.indices.get({ index: live }))[live]!;
      // No node may have it, so nobody has.
      const red = `${live}_2`;
      const settings = {
        number_of_shards: 1,
        number_of_replicas: 0,
        "index.routing.allocation.require._name": "nobody",
      };
      await client.indices.create({ index: red, settings, mappings, wait_for_active_shards: 0 });
      const aliases = ["read", `read_v${INDEX_VERSION}`, "write"].map(
        (of) => `${elasticsearchPrefix}parts_current_${of}`,
      );
      await client.indices.updateAliases({
        actions: aliases.flatMap((alias) => [{ remove: { index: live, alias } }, { add: { index: red, alias } }]),
      });
      await Promise.all(everyOperation().slice(0, 8).map(expectUnavailable));
      await client.indices.putSettings({ index: red, settings: { "index.routing.allocation.require._name": null } });
      await eventually(async () => (await index.progress()) && true);
      await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
      expect((await index.search("parts", query("799868"))).total).toBe(3);
      await client.close();
    }, 90_000);

    test("without the live index asks for a build, and is never taken for an empty one", async () => {
      const client = testClient();
      const { parts, tires } = await index.status();
      await client.indices.delete({ index: [parts.name, tires.name].map((name) => `${elasticsearchPrefix}${name}`) });
      await expectUnavailable(() => index.search("parts", query("799868")));
      for (const operation of [
        () => index.progress(),
        () => index.status(),
        () => index.write({ documents: [...PARTS], progress: { BNS: 6 } }),
      ]) {
        await expect(operation()).rejects.toMatchObject({ code: "BUILD_NEEDED" });
      }
      const build = await index.startBuild(["parts", "tires"]);
      await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
      await build.publish({ parts: 11, tires: 2 });
      expect(await index.progress()).toEqual({ BNS: 6 });
      expect((await index.search("parts", query("799868"))).total).toBe(3);
      await client.close();
    }, 60_000);

    test("names the documents that it refuses, and takes the others", async () => {
      const odd = part("BNS", "666", "Muffler", { price: "cheap" as unknown as number });
      const failure = await index
        .write({ documents: [odd, part("BNS", "667", "Muffler")], progress: { BNS: 9 } })
        .catch(String);
      expect(failure).toMatch(/refused 1 documents: bns-666 \(document_parsing_exception\)/);
      expect(failure).not.toContain("cheap");
      expect(await index.progress()).toEqual({ BNS: 6 });
      expect(await index.get("parts", ["bns-666", "bns-667"])).toHaveLength(1);
    });
  });
} else {
  describe.skip("an Elasticsearch that fails", () => {
    test("needs ELASTICSEARCH_URL", () => undefined);
  });
}

describe("an Elasticsearch that answers as a test wrote down", () => {
  let server: ScriptedServer;
  const serve = async (...script: ScriptedAnswer[]): Promise<string> => {
    server = await startScriptedServer(...script);
    return server.url;
  };
  afterEach(() => server.close());
  const bulk = (ids: string[]) => ids.map((id) => ({ index: "parts", id, version: 1, source: { id } }));
  /** Ids of the documents of each request. */
  const sent = (): string[][] =>
    server.requests.map(({ body }) => [...body.matchAll(/"_id":"(\w+)"/g)].map((match) => match[1]!));

  test("is asked again for what it had no room for, and for nothing else", async () => {
    const client = connect(await serve(items(201, 429, 201, 429), items(201, 429), items(201)));
    await writeAll(client, bulk(["a", "b", "c", "d"]));
    expect(sent()).toEqual([["a", "b", "c", "d"], ["b", "d"], ["d"]]);
    await client.close();
  });

  test("that never has room is UNAVAILABLE in the end", async () => {
    const client = connect(await serve(items(429)));
    await expect(writeAll(client, bulk(["a"]))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(server.requests.length).toBeGreaterThan(3);
    await client.close();
  });

  test("is sent the whole bulk again that it had no room for", async () => {
    const isFull = answer({ error: { type: "es_rejected_execution_exception" }, status: 429 }, 429);
    const client = connect(await serve(isFull, isFull, items(201, 201)));
    await writeAll(client, bulk(["a", "b"]));
    expect(sent()).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ]);
    await client.close();
  });

  test("is sent bulks of 2,000", async () => {
    const client = connect(await serve(items()));
    await writeAll(client, bulk(Array.from({ length: 4_001 }, (_, n) => `n${n}`)));
    expect(sent().map(({ length }) => length)).toEqual([2_000, 2_000, 1]);
    await client.close();
  });

  test("has its errors reported without what they quote", async () => {
    const client = connect(await serve(items(201, 400)));
    await expect(writeAll(client, bulk(["a", "b"]))).rejects.toThrow(
      "Elasticsearch refused 1 documents: b (failure_400)",
    );
    await client.close();
  });

  test.each([
    ["refuses", answer({ error: { type: "security_exception", reason: "no such user hunter2" }, status: 401 }, 401)],
    ["hangs", hang],
  ])("and %s is sent the credentials of the URL, and no error shows them", async (_, script) => {
    const url = new URL(await serve(script));
    url.username = "shop";
    url.password = "hunter2%20x";
    const failure: unknown = await openSearchIndex({ elasticsearchUrl: url.href, directory: "", synonyms: [] }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "UNAVAILABLE" });
    const [request] = server.requests;
    expect(request!.headers.authorization).toBe(`Basic ${Buffer.from("shop:hunter2 x").toString("base64")}`);
    const shown = inspect(failure, { depth: 20, showHidden: true });
    for (const secret of ["hunter2", Buffer.from("shop:hunter2 x").toString("base64"), url.host])
      expect(shown).not.toContain(secret);
  });
});

test("where no server is, opening is UNAVAILABLE within seconds", async () => {
  await expectUnavailable(() =>
    openSearchIndex({ elasticsearchUrl: "http://user:secret@127.0.0.1:9", directory: "", synonyms: [] }),
  );
});
