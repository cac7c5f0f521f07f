import type { Client } from "@elastic/elasticsearch";
import { SearchIndexError } from "../port.ts";
import type {
  DatedIndex,
  IndexBatch,
  IndexBuild,
  IndexDocument,
  IndexStatus,
  LogicalIndex,
  Progress,
  SearchIndex,
  SearchPage,
  SearchQuery,
  Suggestion,
} from "../port.ts";
import { readSynonyms, type Synonyms } from "../query-plan.ts";
import { startBuild, type ElasticsearchBuild } from "./build.ts";
import { connect, PROMPT } from "./client.ts";
import { DatedIndexes, type Targets } from "./dated-indexes.ts";
import { countParts, readProgress, writeDocuments, writeProgress } from "./documents.ts";
import { askServer, toIndexError, unavailable } from "./errors.ts";
import { WordMemory } from "./known-words.ts";
import { lookForLeftovers, type Looking } from "./leftovers.ts";
import { toDocument } from "./mapping.ts";
import { search } from "./search.ts";
import { suggest } from "./suggest.ts";

export interface ElasticsearchOptions {
  /** May carry credentials. */
  url: string;
  /** Precedes the names of indexes and aliases, so that systems with different ones can share a server. */
  prefix: string;
  synonyms: readonly (readonly string[])[];
  /** Milliseconds between looks for leftovers of builds. */
  lookEveryMs?: number;
}

/**
 * Opens the search index on Elasticsearch 9, for any number of processes.
 * @throws UNAVAILABLE when no server answers within seconds
 */
export async function openElasticsearchIndex({
  url,
  prefix,
  synonyms,
  lookEveryMs,
}: ElasticsearchOptions): Promise<SearchIndex> {
  const client = connect(url);
  try {
    const indexes = new DatedIndexes(client, prefix);
    await indexes.settle();
    const live = await indexes.liveIfUsable();
    return new ElasticsearchIndex(client, indexes, {
      live,
      synonyms: readSynonyms(synonyms),
      looking: lookForLeftovers(indexes, lookEveryMs),
    });
  } catch (error) {
    await client.close();
    throw toIndexError(error);
  }
}

class ElasticsearchIndex implements SearchIndex {
  readonly backend = "elasticsearch";
  readonly #client: Client;
  readonly #indexes: DatedIndexes;
  readonly #synonyms: Synonyms;
  readonly #looking: Looking;
  readonly #memory = new WordMemory();
  readonly #builds = new Set<ElasticsearchBuild>();
  /** The indexes whose progress was read last: the next batch continues from it. */
  #told: Targets | undefined;
  #isClosed = false;

  constructor(
    client: Client,
    indexes: DatedIndexes,
    { live, synonyms, looking }: { live: Targets | undefined; synonyms: Synonyms; looking: Looking },
  ) {
    this.#client = client;
    this.#indexes = indexes;
    this.#told = live;
    this.#synonyms = synonyms;
    this.#looking = looking;
  }

  search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage> {
    return this.#run(() => search(this.#client, this.#indexes.readAlias(index), query, this.#synonyms, this.#memory));
  }

  suggest(index: LogicalIndex, query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#run(() => suggest(this.#client, this.#indexes.readAlias(index), query, this.#synonyms, this.#memory));
  }

  get(index: LogicalIndex, ids: string[]): Promise<IndexDocument[]> {
    return this.#run(async () => {
      if (ids.length === 0) return [];
      const { docs } = await this.#client.mget({ index: this.#indexes.readAlias(index), ids }, PROMPT);
      return docs.flatMap((answer) => {
        if ("error" in answer) throw unavailable(answer.error.type);
        return answer.found ? [toDocument(answer._source)] : [];
      });
    });
  }

  write(batch: IndexBatch): Promise<void> {
    return this.#run(async () => {
      for (let targets = await this.#indexes.live(), isDone = false; !isDone;) {
        const to = this.#onServer(targets);
        await writeDocuments(this.#client, to, batch);
        // An index that went live since then may lack what lies between its own progress and this batch.
        if (isSame(targets, this.#told)) await writeProgress(this.#client, to, batch.progress);
        await this.#client.indices.refresh({ index: Object.values(to) });
        this.#memory.forgetAll();
        const now = await this.#indexes.live();
        isDone = isSame(now, targets);
        targets = now;
      }
    });
  }

  progress(): Promise<Progress> {
    return this.#run(async () => {
      const live = await this.#indexes.live();
      this.#told = live;
      return readProgress(this.#client, Object.values(this.#onServer(live)));
    });
  }

  status(): Promise<IndexStatus> {
    return this.#run(async () => {
      const live = await this.#indexes.live();
      const { parts, tires } = this.#onServer(live);
      const counts = await countParts(this.#client, [parts, tires]);
      return {
        parts: { name: live.parts, documents: counts.get(parts) ?? 0 },
        tires: { name: live.tires, documents: counts.get(tires) ?? 0 },
      };
    });
  }

  indexes(): Promise<DatedIndex[]> {
    return this.#run(async () => {
      const listed = (await this.#indexes.list()).filter(({ isBuilding }) => !isBuilding);
      const counts = await countParts(
        this.#client,
        listed.map(({ name }) => this.#indexes.nameOf(name)),
      );
      return listed.map(({ name, index, createdAt, isLive }) => ({
        name,
        index,
        createdAt,
        documents: counts.get(this.#indexes.nameOf(name)) ?? 0,
        live: isLive,
      }));
    });
  }

  startBuild(which: readonly LogicalIndex[]): Promise<IndexBuild> {
    return this.#run(async () => {
      const build = await startBuild(this.#client, this.#indexes, which, () => {
        this.#builds.delete(build);
        this.#memory.forgetAll();
      });
      this.#builds.add(build);
      return build;
    });
  }

  rollback(index: LogicalIndex): Promise<{ from: string; to: string }> {
    return this.#run(async () => {
      const from = (await this.#indexes.live())[index];
      const kept = (await this.#indexes.list()).filter(
        (each) => each.index === index && each.isReadable && !each.isBuilding,
      );
      const to = kept[kept.findIndex(({ name }) => name === from) + 1]?.name;
      if (to === undefined) throw new SearchIndexError("NOTHING_TO_ROLL_BACK", `No index older than ${from} is kept`);
      await this.#indexes.goBack(index, to);
      this.#memory.forgetAll();
      return { from, to };
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled([this.#looking.stop(), ...[...this.#builds].map((build) => build.discard())]);
    await this.#client.close();
  }

  #onServer({ parts, tires }: Targets): Targets {
    return { parts: this.#indexes.nameOf(parts), tires: this.#indexes.nameOf(tires) };
  }

  #run<T>(task: () => Promise<T>): Promise<T> {
    return askServer(this.#isClosed, task);
  }
}

function isSame(a: Targets, b: Targets | undefined): boolean {
  return a.parts === b?.parts && a.tires === b.tires;
}
