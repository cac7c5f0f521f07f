import { EmbeddedFile } from "../../sqlite/embedded-file.ts";
import type { Document, DocumentStore, StoreLogger } from "../port.ts";
import { CheckedStore, type AtomicItem } from "../model/checked.ts";
import type { Shape } from "../model/shape.ts";
import type { WriteResult } from "../model/write.ts";
import { SqliteCollection } from "./collection.ts";
import { defineMatches } from "./planner.ts";
import { encodeDate, errors, type Request } from "./protocol.ts";
import { Reader } from "./reader.ts";
import { WriterThread } from "./writer-thread.ts";

const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_BATCH = 1_000;

export interface SqliteStoreOptions {
  /** Made when it is not there. */
  directory: string;
  fileName?: string;
  logger?: StoreLogger;
  /** Longest wait for a lock that another process holds on the file, milliseconds. */
  busyTimeoutMs?: number;
}

/**
 * The embedded document store: one SQLite file in WAL mode, a table a collection.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteStore({
  directory,
  fileName = "documents.sqlite",
  logger,
  busyTimeoutMs = 5_000,
}: SqliteStoreOptions): Promise<DocumentStore> {
  const file = await EmbeddedFile.open<Request>({
    directory,
    fileName,
    busyTimeoutMs,
    cacheKiB: 32_000,
    errors,
    createWriter: (path) => new WriterThread({ path, busyTimeoutMs }, logger),
    define: defineMatches,
  });
  return new SqliteStore(file, logger);
}

export class SqliteStore extends CheckedStore implements DocumentStore {
  readonly backend = "embedded";
  readonly reader: Reader;
  readonly #file: EmbeddedFile<Request>;
  readonly #logger: StoreLogger | undefined;
  readonly #sweeper: NodeJS.Timeout;

  constructor(file: EmbeddedFile<Request>, logger?: StoreLogger) {
    super(encodeDate);
    this.#file = file;
    this.reader = new Reader(file);
    this.#logger = logger;
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  request(request: Request): Promise<unknown> {
    return this.#file.writer.request(request);
  }

  async ping(): Promise<void> {
    await this.request({ kind: "ping" });
  }

  close(): Promise<void> {
    clearInterval(this.#sweeper);
    return this.#file.close();
  }

  protected open(shape: Shape): SqliteCollection<Document> {
    return new SqliteCollection<Document>(shape, this);
  }

  protected make({ definition }: Shape): Promise<unknown> {
    return this.request({ kind: "ensure", definition });
  }

  protected async writeAtomically(items: readonly AtomicItem[]): Promise<WriteResult[]> {
    const writes = items.map(({ collection, write, require }) => ({ collection, write, require }));
    return (await this.request({ kind: "atomic", writes })) as WriteResult[];
  }

  /** Expired documents are invisible already; deletes them, in small steps so that writes go in between. */
  async #sweep(): Promise<void> {
    for (const { name, expires } of this.made()) {
      if (expires === undefined) continue;
      try {
        while ((await this.request({ kind: "sweep", collection: name, limit: SWEEP_BATCH })) === SWEEP_BATCH);
      } catch (error) {
        this.#logger?.warn(`Document store: the sweep of ${name} failed: ${String(error)}`);
      }
    }
  }
}
