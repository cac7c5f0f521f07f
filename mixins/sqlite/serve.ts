import { DatabaseSync } from "node:sqlite";
import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import type { Outcome } from "./outcome.ts";

/** The connection of a writer thread: durable with each commit. */
export function openForWriting(path: string, { busyTimeoutMs, cacheKiB = 32_000 }: { busyTimeoutMs: number; cacheKiB?: number }): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // The mode is kept in the file: changing it needs the file for oneself, keeping it does not.
  if (database.prepare("PRAGMA journal_mode").get()?.["journal_mode"] !== "wal") database.exec("PRAGMA journal_mode = WAL");
  database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`);
  return database;
}

/**
 * A writer thread's work: takes all messages that wait, runs their requests together, and answers. Its connection is the only one
 * that writes, and its thread the only place that waits for the disk.
 */
export function serveWriter<Request>(database: DatabaseSync, group: { run(requests: readonly Request[]): Outcome<unknown, unknown>[] }): void {
  const port = parentPort!;
  port.on("message", (first: string) => {
    const messages = [first];
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) messages.push(more.message as string);
    const closing = messages.includes("close");
    const batches = messages.filter((message) => message !== "close").map((message) => JSON.parse(message) as [id: number, requests: Request[]]);
    if (batches.length > 0) {
      const replies = group.run(batches.flatMap(([, requests]) => requests));
      port.postMessage(JSON.stringify(batches.map(([id, requests]) => [id, replies.splice(0, requests.length)])));
    }
    if (closing) {
      database.close();
      port.close();
    }
  });
}
