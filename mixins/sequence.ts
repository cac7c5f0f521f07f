import { compareAndSet, replacing } from "./compare-and-set.ts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "./document-store/port.ts";
import { KeyedQueue } from "./keyed-queue.ts";

interface Counter extends Document {
  last: number;
}

const SEQUENCES: CollectionDefinition = { name: "sequences", fields: { last: "number" } };

export interface Sequences {
  /**
   * Takes the next number of a sequence (from 1) in one atomic batch with the writes that `write` makes for it: a batch
   * that fails burns none, so there are no gaps. Calls `write` again if another process was faster. Returns the number,
   * the first of `count`.
   * @throws what `write` throws, VERSION_CONFLICT (see `compareAndSet`), and DUPLICATE_KEY or CONDITION_FAILED of its
   * writes
   */
  next(
    name: string,
    write: (number: number) => AtomicWrite[] | Promise<AtomicWrite[]>,
    count?: number,
  ): Promise<number>;
}

/**
 * Gapless ascending numbers, taken one after another within a process, so that only other processes can be in the way.
 */
export function createSequences(documents: DocumentStore): Sequences {
  const counters = documents.collection<Counter>(SEQUENCES);
  const queue = new KeyedQueue();

  const take: Sequences["next"] = (name, write, count = 1) =>
    compareAndSet(documents, "The sequence", async () => {
      const counter = await counters.findOne({ _id: name });
      const number = (counter?.last ?? 0) + 1;
      const next = { _id: name, last: number + count - 1 };
      return { conditions: [replacing(SEQUENCES, counter, "last", next)], also: await write(number), result: number };
    });

  return { next: (name, write, count) => queue.run(name, () => take(name, write, count)) };
}
