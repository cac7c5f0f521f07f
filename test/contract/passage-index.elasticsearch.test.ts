import { afterAll, describe, expect, test } from "@jest/globals";
import { openPassageIndex } from "../../mixins/passage-index/open.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
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
      return { open: () => open(ours) };
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
