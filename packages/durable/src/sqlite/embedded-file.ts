import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { isBusy, lockFile } from "@partline/toolkit";
import { openForReading, StatementCache } from "./connection.ts";
import { WriterThread, type WriterThreadOptions } from "./writer-thread.ts";

/** Between tries to read a file that another process holds locked. */
const PAUSE_MS = 20;

export interface EmbeddedFileOptions extends Omit<WriterThreadOptions, "path" | "busyTimeoutMs"> {
  /** Directory, created if it does not exist. */
  directory: string;
  fileName: string;
  /** Longest wait for a lock that another process holds on the file, milliseconds. */
  busyTimeoutMs?: number;
  cacheKiB: number;
  /** Defines functions that the statements use. */
  define?(database: DatabaseSync): void;
}

/** Answered when the file can be written. */
interface Ping {
  kind: "ping";
}

export type EmbeddedFile<Request> = Awaited<ReturnType<typeof openEmbeddedFile<Request>>>;

/**
 * Opens a store's SQLite file and keeps other processes from it: the writer thread writes, and this thread reads, on a
 * connection that cannot write.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openEmbeddedFile<Request>(options: EmbeddedFileOptions) {
  const { directory, fileName, busyTimeoutMs = 5_000, errors, define } = options;
  mkdirSync(directory, { recursive: true });
  const path = join(directory, fileName);
  const lock = lockFile(`${path}.lock`);
  if (!lock)
    throw errors.unavailable(
      "another process has its files open, and an embedded store serves one process only; set MONGO_URL to run several",
    );
  let writer: WriterThread<Request | Ping> | undefined;
  let database: DatabaseSync;
  try {
    writer = new WriterThread({ ...options, path, busyTimeoutMs });
    // It makes the file a database.
    await writer.request({ kind: "ping" });
    database = openForReading(path, options);
    define?.(database);
  } catch (error) {
    await writer?.close();
    lock.release();
    throw errors.toStoreError(error);
  }
  const { file } = writer;
  const statements = new StatementCache(database);
  const closeAll = async (): Promise<void> => {
    database.close();
    await writer.close();
    lock.release();
  };
  let closing: Promise<void> | undefined;
  return {
    writer,
    /**
     * Reads; while another process holds the file locked, tries again without holding up the event loop.
     * @throws UNAVAILABLE when the file is closed, gone, cannot be read, or stays locked
     */
    async read<T>(work: (statements: StatementCache) => T): Promise<T> {
      if (closing) throw errors.unavailable("it is closed");
      const deadline = Date.now() + busyTimeoutMs;
      for (;;) {
        try {
          file.assertThere();
          return work(statements);
        } catch (error) {
          if (!isBusy(error) || Date.now() >= deadline) throw errors.toStoreError(error);
        }
        await delay(PAUSE_MS);
      }
    },
    close: (): Promise<void> => (closing ??= closeAll()),
  };
}
