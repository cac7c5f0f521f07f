import type { Client, estypes } from "@elastic/elasticsearch";
import { writeAll, type BulkItem } from "../../elasticsearch/bulk.ts";
import { PROMPT } from "../../elasticsearch/client.ts";
import { IndexGoneError, createUnavailable } from "../../elasticsearch/errors.ts";
import { toChanges } from "../builds.ts";
import type { IndexBatch, LogicalIndex, Progress } from "../port.ts";
import { PART_FIELD, toSource, type ProgressSource } from "./mapping.ts";

/** More than there are vendors. */
const MAX_SOURCES = 10_000;

/** Names on the server. */
export type Destinations = Partial<Record<LogicalIndex, string>>;

/**
 * Writes the documents to each index that they belong to, and removes them from the others. A document's version is
 * the revision up to which its source was read, so that a process that read less never overwrites newer documents.
 */
export async function writeDocuments(
  client: Client,
  to: Destinations,
  { documents, progress }: IndexBatch,
  options?: { requireAlias?: boolean },
): Promise<void> {
  const versions = new Map(documents.map(({ id, manufacturer }) => [id, progress[manufacturer.code]]));
  const items = (Object.entries(to) as [LogicalIndex, string][]).map(async ([name, index]): Promise<BulkItem[]> => {
    const { put, removed } = toChanges(documents, name);
    // Most were never there, and each deletion leaves a trace in the index.
    const gone = await listExisting(client, index, removed);
    return [
      ...put.map((document) => ({
        index,
        id: document.id,
        version: versions.get(document.id),
        source: toSource(document),
      })),
      ...gone.map((id) => ({ index, id, version: versions.get(id) })),
    ];
  });
  await writeAll(client, (await Promise.all(items)).flat(), options);
}

/** The ids that the index has, including those that are not searchable yet. */
async function listExisting(client: Client, index: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { docs } = await client.mget({ index, ids: [...ids], _source: false });
  return docs.flatMap((answer) => {
    if (!("error" in answer)) return answer.found ? [answer._id] : [];
    throw answer.error.type === "index_not_found_exception"
      ? new IndexGoneError("what was written to is gone")
      : createUnavailable(answer.error.type);
  });
}

/**
 * Call it after the documents are written: the stored progress is never ahead of them. The progress never goes back.
 */
export async function writeProgress(
  client: Client,
  to: Destinations,
  progress: Progress,
  options?: { requireAlias?: boolean },
): Promise<void> {
  const items = Object.entries(progress).flatMap(([source, revision]) => {
    const value: ProgressSource = { progress: { source, revision } };
    return Object.values(to).map((index): BulkItem => ({
      index,
      id: `progress:${source}`,
      version: revision,
      source: value,
    }));
  });
  await writeAll(client, items, options);
}

/** The revisions that all of the indexes have read. */
export async function readProgress(client: Client, indexes: readonly string[]): Promise<Progress> {
  const answer = await client.search<ProgressSource>(
    {
      index: [...indexes],
      size: MAX_SOURCES,
      query: { exists: { field: "progress.source" } },
      _source: ["progress"],
      allow_partial_search_results: false,
    },
    PROMPT,
  );
  const revisions = new Map<string, number[]>();
  for (const { _source } of answer.hits.hits) {
    const { source, revision } = _source!.progress;
    revisions.set(source, [...(revisions.get(source) ?? []), revision]);
  }
  const everywhere = [...revisions].filter(([, indexRevisions]) => indexRevisions.length === indexes.length);
  return Object.fromEntries(everywhere.map(([source, indexRevisions]) => [source, Math.min(...indexRevisions)]));
}

export async function countParts(client: Client, indexes: readonly string[]): Promise<Map<string, number>> {
  if (indexes.length === 0) return new Map();
  const answer = await client.search<unknown, { indexes: estypes.AggregationsStringTermsAggregate }>(
    {
      index: [...indexes],
      size: 0,
      track_total_hits: false,
      allow_partial_search_results: false,
      query: { exists: { field: PART_FIELD } },
      aggs: { indexes: { terms: { field: "_index", size: indexes.length } } },
    },
    PROMPT,
  );
  const buckets = answer.aggregations!.indexes.buckets as estypes.AggregationsStringTermsBucket[];
  return new Map(buckets.map(({ key, doc_count }) => [String(key), doc_count]));
}
