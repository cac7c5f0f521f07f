import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { KeyedQueue } from "../../keyed-queue.ts";
import { lockFile, type FileLock } from "../../lock-file.ts";
import { LOGICAL_INDEXES, SearchIndexError } from "../port.ts";
import type {
  DatedIndex, IndexBatch, IndexBuild, IndexDocument, IndexStatus, LogicalIndex, Progress, SearchIndex, SearchPage, SearchQuery, Suggestion,
} from "../port.ts";
import { IndexDirectory, type AliasMove } from "./index-directory.ts";
import { IndexThread } from "./index-thread.ts";

type Threads = Partial<Record<LogicalIndex, IndexThread>>;
type Groups = readonly (readonly string[])[];

/** A build with fewer than this share of the live index's documents is taken for a mistake. */
const LEAST_SHARE = 0.5;

/**
 * The embedded index: each dated index that is live or being built has a worker thread of its own, so that neither the event
 * loop nor a search waits for a build. A published build goes on in the thread that built it.
 * @throws UNAVAILABLE when another process has the directory open
 */
export async function openEmbeddedIndex({ directory: path, synonyms }: { directory: string; synonyms: Groups }): Promise<SearchIndex> {
  mkdirSync(path, { recursive: true });
  const lock = lockFile(join(path, "lock.db"));
  if (!lock) throw new SearchIndexError("UNAVAILABLE", "The search index is open in another process, and an embedded one serves one process only");
  const live: Threads = {};
  try {
    const directory = await IndexDirectory.open(path);
    for (const index of LOGICAL_INDEXES) live[index] = await openOrCreate(directory, index, synonyms);
    return new EmbeddedSearchIndex(directory, live as Record<LogicalIndex, IndexThread>, synonyms, lock);
  } catch (error) {
    for (const thread of Object.values(live)) await thread.close();
    lock.release();
    throw error;
  }
}

/** A file that is damaged or of another version is taken away: the index is filled again from its sources. */
async function openOrCreate(directory: IndexDirectory, index: LogicalIndex, synonyms: Groups): Promise<IndexThread> {
  const target = directory.target(index);
  if (target !== undefined) {
    const thread = new IndexThread(target, { path: directory.file(target), synonyms, isBuild: false });
    try {
      await thread.request("count");
      return thread;
    } catch {
      await thread.close();
      await directory.remove(target);
    }
  }
  const name = directory.newName(index, []);
  const thread = new IndexThread(name, { path: directory.file(name), synonyms, isBuild: false });
  await directory.point([{ index, to: { name, documents: await thread.request("count") }, dropsOthers: false }]);
  return thread;
}

class EmbeddedSearchIndex implements SearchIndex {
  readonly backend = "embedded";
  readonly #directory: IndexDirectory;
  readonly #live: Record<LogicalIndex, IndexThread>;
  readonly #synonyms: Groups;
  readonly #lock: FileLock;
  readonly #builds = new Set<Threads>();
  readonly #changes = new KeyedQueue();
  /** The indexes whose progress was told last, so the ones that the next batch goes on from. */
  #told: Threads;
  #isClosed = false;

  constructor(directory: IndexDirectory, live: Record<LogicalIndex, IndexThread>, synonyms: Groups, lock: FileLock) {
    this.#directory = directory;
    this.#live = live;
    this.#told = { ...live };
    this.#synonyms = synonyms;
    this.#lock = lock;
  }

  search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage> {
    return this.#live[index].request("search", query);
  }

  suggest(index: LogicalIndex, query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#live[index].request("suggest", query);
  }

  get(index: LogicalIndex, ids: string[]): Promise<IndexDocument[]> {
    return this.#live[index].request("get", ids);
  }

