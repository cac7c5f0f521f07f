import type { Client } from "@elastic/elasticsearch";
import { LEAST_SHARE } from "../limits.ts";
import { SearchIndexError, type IndexBatch, type IndexBuild, type LogicalIndex } from "../port.ts";
import { isGone, toIndexError } from "./errors.ts";
import { countParts, writeDocuments, writeProgress, type Destinations } from "./documents.ts";
import type { DatedIndexes, Targets } from "./dated-indexes.ts";
import { BEAT_MS } from "./leftovers.ts";

export async function startBuild(
  client: Client,
  indexes: DatedIndexes,
  which: readonly LogicalIndex[],
  onEnd: () => void,
): Promise<ElasticsearchBuild> {
  await indexes.assertNoneNewer();
  const names: Partial<Targets> = {};
  for (const index of new Set(which)) names[index] = await indexes.create(index);
  return new ElasticsearchBuild(client, indexes, names, onEnd);
}

export class ElasticsearchBuild implements IndexBuild {
  readonly names: Partial<Targets>;
  readonly #client: Client;
  readonly #indexes: DatedIndexes;
  /**
   * Writes go to aliases of the build: they fail if it was removed, while a write to its name would create it again.
   */
  readonly #aliases: Destinations;
  readonly #beats: NodeJS.Timeout;
  readonly #onEnd: () => void;
  #isOver = false;

  constructor(client: Client, indexes: DatedIndexes, names: Partial<Targets>, onEnd: () => void) {
    this.#client = client;
    this.#indexes = indexes;
    this.names = names;
    this.#onEnd = onEnd;
    this.#aliases = Object.fromEntries(
      Object.entries(names).map(([index, name]) => [index, indexes.buildingAlias(name)]),
    );
    // The next beat makes up for one that fails.
    this.#beats = setInterval(() => void indexes.beat(Object.values(names)).catch(() => undefined), BEAT_MS);
    this.#beats.unref();
  }

  add({ documents, progress }: IndexBatch): Promise<void> {
    return this.#run(async () => {
      await writeDocuments(this.#client, this.#aliases, { documents, progress }, { requireAlias: true });
      await writeProgress(this.#client, this.#aliases, progress, { requireAlias: true });
    });
  }

  publish(expected: Partial<Record<LogicalIndex, number>>, { force = false }: { force?: boolean } = {}): Promise<void> {
    return this.#run(async () => {
      const before = await this.#indexes.current();
      const built = Object.entries(this.names) as [LogicalIndex, string][];
      const nameOf = (name: string): string => this.#indexes.nameOf(name);
      const compared = built.flatMap(([index, name]) => [name, before[index] ?? []].flat()).map(nameOf);
      await this.#client.indices.refresh({ index: compared });
      const counts = await countParts(this.#client, compared);
      const empty = new Set(Object.values(before).filter((name) => (counts.get(nameOf(name)) ?? 0) === 0));
      for (const [index, name] of built) {
        const count = counts.get(nameOf(name)) ?? 0;
        const live = counts.get(nameOf(before[index] ?? "")) ?? 0;
        if (count !== expected[index])
          throw refused(`The build of ${index} holds ${count} documents and was to hold ${expected[index]}`);
        if (!force && count < live * LEAST_SHARE)
          throw refused(`The build of ${index} holds ${count} documents, the live index ${live}`);
      }
      await this.#indexes.goLive(this.names);
      this.#end();
      // The build is live even if the old indexes stay: the next build removes them.
      await this.#removeOld(before, empty).catch(() => undefined);
    });
  }

  discard(): Promise<void> {
    return this.#run(async () => {
      this.#end();
      await this.#indexes.withdraw(Object.values(this.names));
    });
  }

  /**
   * Keeps the new indexes, those that were live before, and those that another process made live since. An empty one
   * is not kept; one of another version cannot be counted, and is.
   */
  async #removeOld(before: Partial<Targets>, empty: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...Object.values(this.names), ...Object.values(before)]);
    const old = (await this.#indexes.list()).filter(
      ({ index, name, isBuilding, isLive, isReadable }) =>
        this.names[index] !== undefined &&
        !isBuilding &&
        !isLive &&
        (!kept.has(name) || (empty.has(name) && isReadable)),
    );
    await this.#indexes.remove(old.map(({ name }) => name));
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#beats);
    this.#onEnd();
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw refused("The build is over");
    try {
      return await task();
    } catch (error) {
      if (isGone(error)) throw refused("The build is gone: another process took it for one that was left behind");
      throw toIndexError(error);
    }
  }
}

function refused(message: string): SearchIndexError {
  return new SearchIndexError("BUILD_REFUSED", message);
}
