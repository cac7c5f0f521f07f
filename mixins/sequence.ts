import { setTimeout as delay } from "node:timers/promises";
import { hasStoreCode, type AtomicWrite, type CollectionDefinition, type Document, type DocumentStore } from "./document-store/port.ts";
import { KeyedQueue } from "./keyed-queue.ts";

interface Counter extends Document {
  last: number;
}

const SEQUENCES: CollectionDefinition = { name: "sequences", fields: { last: "number" } };
const MAX_PAUSE_MS = 50;

export interface Sequences {
  /**
   * Takes the next number of a sequence (from 1) in the same atomic batch as the writes that `write` makes for it, so
   * that a batch that fails burns none and the numbers have no gaps. `write` is called again with a newer number when
   * another process was faster. Answers the number.
   * @throws what `write` throws, and DUPLICATE_KEY or CONDITION_FAILED of its writes
   */
  next(name: string, write: (number: number) => AtomicWrite[] | Promise<AtomicWrite[]>): Promise<number>;
}

/** Gapless ascending numbers. Within a process they are taken one after another, so only other processes can be in the way. */
export function createSequences(documents: DocumentStore): Sequences {
  const counters = documents.collection<Counter>(SEQUENCES);
  const queue = new KeyedQueue();

  async function take(name: string, write: (number: number) => AtomicWrite[] | Promise<AtomicWrite[]>): Promise<number> {
    for (;;) {
      const counter = await counters.findOne({ _id: name });
      const number = (counter?.last ?? 0) + 1;
      try {
        await documents.atomically([advance(name, counter, number), ...(await write(number))]);
        return number;
      } catch (error) {
        if (!lostTheRace(error)) throw error;
        await delay(Math.random() * MAX_PAUSE_MS);
      }
    }
  }
  return { next: (name, write) => queue.run(name, () => take(name, write)) };
}

function advance(name: string, counter: Counter | null, number: number): AtomicWrite {
  if (!counter) return { collection: SEQUENCES, insertOne: { _id: name, last: number } };
  return { collection: SEQUENCES, require: true, updateOne: { filter: { _id: name, last: counter.last }, update: { $set: { last: number } } } };
}

/** The counter is the first write of the batch. */
function lostTheRace(error: unknown): boolean {
  return hasStoreCode(error, "CONDITION_FAILED", "DUPLICATE_KEY") && error.failedAt === 0;
}
