import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { lockFile, type FileLock } from "../lock-file.ts";
import { isBusy } from "../sqlite-error.ts";
import { openForReading } from "./connection.ts";
import { StatementCache } from "./statements.ts";
import { WriterThread, type WriterThreadOptions } from "./writer-thread.ts";

/** Between tries to read a file that another process holds locked. */
const PAUSE_MS = 20;

interface EmbeddedFileOptions extends Omit<WriterThreadOptions, "path"> {
  /** Made when it is not there. */
  directory: string;
  fileName: string;
  cacheKiB: number;
  /** Defines functions that the statements use. */
  define?(database: DatabaseSync): void;
}

/** Answered when the file can be written. */
interface Ping {
  kind: "ping";
}

/**
 * A store's SQLite file, kept from other processes: the writer thread writes, and this thread reads, on a connection
 * that cannot write.
 */
export class EmbeddedFile<Request> {
  readonly writer: WriterThread<Request>;
  readonly #database: DatabaseSync;
  readonly #statements: StatementCache;
  readonly #lock: FileLock;
  readonly #options: EmbeddedFileOptions;
  #closing: Promise<void> | undefined;

  /** @throws UNAVAILABLE when another process has it open, or the file cannot be opened */
  static async open<Request>(options: EmbeddedFileOptions): Promise<EmbeddedFile<Request | Ping>> {
    const { directory, fileName, errors } = options;
    await mkdir(directory, { recursive: true });
    const path = join(directory, fileName);
    const lock = lockFile(`${path}.lock`);
    if (!lock)
      throw errors.unavailable(
        "another process has its files open, and an embedded store serves one process only; set MONGO_URL to run several",
      );
    let writer: WriterThread<Request | Ping> | undefined;
    try {
      writer = new WriterThread({ ...options, path });
      // It makes the file a database.
      await writer.request({ kind: "ping" });
      return new EmbeddedFile(path, writer, lock, options);
    } catch (error) {
      await writer?.close();
      lock.release();
      throw errors.toStoreError(error);
    }
  }

  private constructor(path: string, writer: WriterThread<Request>, lock: FileLock, options: EmbeddedFileOptions) {
    this.writer = writer;
    this.#lock = lock;
    this.#options = options;
    this.#database = openForReading(path, options);
    options.define?.(this.#database);
    this.#statements = new StatementCache(this.#database);
  }

  /**
   * Reads; while another process holds the file locked, tries again without holding up the event loop.
   * @throws UNAVAILABLE when the file is closed, gone, cannot be read, or stays locked
   */
  async read<T>(read: (statements: StatementCache) => T): Promise<T> {
    const { busyTimeoutMs, errors } = this.#options;
    if (!this.#database.isOpen) throw errors.unavailable("it is closed");
    const deadline = Date.now() + busyTimeoutMs;
    for (;;) {
      try {
        this.writer.file.assertThere();
        return read(this.#statements);
      } catch (error) {
        if (!isBusy(error) || Date.now() >= deadline) throw errors.toStoreError(error);
      }
      await delay(PAUSE_MS);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#database.close();
    await this.writer.close();
    this.#lock.release();
  }
}
