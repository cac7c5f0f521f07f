import { DEFAULT_SYNONYMS } from "@partline/parts-language/terms";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSearchIndex } from "../../../../parts-search/src/search-index/open.ts";
import type { SearchIndex } from "../../../../parts-search/src/search-index/port.ts";
import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import type { Engine } from "./contract.ts";

export function openEmbedded(): Promise<Engine> {
  return openPort("Partline, embedded");
}

/** Opens the engine at ELASTICSEARCH_URL. @throws Error when it is not set */
export function openElasticsearch(): Promise<Engine> {
  const elasticsearchUrl = process.env.ELASTICSEARCH_URL;
  if (!elasticsearchUrl) throw new Error("ELASTICSEARCH_URL is not set");
  return openPort("Partline, Elasticsearch", elasticsearchUrl);
}

async function openPort(name: string, elasticsearchUrl?: string): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), "partline-bench-search-"));
  const prefix = `bench-${process.pid}-${Date.now()}-`;
  const index = await openSearchIndex({
    directory,
    elasticsearchUrl,
    elasticsearchPrefix: prefix,
    synonyms: Object.values(DEFAULT_SYNONYMS).flat(),
  });
  return {
    name,
    load: (batches) => build(index, batches),
    search: async (query) => {
      const { hits, total } = await index.searchShown("parts", query);
      // The service sends the text: nobody but a benchmark that asks for ids reads it.
      return {
        total,
        get ids() {
          return (JSON.parse(hits) as { id: string }[]).map(({ id }) => id);
        },
      };
    },
    suggest: async (q, limit) => (await index.suggest("parts", { q, limit })).map(({ text }) => text),
    fileSize: () => (elasticsearchUrl === undefined ? measureSize(directory) : undefined),
    close: async () => {
      await index.close();
      if (elasticsearchUrl !== undefined) await removeIndexes(elasticsearchUrl, prefix);
      rmSync(directory, { recursive: true });
    },
  };
}

async function build(index: SearchIndex, batches: Iterable<IndexDocument[]>) {
  const build = await index.startBuild(["parts"]);
  let indexing = 0;
  let documents = 0;
  for (const batch of batches) {
    const startedAt = performance.now();
    await build.add({ documents: batch, progress: {} });
    indexing += performance.now() - startedAt;
    documents += batch.length;
  }
  const startedAt = performance.now();
  await build.publish({ parts: documents }, { force: true });
  return { indexing, switching: performance.now() - startedAt };
}

/** Only those of this run: others may share the server. */
export async function removeIndexes(elasticsearchUrl: string, prefix: string): Promise<void> {
  const ask = async (method: string, path: string): Promise<string> => {
    const response = await fetch(new URL(path, elasticsearchUrl), { method });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} is answered ${response.status}: ${text.slice(0, 200)}`);
    return text;
  };
  const names = (
    JSON.parse(await ask("GET", `/_cat/indices/${prefix}*?format=json&h=index`)) as { index: string }[]
  ).map(({ index }) => index);
  for (const name of names) await ask("DELETE", `/${name}`);
}

function measureSize(directory: string): number {
  return readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
}
