import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { interceptStore } from "./intercept-store.ts";

const WRITES = new Set([
  "insertOne",
  "updateOne",
  "updateMany",
  "findOneAndUpdate",
  "replaceOne",
  "deleteOne",
  "deleteMany",
  "bulkWrite",
  "atomically",
]);

export interface MortalStore {
  documents: DocumentStore;
  /**
   * From now on this process dies by kill -9 right after so many writes that count, or right before the first write
   * (0); never without a number.
   */
  dieAfter(writes: number | undefined): void;
  /** That count, since `dieAfter`. */
  writes(): number;
}

/**
 * A document store whose process dies between any two writes that the test chooses.
 * @param onWritten hears of each write's arguments and answer, and of the collections that it wrote to, before anybody
 * else does
 * @param beside the collections whose writes do not count: those of tasks that run at moments of their own
 */
export function mortalStore(
  documents: DocumentStore,
  onWritten: (args: unknown[], answer: unknown, collections: string[]) => void = () => undefined,
  beside: string[] = [],
): MortalStore {
  let writes = 0;
  let last: number | undefined;
  const mortal = interceptStore(documents, ({ operation, args, collections }, run) => {
    if (!WRITES.has(operation)) return run();
    if (last === 0) process.kill(process.pid, "SIGKILL");
    return (run() as Promise<unknown>)
      .then((answer) => {
        onWritten(args, answer, collections);
        return answer;
      })
      .finally(() => {
        if (collections.every((name) => beside.includes(name))) return;
        if (++writes === last) process.kill(process.pid, "SIGKILL");
      });
  });
  return {
    documents: mortal,
    dieAfter: (count) => {
      writes = 0;
      last = count;
    },
    writes: () => writes,
  };
}
