import { DatabaseSync } from "node:sqlite";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { CollectionDefinition } from "../port.ts";
import { GroupCommit } from "./group-commit.ts";
import type { Request, WriterOptions } from "./protocol.ts";

/** Entry of the writer thread: the only connection that writes, and the only place that waits for the disk. */

const port = parentPort!;
const { path, busyTimeoutMs, definitions } = workerData as WriterOptions & { definitions: string };

const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
// The mode is kept in the file: changing it needs the file for oneself, keeping it does not.
if (database.prepare("PRAGMA journal_mode").get()?.["journal_mode"] !== "wal") database.exec("PRAGMA journal_mode = WAL");
database.exec("PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY");
const group = new GroupCommit(database, JSON.parse(definitions) as CollectionDefinition[]);

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
