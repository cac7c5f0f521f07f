import { afterAll, describe, expect, test } from "@jest/globals";
import { openPassageIndex } from "../src/passage-index/open.ts";
import type { PassageIndex } from "../src/passage-index/port.ts";
import { elasticsearchTestPrefix, removeTestIndexes, testClient } from "../../../test/support/elasticsearch.ts";
import { passage, passageIndexContract, SYNONYMS } from "./passage-index.contract.ts";

const url = process.env.ELASTICSEARCH_URL;

if (url) {
  const prefix = elasticsearchTestPrefix("passages");
  let places = 0;
  const open = (elasticsearchPrefix: string) =>
    openPassageIndex({ elasticsearchUrl: url, elasticsearchPrefix, directory: "", synonyms: SYNONYMS });
  afterAll(() => removeTestIndexes(prefix));

  passageIndexContract(
    "Elasticsearch",
    () => {
      const ours = `${prefix}${++places}_`;
      return {
        open: () => open(ours),
        lose: async (index) => {
          await removeTestIndexes(ours);
          return index;
        },
      };
    },
    { runs: 3 },
  );

  describe("one passage index on Elasticsearch for several processes", () => {
    test("is made once, and shows to one what another has put and removed", async () => {
      const ours = `${prefix}${++places}_`;
      const [mine, other] = await Promise.all([open(ours), open(ours)]);
      await mine.put({ manual: "a", passages: [passage(1, "muffler")] });
      expect(await other.byWords({ words: "muffler", limit: 5 })).toHaveLength(1);
      await other.remove("a");
      expect(await mine.byWords({ words: "muffler", limit: 5 })).toEqual([]);
      await Promise.all([mine.close(), other.close()]);
    });

    test("one that was deleted is made again once, and all write to it and find in it", async () => {
      const ours = `${prefix}${++places}_`;
      const vector = Float32Array.from([1, 0]);
      const put = (index: PassageIndex, manual: string) =>
        index.put({ manual, vectorModel: "m", passages: [passage(1, "muffler", { vector })] });
      const [mine, other] = await Promise.all([open(ours), open(ours)]);
      await Promise.all([put(mine, "a"), put(other, "b")]);
      await removeTestIndexes(ours);
      await Promise.all([put(mine, "a"), put(other, "b")]);
      await removeTestIndexes(ours);
      await mine.remove("a");
      for (const index of [mine, other])
        expect(await index.byVector({ vector, vectorModel: "m", limit: 5 })).toEqual([]);
      await put(other, "b");
      for (const index of [mine, other])
        expect(await index.byVector({ vector, vectorModel: "m", limit: 5 })).toMatchObject([{ manual: "b" }]);
      await Promise.all([mine.close(), other.close()]);
    });

    test("one of an older version is written to", async () => {
      const ours = `${prefix}${++places}_`;
      await (await open(ours)).close();
      const client = testClient();
      await client.indices.deleteAlias({ index: `${ours}*`, name: "*" });
      await client.close();
      const index = await open(ours);
      await index.put({ manual: "a", passages: [passage(1, "muffler")] });
      expect(await index.manuals()).toEqual([{ manual: "a", passages: 1 }]);
      await index.close();
    });

    test("a server that does not answer is reported as such", async () => {
      await expect(
        openPassageIndex({ elasticsearchUrl: "http://127.0.0.1:9", directory: "", synonyms: [] }),
      ).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
} else {
  describe.skip("passage index: Elasticsearch", () => {
    test("needs ELASTICSEARCH_URL", () => undefined);
  });
}
