import { compareAndSet } from "./compare-and-set.ts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "./document-store/port.ts";
import { KeyedQueue } from "./keyed-queue.ts";

interface Counter extends Document {
  last: number;
}

const SEQUENCES: CollectionDefinition = { name: "sequences", fields: { last: "number" } };

export interface Sequences {
  /**
   * Takes the next number of a sequence (from 1) in the same atomic batch as the writes that `write` makes for it, so
   * that a batch that fails burns none and the numbers have no gaps. `write` is called again with a newer number when
   * another process was faster. Answers the number.
   * @throws what `write` throws, VERSION_CONFLICT (see `compareAndSet`), and DUPLICATE_KEY or CONDITION_FAILED of its writes
   */
  next(name: string, write: (number: number) => AtomicWrite[] | Promise<AtomicWrite[]>): Promise<number>;
}

/** Gapless ascending numbers. Within a process they are taken one after another, so only other processes can be in the way. */
export function createSequences(documents: DocumentStore): Sequences {
  const counters = documents.collection<Counter>(SEQUENCES);
  const queue = new KeyedQueue();

  const take = (name: string, write: (number: number) => AtomicWrite[] | Promise<AtomicWrite[]>): Promise<number> =>
    compareAndSet(documents, "The sequence", async () => {
      const counter = await counters.findOne({ _id: name });
      const number = (counter?.last ?? 0) + 1;
      return { conditions: [advance(name, counter, number)], also: await write(number), result: number };
    });

  return { next: (name, write) => queue.run(name, () => take(name, write)) };
}

function advance(name: string, counter: Counter | null, number: number): AtomicWrite {
  if (!counter) return { collection: SEQUENCES, insertOne: { _id: name, last: number } };
  return { collection: SEQUENCES, require: true, updateOne: { filter: { _id: name, last: counter.last }, update: { $set: { last: number } } } };
}
