import { createWriteStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { isUnavailable } from "./sqlite-error.ts";

const READ_AT_ONCE = 256 * 1024;

/** Makes an absent file undefined, in a `catch`. */
export function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** The content of a file, opened when it is first read, so that a failure to open reaches the reader. */
export async function* readFileContent(path: string): AsyncGenerator<Buffer, void> {
  const handle = await open(path);
  try {
    yield* streamContent(handle, (await handle.stat()).size) as AsyncIterable<Buffer>;
  } finally {
    await handle.close();
  }
}

/**
 * Reads an open file of so many bytes, or a part of it, and closes it at the end. The stream knows where that is: else
 * each small file would cost two buffers of `READ_AT_ONCE`.
 */
export function streamContent(handle: FileHandle, bytes: number, part?: { from: number; to: number }): Readable {
  const last = Math.max(bytes - 1, 0);
  return handle.createReadStream({
    start: part?.from ?? 0,
    end: Math.min(part?.to ?? last, last),
    highWaterMark: READ_AT_ONCE,
  });
}

/** Writes a body into a file that only its owner may read; destroys a body that it does not read to the end. */
export async function writeContent(path: string, body: Readable): Promise<void> {
  await pipeline(body, createWriteStream(path, { mode: 0o600 }));
}

/** The disk fails or is full, or files, processes or memory have run out: the same call may succeed later. */
const EXHAUSTED = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/**
 * Returns whether work on local files, a process or a temporary SQLite file failed because of the machine, not the
 * request.
 */
export function isMachineExhausted(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return typeof error === "object" && error !== null && "code" in error && EXHAUSTED.has(error.code);
}
