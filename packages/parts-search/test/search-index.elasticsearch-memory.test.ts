import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { openSearchIndex } from "../src/search-index/open.ts";
import type { SearchIndex } from "../src/search-index/port.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../../../test/support/elasticsearch.ts";
import { startScriptedServer, type ScriptedServer } from "../../../test/support/scripted-server.ts";
import { part, query } from "./search-index.documents.ts";

const url = process.env.ELASTICSEARCH_URL;

if (url) {
  describe("what a process remembers of an Elasticsearch index", () => {
    const prefix = elasticsearchTestPrefix("memory");
    let places = 0;
    let mine: SearchIndex;
    let other: SearchIndex;
    beforeEach(async () => {
      const elasticsearchPrefix = `${prefix}${++places}_`;
      const open = (): Promise<SearchIndex> =>
        openSearchIndex({ elasticsearchUrl: url, elasticsearchPrefix, directory: "", synonyms: [] });
      mine = await open();
      other = await open();
      await mine.write({
        documents: [part("BNS", "1", "Muffler"), part("BNS", "2", "Deck Belt")],
        progress: { BNS: 4 },
      });
    });
    afterEach(() => Promise.all([mine.close(), other.close()]));
    afterAll(() => removeTestIndexes(prefix));

    const relay = async (
      { method, url: path, headers, body }: ScriptedServer["requests"][number],
      response: ServerResponse,
    ): Promise<void> => {
      const { "content-type": type = "application/json", accept = "application/json" } = headers;
      const answer = await fetch(new URL(path, url), {
        method,
        headers: { "content-type": type, accept },
        ...(body === "" ? {} : { body }),
      });
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "",
        "x-elastic-product": "Elasticsearch",
      });
      response.end(await answer.text());
    };
    const ids = async (q: string): Promise<string[]> =>
      (await mine.search("parts", query(q))).hits.map(({ document }) => document.id);

    test("gives the same answer again", async () => {
      for (const q of ["muffler", "mufler", "deck belt", "belt muffler", "BNS 2", "2"]) {
        const first = await mine.search("parts", query(q));
        expect(await mine.search("parts", query(q))).toEqual(first);
      }
    });

    test("is enough to count and to find what has known words by one request", async () => {
      const server = await startScriptedServer((response) => void relay(server.requests.at(-1)!, response));
      const index = await openSearchIndex({
        elasticsearchUrl: server.url,
        elasticsearchPrefix: `${prefix}${places}_`,
        directory: "",
        synonyms: [],
      });
      try {
        for (const asked of [query("deck belt"), query("deck belts", { limit: 0 }), query("mufler", { limit: 0 })]) {
          const first = await index.search("parts", asked);
          const before = server.requests.length;
          expect(await index.search("parts", asked)).toEqual(first);
          expect(server.requests.length - before).toBe(1);
        }
      } finally {
        await index.close();
        await server.close();
      }
    });

    test("is forgotten with a write of its own", async () => {
      expect(await ids("mufler")).toEqual(["bns-1"]);
      await mine.write({ documents: [part("BNS", "3", "Mufler")], progress: { BNS: 5 } });
      expect(await ids("mufler")).toEqual(["bns-3"]);
    });

    test("hides nothing that another process writes", async () => {
      expect(await ids("mufler")).toEqual(["bns-1"]);
      await other.write({ documents: [part("BNS", "3", "Mufler")], progress: { BNS: 5 } });
      expect((await ids("mufler"))[0]).toBe("bns-3");
    });

    test("is not taken for true of an index that another process publishes", async () => {
      const build = await other.startBuild(["parts"]);
      await build.add({ documents: [part("BNS", "5", "Mufler"), part("BNS", "6", "Muffler")], progress: { BNS: 4 } });
      expect(await ids("mufler")).toEqual(["bns-1"]);
      await build.publish({ parts: 2 }, { force: true });
      expect(await ids("mufler")).toEqual(["bns-5"]);
    });

    test("never stands for a number: one that is replaced from now on leads to its successor", async () => {
      expect(await ids("799868")).toEqual([]);
      await other.write({
        documents: [
          part("BNS", "799868", "Carburetor", { status: "discontinued", supersededBy: "590399" }),
          part("BNS", "590399", "Carburetor"),
        ],
        progress: { BNS: 5 },
      });
      expect(await ids("799868")).toEqual(["bns-590399", "bns-799868"]);
      expect(await ids("carburetor 799868")).toEqual(["bns-590399", "bns-799868"]);
    });
  });
} else {
  describe.skip("what a process remembers of an Elasticsearch index", () => {
    test("needs ELASTICSEARCH_URL", () => undefined);
  });
}
