import { lockDirectory } from "../../embedded-index/lock.ts";
import { KeyedQueue } from "@partline/toolkit";
import { assertBuilt, buildIsOver, buildNeeded, toChanges, createNothingOlder } from "../builds.ts";
import { LOGICAL_INDEXES, type IndexBatch, type LogicalIndex, type SearchIndex } from "../port.ts";
import { IndexDirectory, type AliasMove } from "./index-directory.ts";
import { IndexThread } from "./index-thread.ts";
import { openLive, type Logger } from "./open-live.ts";
import { Readers } from "./readers.ts";

type Threads = Partial<Record<LogicalIndex, IndexThread>>;

/**
 * Opens the embedded index. Each live or building dated index has a worker thread that writes it, and others search all
 * of them, so that neither the event loop nor a search waits for a build. A published build is written on by another
 * thread.
 * @throws UNAVAILABLE when another process has the directory open, or a file cannot be read for a reason that may pass
 */
export async function openEmbeddedIndex({
  directory: path,
  synonyms,
  logger,
}: {
  directory: string;
  synonyms: readonly string[];
  logger?: Logger;
}): Promise<SearchIndex> {
  const lock = lockDirectory(path, "search index", (reason) => logger?.warn(`Search index: ${reason}`));
  const readers = new Readers({ synonyms });
  const live: Threads = {};
  try {
    const directory = await IndexDirectory.open(path);
    const openings = await Promise.allSettled(
      LOGICAL_INDEXES.map(async (index) => {
        const thread = await openLive(directory, index, { readers, ...(logger && { logger }) });
        if (thread) live[index] = thread;
      }),
    );
    const failure = openings.find((opening) => opening.status === "rejected");
    if (failure) throw failure.reason;
    return createIndex(directory, live, readers, lock);
  } catch (error) {
    for (const thread of Object.values(live)) await thread.close();
    await readers.close();
    lock.release();
    throw error;
  }
}

