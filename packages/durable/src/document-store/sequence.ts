import { compareAndSet, createReplacement } from "./compare-and-set.ts";
import { type AtomicWrite, type CollectionDefinition, type Document, type DocumentStore, isStoreAway } from "./port.ts";

interface Counter extends Document {
  last: number;
}

const SEQUENCES: CollectionDefinition = { name: "sequences", fields: { last: "number" } };

export interface Sequences {
  /**
   * Takes the next number of a sequence (from 1) in one atomic batch with the writes that `write` makes for it: a batch
   * that fails burns none, so there are no gaps. Calls `write` again if another process was faster.
   * @throws what `write` throws, VERSION_CONFLICT (see `compareAndSet`), and DUPLICATE_KEY or CONDITION_FAILED of its
   * writes
   */
  next(name: string, write: (number: number) => AtomicWrite[]): Promise<number>;
}

interface Request {
  write(number: number): AtomicWrite[];
  resolve(number: number): void;
  reject(error: unknown): void;
}

/** Requests that share a batch. */
const MOST_AT_ONCE = 50;

/**
 * Gapless ascending numbers. Requests that come while a batch is being written share the next one, so that only other
 * processes can be in the way.
 */
export function createSequences(documents: DocumentStore): Sequences {
  const counters = documents.collection<Counter>(SEQUENCES);
  const queues = new Map<string, Request[]>();

  const take = (name: string, requests: readonly Request[]): Promise<number> =>
    compareAndSet(documents, "The sequence", async () => {
      const counter = await counters.findOne({ _id: name });
      const first = (counter?.last ?? 0) + 1;
      const next = { _id: name, last: first + requests.length - 1 };
      return {
        conditions: [createReplacement(SEQUENCES, counter, "last", next)],
        also: requests.flatMap(({ write }, index) => write(first + index)),
        result: first,
      };
    });

  const serve = async (name: string, requests: readonly Request[]): Promise<void> => {
    try {
      const first = await take(name, requests);
      for (const [index, { resolve }] of requests.entries()) resolve(first + index);
    } catch (error) {
      // One that fails must not take its neighbours with it.
      if (requests.length > 1 && !isStoreAway(error)) for (const request of requests) await serve(name, [request]);
      else for (const { reject } of requests) reject(error);
    }
  };

  const serveAll = async (name: string, queue: Request[]): Promise<void> => {
    while (queue.length > 0) await serve(name, queue.splice(0, MOST_AT_ONCE));
    queues.delete(name);
  };

  return {
    next: (name, write) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(name) ?? [];
        queue.push({ write, resolve, reject });
        if (queues.has(name)) return;
        queues.set(name, queue);
        void serveAll(name, queue);
      }),
  };
}
