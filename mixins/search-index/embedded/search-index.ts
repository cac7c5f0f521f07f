import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { KeyedQueue } from "../../keyed-queue.ts";
import { lockFile, type FileLock } from "../../lock-file.ts";
import { changesOf } from "../changes.ts";
import { LEAST_SHARE } from "../limits.ts";
import { LOGICAL_INDEXES, SearchIndexError } from "../port.ts";
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
import { IndexDirectory, type AliasMove } from "./index-directory.ts";
import { IndexThread } from "./index-thread.ts";
import { openLive, type Logger } from "./open-live.ts";

type Threads = Partial<Record<LogicalIndex, IndexThread>>;
type Groups = readonly (readonly string[])[];

/**
 * Opens the embedded index. Each live or building dated index has a worker thread, so that neither the event loop nor
 * a search waits for a build. A published build goes on in its thread.
 * @throws UNAVAILABLE when another process has the directory open, or a file cannot be read for a reason that may
 * pass
 */
export async function openEmbeddedIndex({
  directory: path,
  synonyms,
  logger,
}: {
  directory: string;
  synonyms: Groups;
  logger?: Logger;
}): Promise<SearchIndex> {
  mkdirSync(path, { recursive: true });
  const lock = lockFile(join(path, "lock.db"));
  if (!lock)
    throw new SearchIndexError(
      "UNAVAILABLE",
      "The search index is open in another process, and an embedded one serves one process only",
    );
  lock.file.watch((reason) => logger?.warn(`Search index: ${reason}`));
  const live: Threads = {};
  try {
    const directory = await IndexDirectory.open(path);
    for (const index of LOGICAL_INDEXES) {
      const thread = await openLive(directory, index, { synonyms, ...(logger && { logger }) });
      if (thread) live[index] = thread;
    }
    return new EmbeddedSearchIndex(directory, live, synonyms, lock);
  } catch (error) {
    for (const thread of Object.values(live)) await thread.close();
    lock.release();
    throw error;
  }
}

class EmbeddedSearchIndex implements SearchIndex {
  readonly backend = "embedded";
  readonly #directory: IndexDirectory;
  /** None if what was live is unusable: a build is needed. */
  readonly #live: Threads;
  readonly #synonyms: Groups;
  readonly #lock: FileLock;
  readonly #builds = new Set<Threads>();
  readonly #changes = new KeyedQueue();
  /** The indexes whose progress was read last: the next batch continues from it. */
  #told: Threads;
  #isClosed = false;

  constructor(directory: IndexDirectory, live: Threads, synonyms: Groups, lock: FileLock) {
    this.#directory = directory;
    this.#live = live;
    this.#told = { ...live };
    this.#synonyms = synonyms;
    this.#lock = lock;
  }

  async search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage> {
    return this.#use(index).request("search", query);
  }

  async suggest(index: LogicalIndex, query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#use(index).request("suggest", query);
  }

  async get(index: LogicalIndex, ids: string[]): Promise<IndexDocument[]> {
    return this.#use(index).request("get", ids);
  }