  write({ documents, progress }: IndexBatch): Promise<void> {
    // An index that went live since then may lack what lies between its own progress and this batch.
    const goesOn = LOGICAL_INDEXES.every((index) => this.#live[index] === this.#told[index]);
    return writeTo(this.#live, { documents, progress: goesOn ? progress : {} });
  }

  /** A source that one of them knows nothing of is not read at all. */
  async progress(): Promise<Progress> {
    this.#told = { ...this.#live };
    const [parts, tires] = await Promise.all(LOGICAL_INDEXES.map((index) => this.#live[index].request("progress")));
    return Object.fromEntries(Object.entries(parts!).map(([source, revision]) => [source, Math.min(revision, tires![source] ?? 0)]));
  }

  async status(): Promise<IndexStatus> {
    const [parts, tires] = await Promise.all(LOGICAL_INDEXES.map((index) => counted(this.#live[index])));
    return { parts: parts!, tires: tires! };
  }

  async indexes(): Promise<DatedIndex[]> {
    const status = await this.status();
    return this.#directory.kept().map((each) => {
      const { name, documents } = status[each.index];
      return name === each.name ? { ...each, documents, live: true } : { ...each, live: false };
    });
  }

  startBuild(which: readonly LogicalIndex[]): Promise<IndexBuild> {
    return this.#inTurn(async () => {
      const building: Threads = {};
      this.#builds.add(building);
      const taken = [...this.#builds].flatMap((build) => Object.values(build)).map(({ name }) => name);
      for (const index of new Set(which)) {
        const name = this.#directory.newName(index, taken);
        building[index] = new IndexThread(name, { path: this.#directory.file(name), synonyms: this.#synonyms, isBuild: true });
      }
      await Promise.all(Object.values(building).map((thread) => thread.request("count"))).catch(async (error: unknown) => {
        await this.#discard(building);
        throw error;
      });
      return {
        names: Object.fromEntries(Object.entries(building).map(([index, { name }]) => [index, name])),
        add: async (batch) => writeTo(this.#open(building), batch),
        publish: (expected, options) => this.#inTurn(() => this.#publish(this.#open(building), expected, options?.force ?? false)),
        discard: () => this.#inTurn(() => this.#discard(building)),
      };
    });
  }

  rollback(index: LogicalIndex): Promise<{ from: string; to: string }> {
    return this.#inTurn(async () => {
      const before = this.#live[index];
      const name = this.#directory.olderThan(before.name);
      if (name === undefined) throw new SearchIndexError("NOTHING_TO_ROLL_BACK", `No index older than ${before.name} is kept`);
      const thread = new IndexThread(name, { path: this.#directory.file(name), synonyms: this.#synonyms, isBuild: false });
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
      await Promise.all(LOGICAL_INDEXES.map((index) => this.#live[index].close()));
      this.#lock.release();
    });
  }

  async #publish(building: Threads, expected: Partial<Record<LogicalIndex, number>>, force: boolean): Promise<void> {
    const built = LOGICAL_INDEXES.flatMap((index) => (building[index] ? [{ index, thread: building[index] }] : []));
    for (const { index, thread } of built) {
      const [{ documents }, live] = await Promise.all([counted(thread), counted(this.#live[index])]);
      if (documents !== (expected[index] ?? documents)) {
        throw new SearchIndexError("BUILD_REFUSED", `${thread.name} holds ${documents} documents and was to hold ${expected[index]}`);
      }
      if (!force && documents < live.documents * LEAST_SHARE) {
        throw new SearchIndexError("BUILD_REFUSED", `${thread.name} holds ${documents} documents, the live ${live.name} ${live.documents}`);
      }
    }
    await Promise.all(built.map(({ thread }) => thread.finish()));
    await this.#switch(built.map((each) => ({ ...each, dropsOthers: true })));
    this.#builds.delete(building);
  }

  /** To threads that have read their files: a search goes to the one before or to the new one, and waits for neither. */
  async #switch(moves: readonly { index: LogicalIndex; thread: IndexThread; dropsOthers: boolean }[]): Promise<void> {
    const before = moves.map(({ index }) => this.#live[index]);
    const aliases = await Promise.all(moves.map(async ({ index, thread, dropsOthers }): Promise<AliasMove> => ({
      index, from: await counted(this.#live[index]), to: await counted(thread), dropsOthers,
    })));
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

  #open(building: Threads): Threads {
    if (!this.#builds.has(building)) throw new SearchIndexError("BUILD_REFUSED", "The build is over");
    return building;
  }

  /** What changes the aliases or the files goes one after another. */
  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#changes.run("aliases", task);
  }
}

/** Documents go to every index that they belong to; each learns how far the sources have been read. */
async function writeTo({ parts, tires }: Threads, { documents, progress }: IndexBatch): Promise<void> {
  await Promise.all([
    parts?.write({ documents, progress }),
    tires?.write({ documents: documents.filter(({ isTire }) => isTire), progress }),
  ]);
}

async function counted(thread: IndexThread): Promise<{ name: string; documents: number }> {
  return { name: thread.name, documents: await thread.request("count") };
}
