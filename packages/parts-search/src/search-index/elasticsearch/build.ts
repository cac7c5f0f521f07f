import type { Client } from "@elastic/elasticsearch";
import { isGone, toIndexError } from "../../elasticsearch/errors.ts";
import { assertBuilt, buildIsOver, createRefused } from "../builds.ts";
import type { IndexBuild, LogicalIndex } from "../port.ts";
import { countParts, writeDocuments, writeProgress, type Destinations } from "./documents.ts";
import type { DatedIndexes, Targets } from "./dated-indexes.ts";

/** Starts a build and removes those that were left behind. */
export async function startBuild(
  client: Client,
  indexes: DatedIndexes,
  which: readonly LogicalIndex[],
  onEnd: () => void,
): Promise<IndexBuild> {
  await indexes.current();
  const names: Partial<Targets> = {};
  for (const index of new Set(which)) names[index] = await indexes.create(index);
  // This build takes its names first: a builder that still writes to a withdrawn index never writes to these.
  await indexes.withdrawAllBut(Object.values(names));
  /**
   * Writes go to aliases of the build: they fail if it was removed, while a write to its name would create it again.
   */
  const aliases: Destinations = Object.fromEntries(
    Object.entries(names).map(([index, name]) => [index, indexes.buildingAlias(name)]),
  );
  let isOver = false;

  /**
   * Keeps the new indexes, those that were live before, and those that another process made live since. An empty one is
   * not kept; one of another version cannot be counted, and is.
   */
  const removeOld = async (targetsBefore: Partial<Targets>, empty: ReadonlySet<string>): Promise<void> => {
    const keptNames = new Set([...Object.values(names), ...Object.values(targetsBefore)]);
    const old = (await indexes.list()).filter(
      ({ index, name, isBuilding, isLive, isReadable }) =>
        names[index] !== undefined &&
        !isBuilding &&
        !isLive &&
        (!keptNames.has(name) || (empty.has(name) && isReadable)),
    );
    await indexes.remove(old.map(({ name }) => name));
  };
  const end = (): void => {
    isOver = true;
    onEnd();
  };
  const run = async <T>(task: () => Promise<T>): Promise<T> => {
    if (isOver) throw buildIsOver();
    try {
      return await task();
    } catch (error) {
      if (isGone(error)) throw createRefused("The build is gone: another process took it for one that was left behind");
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
    publish: (expected, options) =>
      run(async () => {
        const targetsBefore = await indexes.current();
        const built = Object.entries(names) as [LogicalIndex, string][];
        const compared = built
          .flatMap(([index, name]) => [name, targetsBefore[index] ?? []].flat())
          .map(indexes.nameOf);
        await client.indices.refresh({ index: compared });
        const counts = await countParts(client, compared);
        const getCount = (name = ""): number => counts.get(indexes.nameOf(name)) ?? 0;
        for (const [index, name] of built)
          assertBuilt(name, getCount(name), {
            expected: expected[index],
            live: getCount(targetsBefore[index]),
            ...options,
          });
        await indexes.goLive(names);
        end();
        const empty = new Set(Object.values(targetsBefore).filter((name) => getCount(name) === 0));
        // The build is live even if the old indexes stay: the next build removes them.
        await removeOld(targetsBefore, empty).catch(() => undefined);
      }),
    discard: () =>
      run(async () => {
        end();
        await indexes.withdraw(Object.values(names));
      }),
  };
}
