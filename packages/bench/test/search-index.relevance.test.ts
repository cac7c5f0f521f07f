import { expect, test } from "@jest/globals";
import { sandboxDocuments } from "../src/support/index-documents.ts";
import { relevanceAims } from "../src/support/relevance/aims.ts";
import { readJudgedQueries } from "../src/support/relevance/judged-queries.ts";
import { scoreEngine } from "../src/support/relevance/score.ts";

/** The embedded engine alone: the parity tests hold Elasticsearch to its answers. */
test("the judged queries are answered as well as the benchmark aims at", async () => {
  const documents = sandboxDocuments();
  const scored = await scoreEngine("embedded", documents, await readJudgedQueries(documents));
  expect(scored).toHaveLength(500);
  const aims = relevanceAims([scored]);
  expect(aims.map(({ what }) => what)).toEqual([
    "At least 0.95 over all classes",
    "1 for exact numbers and their spellings",
  ]);
  expect(aims.filter(({ isMet }) => !isMet)).toEqual([]);
}, 60_000);
