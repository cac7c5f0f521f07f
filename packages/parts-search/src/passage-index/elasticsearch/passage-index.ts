import type { Client, estypes } from "@elastic/elasticsearch";
import { LRUCache } from "lru-cache";
import { writeAll } from "../../elasticsearch/bulk.ts";
import { connect, PROMPT } from "../../elasticsearch/client.ts";
import { askServer, getErrorType, isGone, toIndexError, createUnavailable } from "../../elasticsearch/errors.ts";
import { readSynonyms, type Synonyms } from "../../search-index/query-plan.ts";
import type { PassageHit, PassageIndex } from "../port.ts";
import { toModelKeys } from "../terms.ts";
import {
  INDEX,
  indexName,
  toSource,
  toVectorField,
  createVectorMapping,
  writeAlias,
  type HeaderSource,
  type PassageSource,
} from "./mapping.ts";
import { buildWordsQuery } from "./words-query.ts";

type Query = estypes.QueryDslQueryContainer;
type SearchBody = Pick<estypes.SearchRequest, "query" | "knn">;

const WRITTEN_AT_ONCE = 500;
const LISTED_AT_ONCE = 1_000;
/** Searches that are repeated because manuals were replaced meanwhile. */
const MOST_ROUNDS = 6;
const KNOWN = 10_000;
/** Neighbours that the server looks at for each hit. */
const CANDIDATES = 10;
const LEAST_CANDIDATES = 100;

/**
 * Opens the passage index on Elasticsearch 9, for any number of processes. Passages of a manual are written as a new
 * generation, which one write of the manual's header makes live; a search checks its hits against the headers.
 * @throws UNAVAILABLE when no server answers within seconds
 */
export async function openElasticsearchPassages(
  url: string,
  prefix: string,
  synonyms: readonly string[],
): Promise<PassageIndex> {
  const client = connect(url);
  const index = indexName(prefix);
  try {
    if (!(await client.indices.existsAlias({ index, name: writeAlias(index) }, PROMPT))) await create(client, index);
    return createPassages(client, index, readSynonyms(synonyms));
  } catch (error) {
    await client.close();
    throw toIndexError(error);
  }
}

async function create(client: Client, index: string): Promise<void> {
  try {
    await client.indices.create({ index, ...INDEX, aliases: { [writeAlias(index)]: {} }, wait_for_active_shards: 1 });
  } catch (error) {
    if (getErrorType(error) !== "resource_already_exists_exception") throw error;
    // An older version of the code made it without.
    await client.indices.putAlias({ index, name: writeAlias(index) });
  }
}

