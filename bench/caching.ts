/**
 * What the search service's cached actions cost when they are made anew, on each engine, and what a look into the cache costs, with the answer
 * read back. `npm run bench -- caching [PARTS]`, 100,000 unless given; with ELASTICSEARCH_URL and REDIS_URL where they are set.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryCache } from "../mixins/cache/memory.ts";
import type { Cache } from "../mixins/cache/port.ts";
import { redisCache } from "../mixins/cache/redis.ts";
import { RedisConnection } from "../mixins/redis/connection.ts";
import { openSearchIndex } from "../mixins/search-index/open.ts";
import type { IndexDocument, SearchIndex } from "../mixins/search-index/port.ts";
import { SYNONYMS } from "../mixins/search-index/synonyms.ts";
import { toFacets, toPartPreview, toSuggestion } from "../services/search/preview.ts";
import { generatedRows } from "./support/generated-catalog/rows.ts";
import { indexDocument } from "./support/index-documents.ts";
import { plainQuery } from "./support/search-engines/engine.ts";
import { removeIndexes } from "./support/search-engines/port.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const parts = Number(process.argv[2] ?? 100_000);
const { ELASTICSEARCH_URL: elasticsearchUrl, REDIS_URL: redisUrl } = process.env;
const BULK = 2_000;
const TIMES = 200;
const WARM_UP = 30;

type Asked = Record<string, (index: SearchIndex) => Promise<unknown>>;

const page = async (index: SearchIndex, limit: number, categories: string[] = []): Promise<unknown> => {
  const { hits, total, facets } = await index.search("parts", { ...plainQuery("", limit), categories });
  return { parts: hits.map(toPartPreview), total, facets: toFacets(facets) };
};
const suggestions = async (index: SearchIndex, q: string): Promise<unknown> => ({
  suggestions: (await index.suggest("parts", { q, limit: 8 })).map(toSuggestion),
});
const ASKED: Asked = {
  "browse, counts alone": (index) => page(index, 0),
  "browse, counts of a category": (index) => page(index, 0, ["Belts"]),
  "browse, 20 parts": (index) => page(index, 20),
  "suggest, c": (index) => suggestions(index, "c"),
  "suggest, carb": (index) => suggestions(index, "carb"),
  "suggest, bearing wa": (index) => suggestions(index, "bearing wa"),
  "suggest, 7905": (index) => suggestions(index, "7905"),
};

/** The middle of many, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = -WARM_UP; turn < TIMES; turn += 1) {
    const startedAt = performance.now();
    await work();
    if (turn >= 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function onEngine(url?: string): Promise<{ times: number[]; answers: unknown[] }> {
  const directory = mkdtempSync(join(tmpdir(), "partline-bench-caching-"));
  const prefix = `bench-${process.pid}-${Date.now()}-`;
  const index = await openSearchIndex({
    directory,
    elasticsearchUrl: url,
    elasticsearchPrefix: prefix,
    synonyms: SYNONYMS,
  });
  try {
    const build = await index.startBuild(["parts"]);
    const batch: IndexDocument[] = [];
    const add = async (): Promise<void> => build.add({ documents: batch.splice(0), progress: {} });
    let filled = 0;
    for (const { vendor, row } of generatedRows(parts)) {
      filled += 1;
      if (batch.push(indexDocument(vendor, row)) === BULK) await add();
    }
    await add();
    await build.publish({ parts: filled }, { force: true });
    const times: number[] = [];
    const answers: unknown[] = [];
    for (const ask of Object.values(ASKED)) {
      answers.push(await ask(index));
      times.push(await timed(() => ask(index)));
    }
    return { times, answers };
  } finally {
    await index.close();
    if (url !== undefined) await removeIndexes(url, prefix);
    rmSync(directory, { recursive: true });
  }
}

async function outOf(cache: Cache, answers: readonly unknown[]): Promise<number[]> {
  const times: number[] = [];
  for (const [number, answer] of answers.entries()) {
    const key = `bench ${number}`;
    await cache.keep(key, await cache.look(key, ["search.index"]), Buffer.from(JSON.stringify(answer)), 600_000);
    times.push(await timed(async () => JSON.parse(String((await cache.look(key, ["search.index"])).bytes)) as unknown));
  }
  return times;
}

const embedded = await onEngine();
const columns: [title: string, times: number[]][] = [["embedded", embedded.times]];
if (elasticsearchUrl) columns.push(["Elasticsearch", (await onEngine(elasticsearchUrl)).times]);
columns.push(["out of memory", await outOf(memoryCache(), embedded.answers)]);
if (redisUrl) {
  const namespace = `bench_${process.pid}`;
  const redis = new RedisConnection({ url: redisUrl, namespace, logger: console, meanwhile: "the benchmark fails" });
  await redis.start();
  columns.push(["out of Redis", await outOf(redisCache(redis, namespace), embedded.answers)]);
  await redis.close();
}
printTable(
  `${parts.toLocaleString("en-US")} parts, p50 ms`,
  ["", ...columns.map(([title]) => title)],
  Object.keys(ASKED).map((name, row) => [name, ...columns.map(([, times]) => times[row]!)]),
);
process.exit(0);
