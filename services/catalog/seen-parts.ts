import { LRUCache } from "lru-cache";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { withScope } from "@partline/toolkit";

/** A part that somebody asked for by itself; its id is the part's. */
export interface SeenPart extends Document {
  /** Time of the dealer's last answer about the part, also without news. */
  toldAt?: Date;
  expiresAt: Date;
}

export const SEEN_PARTS: CollectionDefinition = {
  name: "catalog_seen_parts",
  fields: { toldAt: "date", expiresAt: "date" },
  expires: "expiresAt",
};

const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 30 * DAY_MS;
/** Times at which a part was last viewed, and at which the dealer last answered about it; milliseconds. */
interface Mark {
  seenAt: number;
  toldAt: number;
}

/** A process writes a mark of the same part again after this time. */
const AGAIN_MS: Mark = { seenAt: DAY_MS, toldAt: 60_000 };
const MOST_REMEMBERED = 20_000;
/** Most parts that wait for the store; of others it learns when they are asked for again. */
const MOST_WAITING = 5_000;
const GATHER_MS = 1_000;

export type SeenParts = ReturnType<typeof createSeenParts>;

/** Records which parts are asked for, and when the dealer answered. Nobody waits for it; a crash loses a second. */
export function createSeenParts(documents: DocumentStore, onError: (error: unknown) => void) {
  const parts = documents.collection<SeenPart>(SEEN_PARTS);
  const noted = new LRUCache<string, Mark>({ max: MOST_REMEMBERED });
  const waiting = new Map<string, Partial<Mark>>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  const write = async (): Promise<void> => {
    timer = undefined;
    const batch = [...waiting];
    waiting.clear();
    try {
      await parts.bulkWrite(batch.map(([id, mark]) => ({ updateOne: { filter: { _id: id }, ...toUpdate(mark) } })));
    } catch (error) {
      for (const [id] of batch) noted.delete(id);
      onError(error);
    }
  };
  const mark = (ids: readonly string[], what: keyof Mark): void => {
    const now = Date.now();
    for (const id of ids) {
      const last = noted.get(id) ?? { seenAt: 0, toldAt: 0 };
      if (now - last[what] < AGAIN_MS[what] || (waiting.size >= MOST_WAITING && !waiting.has(id))) continue;
      noted.set(id, { ...last, [what]: now });
      waiting.set(id, { ...waiting.get(id), [what]: now });
    }
    // It belongs to no request's trace.
    if (waiting.size > 0)
      timer ??= withScope(undefined, () => setTimeout(() => (writing = write()), GATHER_MS)).unref();
  };

  return {
    markSeen: (ids: readonly string[]): void => mark(ids, "seenAt"),
    markTold: (ids: readonly string[]): void => mark(ids, "toldAt"),
    findToldSince: async (ids: readonly string[], since: Date): Promise<ReadonlySet<string>> =>
      new Set((await parts.find({ _id: { $in: ids }, toldAt: { $gte: since } })).map(({ _id }) => _id)),
    page: async (after: string, limit: number): Promise<string[]> =>
      (await parts.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit })).map(({ _id }) => _id),
    /** Writes what waits. */
    stop: async (): Promise<void> => {
      clearTimeout(timer);
      await writing;
      if (waiting.size > 0) await write();
    },
  };
}

/** The dealer's answer alone creates no row: only a part that somebody asked for counts as seen. */
function toUpdate({ seenAt, toldAt }: Partial<Mark>) {
  const expiresAt = seenAt === undefined ? undefined : new Date(seenAt + KEPT_MS);
  const $set = { ...(expiresAt && { expiresAt }), ...(toldAt !== undefined && { toldAt: new Date(toldAt) }) };
  return { update: { $set }, upsert: expiresAt !== undefined };
}
