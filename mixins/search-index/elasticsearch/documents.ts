import type { Client, estypes } from "@elastic/elasticsearch";
import { LOGICAL_INDEXES, type IndexBatch, type IndexDocument, type LogicalIndex, type Progress } from "../port.ts";
import { writeAll, type BulkItem } from "./bulk.ts";
import { PROMPT } from "./client.ts";
import { PART_FIELD, toSource, type ProgressSource } from "./mapping.ts";

/** More sources than there are vendors. */
const MAX_SOURCES = 10_000;

/** Where documents of a logical index are written to: names on the server. */
export type Destinations = Partial<Record<LogicalIndex, string>>;

/**
 * Writes the documents to each index that they belong to. A document's version is the revision up to which its source
 * was read with it, so that of two processes the one that read less never overwrites what the other wrote.
 */
export async function writeDocuments(
  client: Client, to: Destinations, { documents, progress }: IndexBatch, options?: { requireAlias?: boolean },
): Promise<void> {
  const items = documents.flatMap((document): BulkItem[] => {
    const { id, manufacturer } = document;
    const item = { id, version: progress[manufacturer.code], source: toSource(document) };
    return LOGICAL_INDEXES.flatMap((index) => {
      const destination = to[index];
      return destination !== undefined && belongsTo(document, index) ? [{ ...item, index: destination }] : [];
    });
  });
  await writeAll(client, items, options);
}

/** To be called when the documents that it tells of are written, so that it is never ahead of them. It never goes back. */
export async function writeProgress(client: Client, to: Destinations, progress: Progress, options?: { requireAlias?: boolean }): Promise<void> {
  const items = Object.entries(progress).flatMap(([source, revision]) => {
    const value: ProgressSource = { progress: { source, revision } };
    return Object.values(to).map((index): BulkItem => ({ index, id: `progress:${source}`, version: revision, source: value }));
  });
  await writeAll(client, items, options);
}

/** How far every one of the indexes has read. */
export async function readProgress(client: Client, indexes: readonly string[]): Promise<Progress> {
  const answer = await client.search<ProgressSource>({
    index: [...indexes], size: MAX_SOURCES, query: { exists: { field: "progress.source" } }, _source: ["progress"], allow_partial_search_results: false,
  }, PROMPT);
  const revisions = new Map<string, number[]>();
  for (const { _source } of answer.hits.hits) {
    const { source, revision } = _source!.progress;
    revisions.set(source, [...(revisions.get(source) ?? []), revision]);
  }
  const everywhere = [...revisions].filter(([, known]) => known.length === indexes.length);
  return Object.fromEntries(everywhere.map(([source, known]) => [source, Math.min(...known)]));
}

/** Parts in each index, by its name on the server. */
export async function countParts(client: Client, indexes: readonly string[]): Promise<Map<string, number>> {
  if (indexes.length === 0) return new Map();
  const answer = await client.search<unknown, { indexes: estypes.AggregationsStringTermsAggregate }>({
    index: [...indexes], size: 0, track_total_hits: false, allow_partial_search_results: false,
    query: { exists: { field: PART_FIELD } },
    aggs: { indexes: { terms: { field: "_index", size: indexes.length } } },
  }, PROMPT);
  const buckets = answer.aggregations!.indexes.buckets as estypes.AggregationsStringTermsBucket[];
  return new Map(buckets.map(({ key, doc_count }) => [String(key), doc_count]));
}

function belongsTo({ isTire }: IndexDocument, index: LogicalIndex): boolean {
  return index === "parts" || isTire;
}
