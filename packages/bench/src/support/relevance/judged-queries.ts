import { readFile } from "node:fs/promises";
import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import { readFacts } from "./catalog-facts.ts";
import { makeQueries, type JudgedQuery } from "./make-queries.ts";

/** One query a line, with its grades. */
export const JUDGED_QUERIES = new URL("./judged-queries.ndjson", import.meta.url);

export function judgedQueriesText(documents: readonly IndexDocument[]): string {
  return makeQueries(readFacts(documents))
    .map((query) => `${JSON.stringify(query)}\n`)
    .join("");
}

/** @throws Error when the catalog is no longer the one that was judged */
export async function readJudgedQueries(documents: readonly IndexDocument[]): Promise<JudgedQuery[]> {
  const text = await readFile(JUDGED_QUERIES, "utf8");
  if (text !== judgedQueriesText(documents))
    throw new Error(
      "The sandbox catalog has changed since it was judged: run packages/bench/src/support/relevance/write-judged-queries.ts and look at what it changes",
    );
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JudgedQuery);
}
