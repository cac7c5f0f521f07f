import type { Client } from "@elastic/elasticsearch";
import { connect, PROMPT } from "../../elasticsearch/client.ts";
import { askServer, toIndexError, createUnavailable } from "../../elasticsearch/errors.ts";
import { createNothingOlder } from "../builds.ts";
import type { IndexBuild, SearchIndex } from "../port.ts";
import type { IndexDocument } from "../index-document.ts";
import { readSynonyms } from "../query-plan.ts";
import { presentPage } from "../shown.ts";
import { reviveDocument } from "../stored-document.ts";
import { startBuild } from "./build.ts";
import { createDatedIndexes, type DatedIndexes, type Targets } from "./dated-indexes.ts";
import { countParts, readProgress, writeDocuments, writeProgress } from "./documents.ts";
import { WordMemory } from "./known-words.ts";
import { fromSource, type StoredFields } from "./mapping.ts";
import { listMachines } from "./machines.ts";
import { search } from "./search.ts";
import { suggest } from "./suggest.ts";

/**
 * Opens the search index on Elasticsearch 9, for any number of processes.
 * @throws UNAVAILABLE when no server answers within seconds
 */
export async function openElasticsearchIndex(
  url: string,
  prefix: string,
  shards: number,
  synonyms: readonly string[],
): Promise<SearchIndex> {
  const client = connect(url);
  try {
    const indexes = createDatedIndexes(client, prefix, shards);
    await indexes.settle();
    return createIndex(client, indexes, synonyms, await indexes.liveIfUsable());
  } catch (error) {
    await client.close();
    throw toIndexError(error);
  }
}

/** @param initialTargets the indexes whose progress was read last: the next batch continues from it */
function createIndex(
  client: Client,
  indexes: DatedIndexes,
  lines: readonly string[],
  initialTargets: Targets | undefined,
): SearchIndex {
  let synonyms = readSynonyms(lines);
  const memory = new WordMemory();
  let buildUnderWay: IndexBuild | undefined;
  let isClosed = false;

  const onServer = ({ parts, tires }: Targets): Targets => ({
    parts: indexes.nameOf(parts),
    tires: indexes.nameOf(tires),
  });
  const run = <T>(task: () => Promise<T>): Promise<T> => askServer(isClosed, task);

  const find: SearchIndex["search"] = (index, query) =>
    run(() => {
      const meanings = query.synonyms ? readSynonyms(query.synonyms) : synonyms;
      return search(client, indexes.readAlias(index), query, meanings, memory);
    });

  return {
    backend: "elasticsearch",
    search: find,
    searchShown: async (index, query) => presentPage(await find(index, query)),
    suggest: (index, query) => run(() => suggest(client, indexes.readAlias(index), query, synonyms, memory)),
    listMachines: (index) => run(() => listMachines(client, indexes.readAlias(index))),
    useSynonyms: async (furtherSynonyms) => {
      synonyms = readSynonyms(furtherSynonyms);
    },
    get: (index, ids) =>
      run(async () => {
        if (ids.length === 0) return [];
        const { docs } = await client.mget({ index: indexes.readAlias(index), ids }, PROMPT);
        return docs.flatMap((answer) => {
          if ("error" in answer) throw createUnavailable(answer.error.type);
          return answer.found ? [reviveDocument(fromSource(answer._source as StoredFields<IndexDocument>))] : [];
        });
      }),
    write: (batch) =>
      run(async () => {
        for (let targets = await indexes.live(), isDone = false; !isDone;) {
          const to = onServer(targets);
          await writeDocuments(client, to, batch);
          // An index that went live since then may lack what lies between its own progress and this batch.
          if (isSame(targets, initialTargets)) await writeProgress(client, to, batch.progress);
          await client.indices.refresh({ index: Object.values(to) });
          memory.forgetAll();
          const now = await indexes.live();
          isDone = isSame(now, targets);
          targets = now;
        }
      }),
    progress: () =>
      run(async () => {
        const live = await indexes.live();
        initialTargets = live;
        return readProgress(client, Object.values(onServer(live)));
      }),
    status: () =>
      run(async () => {
        const live = await indexes.live();
        const { parts, tires } = onServer(live);
        const counts = await countParts(client, [parts, tires]);
        return {
          parts: { name: live.parts, documents: counts.get(parts) ?? 0 },
          tires: { name: live.tires, documents: counts.get(tires) ?? 0 },
        };
      }),
    indexes: () =>
      run(async () => {
        const listed = (await indexes.list()).filter(({ isBuilding }) => !isBuilding);
        const counts = await countParts(
          client,
          listed.map(({ name }) => indexes.nameOf(name)),
        );
        return listed.map(({ name, index, createdAt, isLive }) => ({
          name,
          index,
          createdAt,
          documents: counts.get(indexes.nameOf(name)) ?? 0,
          live: isLive,
        }));
      }),
    startBuild: (which) =>
      run(async () => {
        const build = await startBuild(client, indexes, which, () => {
          if (buildUnderWay === build) buildUnderWay = undefined;
          memory.forgetAll();
        });
        return (buildUnderWay = build);
      }),
    rollback: (index) =>
      run(async () => {
        const from = (await indexes.live())[index];
        const usable = (await indexes.list()).filter(
          (candidate) => candidate.index === index && candidate.isReadable && !candidate.isBuilding,
        );
        const to = usable[usable.findIndex(({ name }) => name === from) + 1]?.name;
        if (to === undefined) throw createNothingOlder(from);
        await indexes.goBack(index, to);
        memory.forgetAll();
        return { from, to };
      }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await buildUnderWay?.discard().catch(() => undefined);
      await client.close();
    },
  };
}

function isSame(a: Targets, b: Targets | undefined): boolean {
  return a.parts === b?.parts && a.tires === b.tires;
}
