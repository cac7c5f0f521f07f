import { afterAll, describe, test } from "@jest/globals";
import { openSearchIndex } from "../../mixins/search-index/open.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { searchIndexContract } from "./search-index.contract.ts";
import { SYNONYMS } from "./search-index.documents.ts";

const url = process.env.ELASTICSEARCH_URL;

if (url) {
  const prefix = elasticsearchTestPrefix("contract");
  let places = 0;
  searchIndexContract("Elasticsearch", () => {
    const elasticsearchPrefix = `${prefix}${++places}_`;
    return { open: () => openSearchIndex({ elasticsearchUrl: url, elasticsearchPrefix, directory: "", synonyms: SYNONYMS }) };
  }, { runs: 40 });
  afterAll(() => removeTestIndexes(prefix));
} else {
  describe.skip("search index: Elasticsearch", () => {
    test("needs ELASTICSEARCH_URL", () => undefined);
  });
}