function createPassages(client: Client, index: string, synonyms: Synonyms): PassageIndex {
  /** Generations that were live before any search that begins now. */
  const knownPassages = new LRUCache<string, true>({ max: KNOWN });
  const writtenTo = { index: writeAlias(index), require_alias: true } as const;
  let isClosed = false;

  /**
   * Returns hits of live generations. Searches again if one was not known to be live at the start, as part of it may
   * have been invisible, or if one that was left out has gone live.
   */
  const find = async (
    limit: number,
    bodyOf: (filter: Pick<estypes.QueryDslBoolQuery, "filter" | "must_not">, size: number) => SearchBody,
    models?: readonly string[],
  ): Promise<PassageHit[]> => {
    const leftOut = new Map<string, Pick<PassageSource, "manual" | "generation">>();
    for (let round = 1; ; round += 1) {
      const filter = [
        { term: { kind: "passage" } },
        ...(models === undefined ? [] : [{ terms: { models: toModelKeys(models) } }]),
      ];
      const body = bodyOf({ filter, must_not: [...leftOut.values()].map(matchGeneration) }, limit);
      const { hits, timed_out } = await client.search<PassageSource>(
        { index, ...body, size: limit, track_total_hits: false },
        PROMPT,
      );
      if (timed_out) throw createUnavailable("the search took too long");
      const scored = hits.hits.map(({ _source, _score }) => ({ source: _source!, score: _score! }));
      const live = await readLive(
        [...leftOut.values(), ...scored.map(({ source }) => source)].map(({ manual }) => manual),
      );
      let isSure = true;
      for (const [key, { manual, generation }] of leftOut) {
        if (live.get(manual) !== generation) continue;
        leftOut.delete(key);
        isSure = false;
      }
      for (const { manual, generation } of scored.map(({ source }) => source)) {
        const counts = live.get(manual);
        if (counts !== generation) leftOut.set(toKey(manual, generation), { manual, generation });
        if (counts !== generation || !knownPassages.has(toKey(manual, generation))) isSure = false;
        if (counts !== undefined) knownPassages.set(toKey(manual, counts), true);
      }
      if (isSure || round === MOST_ROUNDS)
        return scored.filter(({ source }) => live.get(source.manual) === source.generation).map(toHit);
    }
  };
  /** Reads the live generations by id, which needs no refresh. */
  const readLive = async (manuals: readonly string[]): Promise<Map<string, number | undefined>> => {
    const ids = [...new Set(manuals)].map(toHeaderId);
    if (ids.length === 0) return new Map();
    const { docs } = await client.mget<HeaderSource>({ index, ids }, PROMPT);
    return new Map(
      docs.flatMap((answer) => {
        if ("error" in answer) throw createUnavailable(answer.error.type);
        return answer._source ? [[answer._source.manual, answer._source.live] as const] : [];
      }),
    );
  };
  const begin = async (manual: string): Promise<number> => {
    // No number comes again in an index that was lost and made again.
    const header: HeaderSource = { kind: "manual", manual, begun: Date.now() };
    const { get } = await client.update<HeaderSource, HeaderSource, HeaderSource>({
      ...writtenTo,
      id: toHeaderId(manual),
      script: { source: "ctx._source.begun += 1" },
      upsert: header,
      _source: true,
      retry_on_conflict: 20,
    });
    return get!._source!.begun;
  };
  /** @throws when another generation was begun meanwhile */
  const point = async (
    manual: string,
    generation: number,
    to: Pick<HeaderSource, "live" | "passages" | "vectorModel">,
  ): Promise<void> => {
    const header: HeaderSource = { kind: "manual", manual, begun: generation, ...to };
    const { result } = await client.update({
      ...writtenTo,
      id: toHeaderId(manual),
      retry_on_conflict: 20,
      script: {
        source:
          "if (ctx._source.begun == params.header.begun) { ctx._source = params.header } else { ctx.op = 'none' }",
        params: { header },
      },
    });
    if (result === "noop") throw new Error("Other passages of the manual were begun meanwhile");
    const query: Query = {
      bool: {
        filter: [{ term: { manual } }, { term: { kind: "passage" } }, { range: { generation: { lt: generation } } }],
      },
    };
    await client.deleteByQuery({ index, query, conflicts: "proceed", refresh: true });
  };
  const hasField = async (field: string): Promise<boolean> => {
    const mappings = await client.indices.getMapping({ index }, PROMPT);
    return Object.values(mappings).some(({ mappings: { properties } }) => properties?.[field] !== undefined);
  };
  /** An index that was deleted is made again, empty. */
  const run = <T>(task: () => Promise<T>): Promise<T> =>
    askServer(isClosed, () =>
      task().catch(async (error: unknown) => {
        if (!isGone(error)) throw error;
        await create(client, index);
        return task();
      }),
    );

  return {
    put: ({ manual, vectorModel, passages }) =>
      run(async () => {
        const generation = await begin(manual);
        const vectors = vectorModel === undefined ? [] : passages.flatMap(({ vector }) => vector ?? []);
        if (new Set(vectors.map(({ length }) => length)).size > 1)
          throw new Error("The vectors of a manual differ in length");
        if (vectors[0]) {
          const { length: dimensions } = vectors[0];
          const field = toVectorField(vectorModel!, dimensions);
          await client.indices.putMapping({ index, properties: { [field]: createVectorMapping(dimensions) } });
        }
        for (let start = 0; start < passages.length; start += WRITTEN_AT_ONCE) {
          await writeAll(
            client,
            passages.slice(start, start + WRITTEN_AT_ONCE).map((passage, place) => ({
              index: writtenTo.index,
              id: `${manual}:${generation}:${start + place}`,
              source: toSource(passage, { manual, generation, vectorModel }),
            })),
            { requireAlias: true },
          );
        }
        await client.indices.refresh({ index });
        await point(manual, generation, {
          live: generation,
          passages: passages.length,
          vectorModel: vectors.length === 0 ? undefined : vectorModel,
        });
      }),
    remove: (manual) => run(async () => point(manual, await begin(manual), {})),
    manuals: () =>
      run(async () => {
        await client.indices.refresh({ index });
        const query: Query = { bool: { filter: [{ term: { kind: "manual" } }, { exists: { field: "live" } }] } };
        const headers: HeaderSource[] = [];
        for (let after: string | undefined; ; after = headers.at(-1)!.manual) {
          const { hits } = await client.search<HeaderSource>(
            {
              index,
              query,
              size: LISTED_AT_ONCE,
              sort: ["manual"],
              search_after: after === undefined ? undefined : [after],
            },
            PROMPT,
          );
          headers.push(...hits.hits.map(({ _source }) => _source!));
          if (hits.hits.length < LISTED_AT_ONCE) break;
        }
        return headers.map(({ manual, passages, vectorModel }) => ({ manual, passages: passages!, vectorModel }));
      }),
    byWords: ({ words, models, limit }) =>
      run(async () => {
        if (models && toModelKeys(models).length === 0) return [];
        const query = await buildWordsQuery(client, index, words, synonyms);
        if (query === undefined) return [];
        return find(limit, (filter) => ({ query: { bool: { must: query, ...filter } } }), models);
      }),
    byVector: ({ vector, vectorModel, models, limit }) =>
      run(async () => {
        if (models && toModelKeys(models).length === 0) return [];
        const field = toVectorField(vectorModel, vector.length);
        // Asked each time: another process may have made the index again without it.
        if (!(await hasField(field))) return [];
        const hits = await find(
          limit,
          (filter, size) => ({
            knn: {
              field,
              query_vector: Array.from(vector),
              k: size,
              num_candidates: Math.max(LEAST_CANDIDATES, size * CANDIDATES),
              filter: { bool: filter },
            },
          }),
          models,
        );
        // The server shifts cosines, since its scores are never negative.
        return hits.map((hit) => ({ ...hit, score: 2 * hit.score - 1 }));
      }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await client.close();
    },
  };
}

function toHeaderId(manual: string): string {
  return `manual:${manual}`;
}

function matchGeneration({ manual, generation }: Pick<PassageSource, "manual" | "generation">): Query {
  return { bool: { filter: [{ term: { manual } }, { term: { generation } }] } };
}

function toKey(manual: string, generation: number): string {
  return `${manual}:${generation}`;
}

function toHit({ source, score }: { source: PassageSource; score: number }): PassageHit {
  const { manual, page, text, equipment } = source;
  return { manual, page, text, equipment, score };
}
