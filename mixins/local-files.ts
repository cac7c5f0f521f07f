import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { isUnavailable } from "./sqlite-error.ts";

const READ_AT_ONCE = 256 * 1024;

/**
 * The content of a file. It is opened when the first of it is asked for, so that a failure
 * to open always reaches the reader.
 */
export async function* fileContent(path: string): AsyncGenerator<Buffer, void> {
  yield* createReadStream(path, { highWaterMark: READ_AT_ONCE }) as AsyncIterable<Buffer>;
}

/** Writes a body into a file that its owner alone may read; a body that is not read to its end is destroyed. */
export async function writeContent(path: string, body: Readable): Promise<void> {
  await pipeline(body, createWriteStream(path, { mode: 0o600 }));
}

/** The disk is full, read-only or broken, or files or memory have run out: the same call may succeed later. */
const EXHAUSTED = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "ENOMEM"]);

/**
 * Whether the machine, and not what was asked of it, is why work on local files or on a temporary SQLite file failed.
 */
export function isMachineExhausted(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return typeof error === "object" && error !== null && "code" in error && EXHAUSTED.has(error.code);
}
