import type { Client } from "@elastic/elasticsearch";
import { LEAST_SHARE } from "../limits.ts";
import { SearchIndexError, type IndexBuild, type LogicalIndex } from "../port.ts";
import { isGone, toIndexError } from "./errors.ts";
import { countParts, writeDocuments, writeProgress, type Destinations } from "./documents.ts";
import type { DatedIndexes, Targets } from "./dated-indexes.ts";
import { BEAT_MS } from "./leftovers.ts";

export async function startBuild(
  client: Client,
  indexes: DatedIndexes,
  which: readonly LogicalIndex[],
  onEnd: () => void,
): Promise<IndexBuild> {
  await indexes.assertNoneNewer();
  const names: Partial<Targets> = {};
  for (const index of new Set(which)) names[index] = await indexes.create(index);
  /** Writes go to aliases of the build: they fail if it was removed, while a write to its name would create it again. */
  const aliases: Destinations = Object.fromEntries(
    Object.entries(names).map(([index, name]) => [index, indexes.buildingAlias(name)]),
  );
  // The next beat makes up for one that fails.
  const beats = setInterval(() => void indexes.beat(Object.values(names)).catch(() => undefined), BEAT_MS);
  beats.unref();
  let isOver = false;

  /**
   * Keeps the new indexes, those that were live before, and those that another process made live since. An empty one
   * is not kept; one of another version cannot be counted, and is.
   */
  const removeOld = async (before: Partial<Targets>, empty: ReadonlySet<string>): Promise<void> => {
    const kept = new Set([...Object.values(names), ...Object.values(before)]);
    const old = (await indexes.list()).filter(
      ({ index, name, isBuilding, isLive, isReadable }) =>
        names[index] !== undefined && !isBuilding && !isLive && (!kept.has(name) || (empty.has(name) && isReadable)),
    );
    await indexes.remove(old.map(({ name }) => name));
  };
  const end = (): void => {
    isOver = true;
    clearInterval(beats);
    onEnd();
  };
  const run = async <T>(task: () => Promise<T>): Promise<T> => {
    if (isOver) throw refused("The build is over");
    try {
      return await task();
    } catch (error) {
      if (isGone(error)) throw refused("The build is gone: another process took it for one that was left behind");
      throw toIndexError(error);
    }
  };

  return {
    names,
    add: ({ documents, progress }) =>
      run(async () => {
        await writeDocuments(client, aliases, { documents, progress }, { requireAlias: true });
        await writeProgress(client, aliases, progress, { requireAlias: true });
      }),
    publish: (expected, { force = false } = {}) =>
      run(async () => {
        const before = await indexes.current();
        const built = Object.entries(names) as [LogicalIndex, string][];
        const nameOf = (name: string): string => indexes.nameOf(name);
        const compared = built.flatMap(([index, name]) => [name, before[index] ?? []].flat()).map(nameOf);
        await client.indices.refresh({ index: compared });
        const counts = await countParts(client, compared);
        const empty = new Set(Object.values(before).filter((name) => (counts.get(nameOf(name)) ?? 0) === 0));
        for (const [index, name] of built) {
          const count = counts.get(nameOf(name)) ?? 0;
          const live = counts.get(nameOf(before[index] ?? "")) ?? 0;
          if (count !== expected[index])
            throw refused(`The build of ${index} holds ${count} documents and was to hold ${expected[index]}`);
          if (!force && count < live * LEAST_SHARE)
            throw refused(`The build of ${index} holds ${count} documents, the live index ${live}`);
        }
        await indexes.goLive(names);
        end();
        // The build is live even if the old indexes stay: the next build removes them.
        await removeOld(before, empty).catch(() => undefined);
      }),
    discard: () =>
      run(async () => {
        end();
        await indexes.withdraw(Object.values(names));
      }),
  };
}

function refused(message: string): SearchIndexError {
  return new SearchIndexError("BUILD_REFUSED", message);
}