function createIndex(
  directory: IndexDirectory,
  live: Threads,
  readers: Readers,
  { assertThere, release }: ReturnType<typeof lockDirectory>,
): SearchIndex {
  let threadsUnderWay: Threads = {};
  const changes = new KeyedQueue();
  /** The indexes whose progress was read last: the next batch continues from it. */
  let announced: Threads = { ...live };
  let isClosed = false;

  const openThread = (name: string, isBuild: boolean): IndexThread =>
    new IndexThread(name, { path: directory.toPath(name), isBuild }, readers);
  const publish = async (
    building: Threads,
    expected: Partial<Record<LogicalIndex, number>>,
    force: boolean,
  ): Promise<void> => {
    const built = LOGICAL_INDEXES.flatMap((index) => (building[index] ? [{ index, thread: building[index] }] : []));
    for (const { index, thread } of built) {
      const [documents, liveDocuments = 0] = await Promise.all([thread.count(), live[index]?.count()]);
      assertBuilt(thread.name, documents, { expected: expected[index], live: liveDocuments, force });
    }
    await Promise.all(built.map(({ thread }) => thread.finish()));
    await switchTo(built.map((target) => ({ ...target, dropsOthers: true })));
    threadsUnderWay = {};
  };
  /** The new threads have read their files: searches go to the old or the new one, and wait for neither. */
  const switchTo = async (
    moves: readonly { index: LogicalIndex; thread: IndexThread; dropsOthers: boolean }[],
  ): Promise<void> => {
    const previousThreads = moves.flatMap(({ index }) => live[index] ?? []);
    const aliases = await Promise.all(
      moves.map(async ({ index, thread, dropsOthers }): Promise<AliasMove> => {
        const from = live[index];
        return {
          index,
          ...(from && { from: await countDocuments(from) }),
          to: await countDocuments(thread),
          dropsOthers,
        };
      }),
    );
    await directory.point(aliases);
    for (const { index, thread } of moves) live[index] = thread;
    await Promise.all(previousThreads.map((thread) => thread.close()));
  };
  const discard = async (): Promise<void> => {
    const building = threadsUnderWay;
    threadsUnderWay = {};
    for (const thread of Object.values(building)) {
      await thread.close();
      await directory.remove(thread.name);
    }
  };
  const use = (index: LogicalIndex): IndexThread => {
    assertThere();
    const thread = live[index];
    if (!thread) throw buildNeeded(`the live index of ${index} cannot be used`);
    return thread;
  };
  const open = (building: Threads): Threads => {
    assertThere();
    if (building !== threadsUnderWay) throw buildIsOver();
    return building;
  };
  /** Changes of aliases and files run one after another. */
  const runInTurn = async <T>(task: () => Promise<T>): Promise<T> => changes.run("aliases", task);

  return {
    backend: "embedded",
    search: async (index, query) => readers.search(use(index).name, query),
    searchShown: async (index, query) => readers.searchShown(use(index).name, query),
    suggest: async (index, query) => readers.suggest(use(index).name, query),
    useSynonyms: (lines) => readers.useSynonyms(lines),
    listMachines: async (index) => readers.listMachines(use(index).name),
    get: async (index, ids) => readers.get(use(index).name, ids),
    write: async ({ documents, progress }) => {
      const to = { parts: use("parts"), tires: use("tires") };
      // An index that went live since then may lack what lies between its own progress and this batch.
      const goesOn = LOGICAL_INDEXES.every((index) => to[index] === announced[index]);
      return writeTo(to, { documents, progress: goesOn ? progress : {} });
    },
    /** A source that one of them has not read is left out. */
    progress: async () => {
      const threads = LOGICAL_INDEXES.map(use);
      announced = { ...live };
      const [parts, tires] = await Promise.all(threads.map((thread) => thread.progress()));
      return Object.fromEntries(
        Object.entries(parts!).map(([source, revision]) => [source, Math.min(revision, tires![source] ?? 0)]),
      );
    },
    status: async () => {
      const [parts, tires] = await Promise.all(LOGICAL_INDEXES.map(use).map(countDocuments));
      return { parts: parts!, tires: tires! };
    },
    indexes: async () => {
      const counts = new Map(
        (await Promise.all(Object.values(live).map(countDocuments))).map(({ name, documents }) => [name, documents]),
      );
      return directory.listKept().map((listedIndex) => ({
        ...listedIndex,
        documents: counts.get(listedIndex.name) ?? listedIndex.documents,
        live: counts.has(listedIndex.name),
      }));
    },
    startBuild: (which) =>
      runInTurn(async () => {
        assertThere();
        await discard();
        const building: Threads = Object.fromEntries(
          [...new Set(which)].map((index) => [index, openThread(directory.createName(index), true)]),
        );
        threadsUnderWay = building;
        await Promise.all(Object.values(building).map((thread) => thread.count())).catch(async (error: unknown) => {
          await discard();
          throw error;
        });
        // One batch is written while the next is made.
        let writing: Promise<void> = Promise.resolve();
        return {
          names: Object.fromEntries(Object.entries(building).map(([index, { name }]) => [index, name])),
          add: async (batch) => {
            const previousWrite = writing;
            writing = writeTo(open(building), batch);
            // The next call throws it.
            writing.catch(() => undefined);
            await previousWrite;
          },
          publish: async (expected, options) => {
            await writing;
            await runInTurn(() => publish(open(building), expected, options?.force ?? false));
          },
          discard: () => runInTurn(async () => (building === threadsUnderWay ? discard() : undefined)),
        };
      }),
    rollback: (index) =>
      runInTurn(async () => {
        const current = use(index);
        const name = directory.findOlder(current.name);
        if (name === undefined) throw createNothingOlder(current.name);
        const thread = openThread(name, false);
        try {
          await thread.open();
          await switchTo([{ index, thread, dropsOthers: false }]);
        } catch (error) {
          await thread.close();
          throw error;
        }
        return { from: current.name, to: name };
      }),
    close: async () => {
      await runInTurn(async () => {
        if (isClosed) return;
        isClosed = true;
        await discard();
        await Promise.all(Object.values(live).map((thread) => thread.close()));
        await readers.close();
        release();
      });
    },
  };
}

async function writeTo(threads: Threads, { documents, progress }: IndexBatch): Promise<void> {
  await Promise.all(LOGICAL_INDEXES.map(async (index) => threads[index]?.write(toChanges(documents, index), progress)));
}

async function countDocuments(thread: IndexThread): Promise<{ name: string; documents: number }> {
  return { name: thread.name, documents: await thread.count() };
}
