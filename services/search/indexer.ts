import type { Held } from "@partline/durable";
import type { IndexBatch, IndexBuild, LogicalIndex, Progress, SearchIndex } from "@partline/parts-search";
import { toIndexDocument, type CatalogPart } from "./index-document.ts";
import { countSent, type Sent } from "./sent-documents.ts";

export interface CatalogFeed {
  /** Vendors that have parts, with their newest revision. */
  revisions(): Promise<{ vendor: string; revision: number }[]>;
  /**
   * The first parts changed after a revision, in the order of their changes. `tires`: parts of the index `tires`
   * only.
   */
  changes(vendor: string, after: number, limit: number, tires: boolean): Promise<CatalogPart[]>;
}

interface BuildOptions {
  /** Publish any number of documents. */
  force: boolean;
  /** The lease of the build, confirmed before it is published. */
  held: Held;
  onProgress(names: IndexBuild["names"], sent: Sent): Promise<void> | void;
}

export type Indexer = ReturnType<typeof createIndexer>;

interface CaughtUp {
  /** Parts. */
  written: number;
  /** The index knows more than the catalog, and only a build can help. */
  isAhead: boolean;
}

/** Changes the live indexes one at a time: one of two at once could overwrite newer progress. */
export type Exclusively = <T>(task: (held: Held) => Promise<T>) => Promise<T>;

interface IndexerDeps {
  index: SearchIndex;
  feed: CatalogFeed;
  exclusively: Exclusively;
  /** After each change that searches can see, also a failed one: it may have been made. */
  onChange(): void;
  /** When aborted, work ends with its reason; the next start continues. */
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
  const nextBulk = async (
    vendor: string,
    from: number,
    revision: number,
    tires: boolean,
  ): Promise<{ parts: CatalogPart[]; after: number }> => {
    const parts: CatalogPart[] = [];
    let after = from;
    while (after < revision && parts.length < BULK) {
      const page = await feed.changes(vendor, after, Math.min(PAGE, BULK - parts.length), tires);
      parts.push(...page);
      after = page.at(-1)?.revision ?? revision;
    }
    // Tires that changed later may be here; parts that stopped being tires since then are not.
    return { parts, after: tires ? Math.min(after, revision) : after };
  };
  const read = async (
    progress: Progress,
    holds: readonly Held[],
    write: (batch: IndexBatch) => Promise<void>,
    { tires = false } = {},
  ): Promise<number> => {
    let written = 0;
    for (const { vendor, revision } of await feed.revisions()) {
      let after = progress[vendor] ?? 0;
      while (after < revision) {
        for (const each of [signal, ...holds.map((held) => held.signal)]) each.throwIfAborted();
        const bulk = await nextBulk(vendor, after, revision, tires);
        for (const held of holds) await held.confirm();
        await write({ documents: bulk.parts.map(toIndexDocument), progress: { [vendor]: bulk.after } });
        progress[vendor] = after = bulk.after;
        written += bulk.parts.length;
      }
    }
    return written;
  };
  const readOn = async (held: Held): Promise<number> =>
    read(await index.progress(), [held], (batch) => index.write(batch).finally(onChange));

  /** Such an index was filled from another catalog: before a backup was restored or the store was wiped. */
  const isAhead = async (): Promise<boolean> => {
    const revisions = new Map((await feed.revisions()).map(({ vendor, revision }) => [vendor, revision]));
    return Object.entries(await index.progress()).some(([vendor, revision]) => revision > (revisions.get(vendor) ?? 0));
  };

  const catchUp = async (held: Held): Promise<CaughtUp> =>
    (await isAhead()) ? { written: 0, isAhead: true } : { written: await readOn(held), isAhead: false };

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
        exclusively((held) => {
          forget();
          return catchUp(held);
        }),
      );
      turn.catch(forget);
      waiting = turn;
      return turn;
    },

    /** Builds new indexes and moves the aliases to them; if it fails, the live ones stay. @throws BUILD_REFUSED */
    build: async (which: readonly LogicalIndex[], { force, held, onProgress }: BuildOptions): Promise<void> => {
      const build = await index.startBuild(which);
      const sent = countSent(which);
      const wanted = { tires: !which.includes("parts") };
      const add = async (batch: IndexBatch): Promise<void> => {
        sent.add(batch.documents);
        await build.add(batch);
        await onProgress(build.names, sent.counts());
      };
      try {
        const progress: Progress = {};
        // The first pass is long: changes go to the live indexes meanwhile, and to the new ones in the second pass.
        await read(progress, [held], add, wanted);
        await exclusively(async (turn) => {
          // All parts: those that stopped being tires are removed.
          await read(progress, [held, turn], add);
          for (const each of [held, turn]) await each.confirm();
          await build.publish(sent.counts(), { force }).finally(onChange);
          // The build is live even if this fails: the next call continues.
          await readOn(turn).catch(() => undefined);
        });
      } catch (error) {
        await build.discard().catch(() => undefined);
        throw error;
      } finally {
        sent.close();
      }
    },

    /** @throws NOTHING_TO_ROLL_BACK */
    rollback: (name: LogicalIndex) =>
      exclusively(async (held) => {
        await held.confirm();
        const moved = await index.rollback(name).finally(onChange);
        await readOn(held);
        return moved;
      }),
  };
}
