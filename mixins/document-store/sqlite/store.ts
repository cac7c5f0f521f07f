import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { lockFile, type FileLock } from "../../lock-file.ts";
import type {
  AtomicWrite,
  Collection,
  CollectionDefinition,
  Document,
  DocumentStore,
  StoreLogger,
  UpdateResult,
} from "../port.ts";
import { ShapeRegistry } from "../model/shape.ts";
import type { Shape } from "../model/shape.ts";
import { CallParser, toUpdateResult } from "../model/write.ts";
import type { WriteResult } from "../model/write.ts";
import { SqliteCollection } from "./collection.ts";
import { unavailable } from "./errors.ts";
import { Reader } from "./reader.ts";
import { encodeDate } from "./text.ts";
import { WriterThread } from "./writer-thread.ts";

const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_BATCH = 1_000;

export interface SqliteStoreOptions {
  /** Made when it is not there. */
  directory: string;
  fileName?: string;
  logger?: StoreLogger;
  /** How long a read or a write waits for a lock that another process holds on the file. Default 5000. */
  busyTimeoutMs?: number;
}

/**
 * The embedded document store: one SQLite file in WAL mode, a table a collection.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<DocumentStore> {
  const { directory, fileName = "documents.sqlite", logger, busyTimeoutMs = 5_000 } = options;
  await mkdir(directory, { recursive: true });
  const path = join(directory, fileName);
  const lock = lockFile(`${path}.lock`);
  if (!lock)
    throw unavailable(
      "another process has its files open, and an embedded store serves one process only; set MONGO_URL to run several",
    );
  let writer: WriterThread | undefined;
  try {
    writer = new WriterThread({ path, busyTimeoutMs }, logger);
    await writer.request({ kind: "ping" });
    return new SqliteStore({ reader: new Reader(path, writer.file, busyTimeoutMs), writer, lock, logger });
  } catch (error) {
    await writer?.close();
    lock.release();
    throw error;
  }
}

export class SqliteStore implements DocumentStore {
  readonly backend = "embedded";
  readonly reader: Reader;
  readonly writer: WriterThread;
  readonly #lock: FileLock;
  readonly #logger: StoreLogger | undefined;
  readonly #shapes = new ShapeRegistry();
  readonly #collections = new Map<string, Collection<Document>>();
  readonly #prepared = new Map<string, Promise<unknown>>();
  readonly #sweeper: NodeJS.Timeout;
  #closing: Promise<void> | undefined;

  constructor(parts: { reader: Reader; writer: WriterThread; lock: FileLock; logger?: StoreLogger }) {
    this.reader = parts.reader;
    this.writer = parts.writer;
    this.#lock = parts.lock;
    this.#logger = parts.logger;
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  collection<T extends Document>(definition: CollectionDefinition): Collection<T> {
    const shape = this.#shapes.of(definition);
    let collection = this.#collections.get(shape.name);
    if (!collection) this.#collections.set(shape.name, (collection = new SqliteCollection<Document>(shape, this)));
    return collection as unknown as Collection<T>;
  }

  async atomically(writes: AtomicWrite[]): Promise<UpdateResult[]> {
    const items = writes.map((item, index) => {
      const shape = this.#shapes.of(item.collection);
      const write = new CallParser(shape, encodeDate).batchOperation(item, index);
      return { shape, collection: shape.name, write, require: item.require ?? false };
    });
    for (const { shape } of items) await this.prepare(shape);
    const results = await this.writer.request({
      kind: "atomic",
      writes: items.map(({ collection, write, require }) => ({ collection, write, require })),
    });
    return (results as WriteResult[]).map(toUpdateResult);
  }

  async ping(): Promise<void> {
    await this.writer.request({ kind: "ping" });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Makes the collection's table and indexes, once. */
  async prepare(shape: Shape): Promise<void> {
    let prepared = this.#prepared.get(shape.name);
    if (!prepared) {
      prepared = this.writer.request({ kind: "ensure", definition: shape.definition });
      this.#prepared.set(shape.name, prepared);
    }
    try {
      await prepared;
    } catch (error) {
      this.#prepared.delete(shape.name);
      throw error;
    }
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.reader.close();
    await this.writer.close();
    this.#lock.release();
  }

  /**
   * Expired documents are invisible anyway; this gives their room back, in small steps so that writes go in between.
   */
  async #sweep(): Promise<void> {
    for (const shape of this.#shapes.all()) {
      if (shape.expires === undefined || !this.#prepared.has(shape.name)) continue;
      try {
        while (
          (await this.writer.request({ kind: "sweep", collection: shape.name, limit: SWEEP_BATCH })) === SWEEP_BATCH
        );
      } catch (error) {
        this.#logger?.warn(
          `Document store: the sweep of ${shape.name} failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }
}
