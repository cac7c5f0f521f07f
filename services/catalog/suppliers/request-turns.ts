import { setTimeout as delay } from "node:timers/promises";
import { compareAndSet } from "../../../mixins/compare-and-set.ts";
import type {
  AtomicWrite,
  CollectionDefinition,
  Document,
  DocumentStore,
} from "../../../mixins/document-store/port.ts";
import { KeyedQueue } from "../../../mixins/keyed-queue.ts";

interface Turns extends Document {
  nextAt: Date;
}

const REQUEST_TURNS: CollectionDefinition = { name: "catalog_request_turns", fields: { nextAt: "date" } };

/** Longest legitimate wait, milliseconds: a later turn was taken by a wrong clock. */
const LONGEST_WAIT = 2_000;

/**
 * Limits requests to a supplier to so many a second over all processes that share the store. @returns waits for the
 * next turn and takes it
 */
export function requestTurns(documents: DocumentStore, supplier: string, perSecond: number): () => Promise<void> {
  const collection = documents.collection<Turns>(REQUEST_TURNS);
  const queue = new KeyedQueue();

  const reserve = (): Promise<number> =>
    compareAndSet(documents, "The turn to ask a supplier", async () => {
      const known = await collection.findOne({ _id: supplier });
      const now = Date.now();
      const turn = Math.min(Math.max(now, known?.nextAt.getTime() ?? 0), now + LONGEST_WAIT);
      const nextAt = new Date(turn + 1_000 / perSecond);
      const taken: AtomicWrite = known
        ? {
            collection: REQUEST_TURNS,
            require: true,
            updateOne: { filter: { _id: supplier, nextAt: known.nextAt }, update: { $set: { nextAt } } },
          }
        : { collection: REQUEST_TURNS, insertOne: { _id: supplier, nextAt } };
      return { conditions: [taken], result: turn };
    });

  return async () => {
    const turn = await queue.run(supplier, reserve);
    await delay(Math.max(0, turn - Date.now()));
  };
}