  async write({ documents, progress }: IndexBatch): Promise<void> {
    const live = { parts: this.#use("parts"), tires: this.#use("tires") };
    // An index that went live since then may lack what lies between its own progress and this batch.
    const goesOn = LOGICAL_INDEXES.every((index) => live[index] === this.#told[index]);
    return writeTo(live, { documents, progress: goesOn ? progress : {} });
  }

  /** A source that one of them has not read is left out. */
  async progress(): Promise<Progress> {
    const live = LOGICAL_INDEXES.map((index) => this.#use(index));
    this.#told = { ...this.#live };
    const [parts, tires] = await Promise.all(live.map((thread) => thread.request("progress")));
    return Object.fromEntries(
      Object.entries(parts!).map(([source, revision]) => [source, Math.min(revision, tires![source] ?? 0)]),
    );
  }

  async status(): Promise<IndexStatus> {
    const [parts, tires] = await Promise.all(LOGICAL_INDEXES.map((index) => this.#use(index)).map(counted));
    return { parts: parts!, tires: tires! };
  }

  async indexes(): Promise<DatedIndex[]> {
    const live = new Map(
      (await Promise.all(Object.values(this.#live).map(counted))).map(({ name, documents }) => [name, documents]),
    );
    return this.#directory
      .kept()
      .map((each) => ({ ...each, documents: live.get(each.name) ?? each.documents, live: live.has(each.name) }));
  }

  startBuild(which: readonly LogicalIndex[]): Promise<IndexBuild> {
    return this.#inTurn(async () => {
      this.#assertThere();
      const building: Threads = {};
      this.#builds.add(building);
      const taken = [...this.#builds].flatMap((build) => Object.values(build)).map(({ name }) => name);
      for (const index of new Set(which)) {
        const name = this.#directory.newName(index, taken);
        building[index] = new IndexThread(name, {
          path: this.#directory.file(name),
          synonyms: this.#synonyms,
          isBuild: true,
        });
      }
      await Promise.all(Object.values(building).map((thread) => thread.request("count"))).catch(
        async (error: unknown) => {
          await this.#discard(building);
          throw error;
        },
      );
      return {
        names: Object.fromEntries(Object.entries(building).map(([index, { name }]) => [index, name])),
        add: async (batch) => writeTo(this.#open(building), batch),
        publish: (expected, options) =>
          this.#inTurn(() => this.#publish(this.#open(building), expected, options?.force ?? false)),
        discard: () => this.#inTurn(() => this.#discard(building)),
      };
    });
  }

  rollback(index: LogicalIndex): Promise<{ from: string; to: string }> {
    return this.#inTurn(async () => {
      const before = this.#use(index);
      const name = this.#directory.olderThan(before.name);
      if (name === undefined)
        throw new SearchIndexError("NOTHING_TO_ROLL_BACK", `No index older than ${before.name} is kept`);
      const thread = new IndexThread(name, {
        path: this.#directory.file(name),
        synonyms: this.#synonyms,
        isBuild: false,
      });
      try {
        await this.#switch([{ index, thread, dropsOthers: false }]);
      } catch (error) {
        await thread.close();
        throw error;
      }
      return { from: before.name, to: name };
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      for (const build of this.#builds) await this.#discard(build);
      await Promise.all(Object.values(this.#live).map((thread) => thread.close()));
      this.#lock.release();
    });
  }

  async #publish(building: Threads, expected: Partial<Record<LogicalIndex, number>>, force: boolean): Promise<void> {
    const built = LOGICAL_INDEXES.flatMap((index) => (building[index] ? [{ index, thread: building[index] }] : []));
    for (const { index, thread } of built) {
      const before = this.#live[index];
      const [{ documents }, live] = await Promise.all([counted(thread), before && counted(before)]);
      if (documents !== (expected[index] ?? documents)) {
        throw new SearchIndexError(
          "BUILD_REFUSED",
          `${thread.name} holds ${documents} documents and was to hold ${expected[index]}`,
        );
      }
      if (!force && live && documents < live.documents * LEAST_SHARE) {
        throw new SearchIndexError(
          "BUILD_REFUSED",
          `${thread.name} holds ${documents} documents, the live ${live.name} ${live.documents}`,
        );
      }
    }
    await Promise.all(built.map(({ thread }) => thread.finish()));
    await this.#switch(built.map((each) => ({ ...each, dropsOthers: true })));
    this.#builds.delete(building);
  }

  /** The new threads have read their files: searches go to the old or the new one, and wait for neither. */
  async #switch(moves: readonly { index: LogicalIndex; thread: IndexThread; dropsOthers: boolean }[]): Promise<void> {
    const before = moves.flatMap(({ index }) => this.#live[index] ?? []);
    const aliases = await Promise.all(
      moves.map(async ({ index, thread, dropsOthers }): Promise<AliasMove> => {
        const from = this.#live[index];
        return { index, ...(from && { from: await counted(from) }), to: await counted(thread), dropsOthers };
      }),
    );
    await this.#directory.point(aliases);
    for (const { index, thread } of moves) this.#live[index] = thread;
    await Promise.all(before.map((thread) => thread.close()));
  }

  async #discard(building: Threads): Promise<void> {
    if (!this.#builds.delete(building)) return;
    for (const thread of Object.values(building)) {
      await thread.close();
      await this.#directory.remove(thread.name);
    }
  }

  #use(index: LogicalIndex): IndexThread {
    this.#assertThere();
    const thread = this.#live[index];
    if (!thread)
      throw new SearchIndexError(
        "BUILD_NEEDED",
        `The search index is to be built anew: what was live of ${index} cannot be used`,
      );
    return thread;
  }

  #assertThere(): void {
    const { moved } = this.#lock.file;
    if (moved !== undefined) throw new SearchIndexError("UNAVAILABLE", `The search index is unavailable: ${moved}`);
  }

  #open(building: Threads): Threads {
    this.#assertThere();
    if (!this.#builds.has(building)) throw new SearchIndexError("BUILD_REFUSED", "The build is over");
    return building;
  }

  /** Changes of aliases and files run one after another. */
  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#changes.run("aliases", task);
  }
}

async function writeTo(threads: Threads, { documents, progress }: IndexBatch): Promise<void> {
  await Promise.all(LOGICAL_INDEXES.map(async (index) => threads[index]?.write(changesOf(documents, index), progress)));
}

async function counted(thread: IndexThread): Promise<{ name: string; documents: number }> {
  return { name: thread.name, documents: await thread.request("count") };
}
