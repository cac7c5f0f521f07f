import { EmbeddedFile } from "../../sqlite/embedded-file.ts";
import type { BulkItemResult, Document, DocumentStore, StoreLogger } from "../port.ts";
import { CheckedStore, type AtomicItem } from "../model/checked.ts";
import { isPlainObject, type JsonObject } from "../model/paths.ts";
import type { Predicate } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import { toItemResult, type Selection, type StoredDocument, type Write, type WriteResult } from "../model/write.ts";
import { defineMatches } from "./planner.ts";
import { encodeDate, errors, type Request } from "./protocol.ts";
import { Reader } from "./reader.ts";
import { WriterThread } from "./writer-thread.ts";

const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_BATCH = 1_000;
/** Writes of a bulk that travel together; those of other callers get in between. */
const BULK_STEP = 500;

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

class SqliteStore extends CheckedStore implements DocumentStore {
  readonly backend = "embedded";
  readonly #reader: Reader;
  readonly #file: EmbeddedFile<Request>;
  readonly #logger: StoreLogger | undefined;
  readonly #sweeper: NodeJS.Timeout;

  constructor(file: EmbeddedFile<Request>, logger?: StoreLogger) {
    super(encodeDate);
    this.#file = file;
    this.#reader = new Reader(file);
    this.#logger = logger;
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  async ping(): Promise<void> {
    await this.#request({ kind: "ping" });
  }

  close(): Promise<void> {
    clearInterval(this.#sweeper);
    return this.#file.close();
  }

  override async byId(shape: Shape, id: string): Promise<Document | null> {
    const document = await this.#reader.byId(shape, id);
    return document === undefined ? null : revived(shape, document);
  }

  async select(shape: Shape, selection: Selection): Promise<Document[]> {
    return (await this.#reader.find(shape, selection)).map((document) => revived(shape, document));
  }

  async *walk(shape: Shape, { predicate, sort }: Selection): AsyncIterable<Document> {
    for await (const documents of this.#reader.iterate(shape, predicate, sort)) {
      for (const document of documents) yield revived(shape, document);
    }
  }

  tally(shape: Shape, predicate: Predicate): Promise<number> {
    return this.#reader.count(shape, predicate);
  }

  async write(shape: Shape, write: Write): Promise<WriteResult> {
    const result = (await this.#request({ kind: "write", collection: shape.name, write })) as WriteResult;
    if (result.document) revived(shape, result.document);
    return result;
  }

  async writeEach(shape: Shape, writes: readonly Write[]): Promise<BulkItemResult[]> {
    const results: BulkItemResult[] = [];
    for (let start = 0; start < writes.length; start += BULK_STEP) {
      const step = writes.slice(start, start + BULK_STEP).map((write) => toItemResult(this.write(shape, write)));
      results.push(...(await Promise.all(step)));
    }
    return results;
  }

  protected make({ definition }: Shape): Promise<unknown> {
    return this.#request({ kind: "ensure", definition });
  }

  protected writeAtomically(items: readonly AtomicItem[]): Promise<unknown> {
    const writes = items.map(({ shape, write, require }) => ({ collection: shape.name, write, require }));
    return this.#request({ kind: "atomic", writes });
  }

  #request(request: Request): Promise<unknown> {
    return this.#file.writer.request(request);
  }

  /** Expired documents are invisible already; deletes them, in small steps so that writes go in between. */
  async #sweep(): Promise<void> {
    for (const { name, expires } of this.made()) {
      if (expires === undefined) continue;
      try {
        while ((await this.#request({ kind: "sweep", collection: name, limit: SWEEP_BATCH })) === SWEEP_BATCH);
      } catch (error) {
        this.#logger?.warn(`Document store: the sweep of ${name} failed: ${String(error)}`);
      }
    }
  }
}

/** Turns the declared dates of a stored document back into Date objects, in place. */
function revived(shape: Shape, document: StoredDocument): Document {
  for (const path of shape.dates) {
    const segments = path.split(".");
    const key = segments.pop()!;
    let holder: JsonObject | undefined = document;
    for (const segment of segments) {
      const next: unknown = holder?.[segment];
      holder = isPlainObject(next) ? next : undefined;
    }
    const value = holder?.[key];
    if (holder && typeof value === "number") holder[key] = new Date(value);
  }
  return document;
}
