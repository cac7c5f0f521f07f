import type { Held } from "../../broker/lease.ts";
import type { IndexBatch, IndexBuild, LogicalIndex, Progress, SearchIndex } from "../../mixins/search-index/port.ts";
import { toIndexDocument, type CatalogPart } from "./index-document.ts";

/** The catalog as the indexer reads it. */
export interface CatalogFeed {
  /** Vendors that have parts, with the revision of their newest change. */
  revisions(): Promise<{ vendor: string; revision: number }[]>;
  /** Parts changed after a revision, in the order of their changes; empty when there is none. */
  changes(vendor: string, after: number, limit: number): Promise<CatalogPart[]>;
}

/** How many documents were sent to each index that is built. */
export type Sent = Partial<Record<LogicalIndex, number>>;

export interface BuildOptions {
  /** Publish whatever the number of documents. */
  force: boolean;
  /** What keeps other builds away; nothing is published without it. */
  held: Held;
  onProgress(names: IndexBuild["names"], sent: Sent): Promise<void> | void;
}

export interface Indexer {
  /**
   * Resolves when every change that was made before the call is in the index, with the number of parts written.
   * `isAhead`: the index knows more than the catalog, and only a build can help.
   */
  catchUp(): Promise<{ written: number; isAhead: boolean }>;
  /**
   * Builds new indexes from nothing and moves the aliases to them. Whatever goes wrong, the live ones serve on.
   * @throws BUILD_REFUSED
   */
  build(which: readonly LogicalIndex[], options: BuildOptions): Promise<void>;
  /** @throws NOTHING_TO_ROLL_BACK */
  rollback(index: LogicalIndex): Promise<{ from: string; to: string }>;
}

/** Runs tasks that change the live indexes one at a time: of two at once, one could put its old progress in the place of the other's. */
export type Exclusively = <T>(task: (held: Held) => Promise<T>) => Promise<T>;

export interface IndexerDeps {
  index: SearchIndex;
  feed: CatalogFeed;
  exclusively: Exclusively;
  /** Aborted, what is under way is given up with its reason: the next start goes on from there. */
  signal: AbortSignal;
}

const BULK = 2_000;

/**
 * Keeps an index in step by reading each vendor's changes from the revision that the index has. What a crash left out
 * is read again by the next call; a build is the same from revision 0, beside the live index.
 */
export function createIndexer({ index, feed, exclusively, signal }: IndexerDeps): Indexer {
  let waiting: ReturnType<Indexer["catchUp"]> | undefined;

  const read = async (progress: Progress, holds: readonly Held[], write: (batch: IndexBatch) => Promise<void>): Promise<number> => {
    let written = 0;
    for (const { vendor, revision } of await feed.revisions()) {
      let after = progress[vendor] ?? 0;
      while (after < revision) {
        for (const each of [signal, ...holds.map((held) => held.signal)]) each.throwIfAborted();
        const parts = await feed.changes(vendor, after, BULK);
        if (parts.length === 0) break;
        after = parts.at(-1)!.revision;
        for (const held of holds) await held.confirm();
        await write({ documents: parts.map(toIndexDocument), progress: { [vendor]: after } });
        progress[vendor] = after;
        written += parts.length;
      }
    }
    return written;
  };
  const readOn = async (held: Held): Promise<number> => read(await index.progress(), [held], (batch) => index.write(batch));

  /** An index that knows more than the catalog was filled from another catalog: a restored backup, a wiped store. */
  const isAhead = async (): Promise<boolean> => {
    const revisions = new Map((await feed.revisions()).map(({ vendor, revision }) => [vendor, revision]));
    return Object.entries(await index.progress()).some(([vendor, revision]) => revision > (revisions.get(vendor) ?? 0));
  };

  const catchUp = async (held: Held): ReturnType<Indexer["catchUp"]> =>
    (await isAhead()) ? { written: 0, isAhead: true } : { written: await readOn(held), isAhead: false };

  return {
    // Calls that come while one waits for its turn share it: it will see all of their changes.
    catchUp: () => {
      if (waiting) return waiting;
      const forget = (): void => {
        if (waiting === turn) waiting = undefined;
      };
      const turn: ReturnType<Indexer["catchUp"]> = Promise.resolve().then(() =>
        exclusively((held) => {
          forget();
          return catchUp(held);
        }),
      );
      turn.catch(forget);
      waiting = turn;
      return turn;
    },

    build: async (which, { force, held, onProgress }) => {
      const build = await index.startBuild(which);
      const ids: Partial<Record<LogicalIndex, Set<string>>> = Object.fromEntries(which.map((name) => [name, new Set<string>()]));
      const sent = (): Sent => Object.fromEntries(Object.entries(ids).map(([name, set]) => [name, set.size]));
      const add = async ({ documents, progress }: IndexBatch): Promise<void> => {
        // A document that changed meanwhile is sent twice and counts once.
        for (const { id, isTire } of documents) {
          ids.parts?.add(id);
          if (isTire) ids.tires?.add(id);
        }
        await build.add({ documents: which.includes("parts") ? documents : documents.filter(({ isTire }) => isTire), progress });
        await onProgress(build.names, sent());
      };
      try {
        const progress: Progress = {};
        // The first pass is long; what changes meanwhile goes to the live indexes, and to the new ones by the second.
        await read(progress, [held], add);
        await exclusively(async (turn) => {
          await read(progress, [held, turn], add);
          for (const each of [held, turn]) await each.confirm();
          await build.publish(sent(), { force });
          // It is live, whatever becomes of this: the next catching up reads on.
          await readOn(turn).catch(() => undefined);
        });
      } catch (error) {
        await build.discard().catch(() => undefined);
        throw error;
      }
    },

    rollback: (name) =>
      exclusively(async (held) => {
        await held.confirm();
        const moved = await index.rollback(name);
        await readOn(held);
        return moved;
      }),
  };
}
