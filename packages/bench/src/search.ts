/**
 * Search over large catalogs: what indexing takes, and how long a realistic mix of queries does, at the port beside
 * Tantivy, MiniSearch and Orama, through HTTP against a running node, and what the service adds to Elasticsearch's own
 * time where ELASTICSEARCH_URL is set. Ends with 1 where an aim does not hold. `npm run bench -- search [PARTS ...]`,
 * 100,000 and 500,000 unless given.
 */
import { compareEngines } from "./support/search/engines-side-by-side.ts";
import { measureElasticsearch } from "./support/search/measure-elasticsearch.ts";
import { HTTP_QUERIES, measureHttp } from "./support/search/measure-http.ts";
import { createMix } from "./support/search/mix.ts";
import type { EngineName } from "./support/search-engines/engine.ts";

const QUERIES = 1_000;
/** Queries that are sent to Elasticsearch in turns. */
const QUERIES_IN_TURNS = 300;
/** Above this, libraries that keep everything in memory take no part. */
const MOST_IN_MEMORY = 100_000;

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 500_000];
const elasticsearchUrl = process.env.ELASTICSEARCH_URL;
if (!elasticsearchUrl) console.log("Elasticsearch takes no part: ELASTICSEARCH_URL is not set");
for (const parts of sizes) {
  const queries = createMix(parts, QUERIES);
  const names: EngineName[] = [
    "embedded",
    ...(elasticsearchUrl ? ["elasticsearch" as const] : []),
    ...(parts <= MOST_IN_MEMORY ? ["minisearch" as const, "orama" as const] : []),
  ];
  const hold = [await compareEngines(names, parts, queries), await measureHttp(parts, createMix(parts, HTTP_QUERIES))];
  if (hold.includes(false)) process.exitCode = 1;
  if (elasticsearchUrl) await measureElasticsearch(elasticsearchUrl, parts, queries.slice(0, QUERIES_IN_TURNS));
}
