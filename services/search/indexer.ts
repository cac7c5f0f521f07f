import type { HeldLease } from "@partline/durable";
import type { IndexBatch, IndexBuild, LogicalIndex, Progress, SearchIndex } from "@partline/parts-search";
import { toIndexDocument, type CatalogPart } from "./index-document.ts";
import { countSent, type SentCounts } from "./sent-documents.ts";

export interface CatalogFeed {
  /** Vendors that have parts, with their newest revision. */
  listRevisions(): Promise<{ vendor: string; revision: number }[]>;
  /**
   * The first parts changed after a revision, in the order of their changes. `tires`: parts of the index `tires` only.
   */
  listChanges(vendor: string, after: number, limit: number, tires: boolean): Promise<CatalogPart[]>;
}

interface BuildOptions {
  /** Publish any number of documents. */
  force: boolean;
  /** The lease of the build, confirmed before it is published. */
  held: HeldLease;
  onProgress(names: IndexBuild["names"], sent: SentCounts): Promise<void> | void;
}

export type Indexer = ReturnType<typeof createIndexer>;

interface CaughtUp {
  /** Parts. */
  written: number;
  /** The index knows more than the catalog, and only a build can help. */
  isAhead: boolean;
}

/** Changes the live indexes one at a time: one of two at once could overwrite newer progress. */
export type RunExclusively = <T>(task: (held: HeldLease) => Promise<T>) => Promise<T>;

interface IndexerDeps {
  index: SearchIndex;
  feed: CatalogFeed;
  exclusively: RunExclusively;
  /** Called after each change that searches can see, also a failed one: it may have been made. */
  onChange(): void;
  /** Signal that ends the work with its reason; the next start continues. */
  signal: AbortSignal;
}

/** Source: specification, "search index bulk load". */
const BULK = 2_000;
/** About as many as fit into the catalog's answer. */
const PAGE = 500;

/**
 * Keeps an index in step by reading each vendor's changes from the revision that the index has, so that a call after
 * a crash continues. A build does the same from revision 0, beside the live index.
 */
export function createIndexer({ index, feed, exclusively, onChange, signal }: IndexerDeps) {
  let waiting: Promise<CaughtUp> | undefined;

  /** Reads at most a bulk of parts, with the revision that they reach. */
  const readBulk = async (
    vendor: string,
    from: number,
    revision: number,
    tires: boolean,
  ): Promise<{ parts: CatalogPart[]; after: number }> => {
    const parts: CatalogPart[] = [];
    let after = from;
    while (after < revision && parts.length < BULK) {
      const page = await feed.listChanges(vendor, after, Math.min(PAGE, BULK - parts.length), tires);
      parts.push(...page);
      after = page.at(-1)?.revision ?? revision;
    }
    // Tires that changed later may be here; parts that stopped being tires since then are not.
    return { parts, after: tires ? Math.min(after, revision) : after };
  };
  const indexParts = async (
    progress: Progress,
    holds: readonly HeldLease[],
    write: (batch: IndexBatch) => Promise<void>,
    { tires = false } = {},
  ): Promise<number> => {
    let writtenCount = 0;
    for (const { vendor, revision } of await feed.listRevisions()) {
      let after = progress[vendor] ?? 0;
      while (after < revision) {
        for (const abortSignal of [signal, ...holds.map((lease) => lease.signal)]) abortSignal.throwIfAborted();
        const bulk = await readBulk(vendor, after, revision, tires);
        for (const lease of holds) await lease.confirm();
        await write({ documents: bulk.parts.map(toIndexDocument), progress: { [vendor]: bulk.after } });
        progress[vendor] = after = bulk.after;
        writtenCount += bulk.parts.length;
      }
    }
    return writtenCount;
  };
  const readOn = async (lease: HeldLease): Promise<number> =>
    indexParts(await index.progress(), [lease], (batch) => index.write(batch).finally(onChange));

  /** Checks whether the index was filled from another catalog: before a backup was restored or the store was wiped. */
  const isAhead = async (): Promise<boolean> => {
    const revisions = new Map((await feed.listRevisions()).map(({ vendor, revision }) => [vendor, revision]));
    return Object.entries(await index.progress()).some(([vendor, revision]) => revision > (revisions.get(vendor) ?? 0));
  };

  const catchUp = async (lease: HeldLease): Promise<CaughtUp> =>
    (await isAhead()) ? { written: 0, isAhead: true } : { written: await readOn(lease), isAhead: false };

  return {
    /**
     * Resolves when every earlier change is in the index. Calls that come while one waits for its turn share it: it
     * will see their changes.
     */
    catchUp: (): Promise<CaughtUp> => {
      if (waiting) return waiting;
      const forget = (): void => {
        if (waiting === turn) waiting = undefined;
      };
      const turn: Promise<CaughtUp> = Promise.resolve().then(() =>
        exclusively((lease) => {
          forget();
          return catchUp(lease);
        }),
      );
      turn.catch(forget);
      waiting = turn;
      return turn;
    },

    /** Builds new indexes and moves the aliases to them; if it fails, the live ones stay. @throws BUILD_REFUSED */
    build: async (
      which: readonly LogicalIndex[],
      { force, held: buildLease, onProgress }: BuildOptions,
    ): Promise<void> => {
      const build = await index.startBuild(which);
      const sentCounter = countSent(which);
      const filter = { tires: !which.includes("parts") };
      const add = async (batch: IndexBatch): Promise<void> => {
        sentCounter.add(batch.documents);
        await build.add(batch);
        await onProgress(build.names, sentCounter.getCounts());
      };
      try {
        const progress: Progress = {};
        // The first pass is long: changes go to the live indexes meanwhile, and to the new ones in the second pass.
        await indexParts(progress, [buildLease], add, filter);
        await exclusively(async (turn) => {
          // All parts: those that stopped being tires are removed.
          await indexParts(progress, [buildLease, turn], add);
          for (const lease of [buildLease, turn]) await lease.confirm();
          await build.publish(sentCounter.getCounts(), { force }).finally(onChange);
          // The build is live even if this fails: the next call continues.
          await readOn(turn).catch(() => undefined);
        });
      } catch (error) {
        await build.discard().catch(() => undefined);
        throw error;
      } finally {
        sentCounter.close();
      }
    },

    /** @throws NOTHING_TO_ROLL_BACK */
    rollback: (name: LogicalIndex) =>
      exclusively(async (lease) => {
        await lease.confirm();
        const moved = await index.rollback(name).finally(onChange);
        await readOn(lease);
        return moved;
      }),
  };
}
