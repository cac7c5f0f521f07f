import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { isUnavailable } from "./sqlite-error.ts";

const READ_AT_ONCE = 256 * 1024;

/** The content of a file, opened when it is first read, so that a failure to open reaches the reader. */
export async function* fileContent(path: string): AsyncGenerator<Buffer, void> {
  yield* createReadStream(path, { highWaterMark: READ_AT_ONCE }) as AsyncIterable<Buffer>;
}

/** Writes a body into a file that only its owner may read; destroys a body that it does not read to the end. */
export async function writeContent(path: string, body: Readable): Promise<void> {
  await pipeline(body, createWriteStream(path, { mode: 0o600 }));
}

/** The disk is full, read-only or broken, or files, processes or memory have run out: the same call may succeed later. */
const EXHAUSTED = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** Whether work on local files, a child process or a temporary SQLite file failed because of the machine, not of the request. */
export function isMachineExhausted(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return typeof error === "object" && error !== null && "code" in error && EXHAUSTED.has(error.code);
}
