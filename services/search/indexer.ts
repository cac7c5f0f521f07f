import { LOGICAL_INDEXES, type IndexBatch, type IndexStatus, type Progress, type SearchIndex } from "../../mixins/search-index/port.ts";
import { toIndexDocument, type CatalogPart } from "./index-document.ts";

/** The catalog as the indexer reads it. */
export interface CatalogFeed {
  /** Vendors that have parts, with the revision of their newest change. */
  revisions(): Promise<{ vendor: string; revision: number }[]>;
  /** Parts of all vendors. */
  count(): Promise<number>;
  /** Parts changed after a revision, in the order of their changes; empty when there is none. */
  changes(vendor: string, after: number, limit: number): Promise<CatalogPart[]>;
}

export interface Indexer {
  /** Resolves when every change that was made before the call is in the index, with the number of parts written. */
  catchUp(): Promise<number>;
  /** Builds new indexes from nothing and moves the aliases to them. */
  rebuild(): Promise<IndexStatus>;
}

const BULK = 2_000;

/**
 * Keeps an index in step by reading each vendor's changes from the revision that the index has. What a crash left out
 * is read again by the next call; a build is the same from revision 0, beside the live index.
 */
export function startIndexer(index: SearchIndex, feed: CatalogFeed): Indexer {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<number> | undefined;

  /** One at a time. */
  const next = <T>(task: () => Promise<T>): Promise<T> => {
    const result = running.then(task, task);
    running = result.catch(() => undefined);
    return result;
  };

  const read = async (progress: Progress, write: (batch: IndexBatch) => Promise<void>): Promise<number> => {
    let written = 0;
    for (const { vendor, revision } of await feed.revisions()) {
      let after = progress[vendor] ?? 0;
      while (after < revision) {
        const parts = await feed.changes(vendor, after, BULK);
        if (parts.length === 0) break;
        after = parts.at(-1)!.revision;
        await write({ documents: parts.map(toIndexDocument), progress: { [vendor]: after } });
        progress[vendor] = after;
        written += parts.length;
      }
    }
    return written;
  };

  const rebuild = async ({ force }: { force: boolean }): Promise<IndexStatus> => {
    const build = await index.startBuild(LOGICAL_INDEXES);
    try {
      const progress: Progress = {};
      const add = (batch: IndexBatch): Promise<void> => build.add(batch);
      // The first pass is long, the second takes in what changed meanwhile.
      await read(progress, add);
      await read(progress, add);
      await build.publish({ parts: await feed.count() }, { force });
    } catch (error) {
      await build.discard().catch(() => undefined);
      throw error;
    }
    await read(await index.progress(), (batch) => index.write(batch));
    return index.status();
  };

  /** An index that knows more than the catalog was filled from another catalog: a restored backup, a wiped store. */
  const isAhead = async (progress: Progress): Promise<boolean> => {
    const revisions = new Map((await feed.revisions()).map(({ vendor, revision }) => [vendor, revision]));
    return Object.entries(progress).some(([vendor, revision]) => revision > (revisions.get(vendor) ?? 0));
  };

  const catchUp = async (): Promise<number> => {
    const progress = await index.progress();
    if (await isAhead(progress)) return (await rebuild({ force: true })).parts.documents;
    return read(progress, (batch) => index.write(batch));
  };

  return {
    // Calls that come while one waits for its turn share it: it will see all of their changes.
    catchUp: () =>
      (waiting ??= next(() => {
        waiting = undefined;
        return catchUp();
      })),
    rebuild: () => next(() => rebuild({ force: false })),
  };
}
