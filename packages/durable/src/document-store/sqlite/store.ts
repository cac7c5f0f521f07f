import { openEmbeddedFile, type EmbeddedFile, type EmbeddedFileOptions } from "../../sqlite/embedded-file.ts";
import type {
  BulkItemResult,
  CollectionDefinition,
  CountedGroup,
  Document,
  DocumentStore,
  StoreLogger,
} from "../port.ts";
import { CheckedStore, type AtomicItem } from "../model/checked.ts";
import type { Predicate } from "../model/filter.ts";
import type { Shape } from "../model/shape.ts";
import { toItemResult, type Selection, type Write, type WriteResult } from "../model/write.ts";
import { defineMatches } from "./planner.ts";
import { encodeDate, errors, type Request, type WriterOptions } from "./protocol.ts";
import { Reader, reviveDates } from "./reader.ts";

const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_BATCH = 1_000;
/** Writes of a bulk that travel together; those of other callers get in between. */
const BULK_STEP = 500;

/**
 * The embedded document store: one SQLite file in WAL mode, a table a collection.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteStore(
  options: Pick<EmbeddedFileOptions, "directory" | "busyTimeoutMs"> & { logger?: StoreLogger },
): Promise<DocumentStore> {
  const definitions: CollectionDefinition[] = [];
  const file = await openEmbeddedFile<Request>({
    ...options,
    fileName: "documents.sqlite",
    cacheKiB: 32_000,
    errors,
    module: new URL("./group-commit.ts", import.meta.url),
    getWriterOptions: () => ({ definitions }) satisfies Pick<WriterOptions, "definitions">,
    define: defineMatches,
  });
  return new SqliteStore(file, definitions, options.logger);
}

/** Exported for the schedules, whose file is not one: `openSqliteStore` opens it. */
export class SqliteStore extends CheckedStore implements DocumentStore {
  readonly backend = "embedded";
  readonly #reader: Reader;
  readonly #file: EmbeddedFile<Request>;
  /** Definitions of the prepared collections, for a restarted writer thread. */
  readonly #definitions: CollectionDefinition[];
  readonly #logger: StoreLogger | undefined;
  readonly #sweeper: NodeJS.Timeout;

  constructor(file: EmbeddedFile<Request>, definitions: CollectionDefinition[], logger?: StoreLogger) {
    super(encodeDate);
    this.#file = file;
    this.#definitions = definitions;
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

  override byId(shape: Shape, id: string): Promise<Document | null> {
    return this.#reader.byId(shape, id);
  }

  async select(shape: Shape, selection: Selection): Promise<Document[]> {
    return (await this.#hasTable(shape)) ? this.#reader.find(shape, selection) : [];
  }

  async *walk(shape: Shape, { predicate, sort }: Selection): AsyncIterable<Document> {
    if (!(await this.#hasTable(shape))) return;
    for await (const documents of this.#reader.iterate(shape, predicate, sort)) yield* documents;
  }

  async tally(shape: Shape, predicate: Predicate): Promise<number> {
    return (await this.#hasTable(shape)) ? this.#reader.count(shape, predicate) : 0;
  }

  async tallyBy(
    shape: Shape,
    predicate: Predicate,
    fields: readonly string[],
    dated?: string,
  ): Promise<CountedGroup[]> {
    return (await this.#hasTable(shape)) ? this.#reader.countBy(shape, predicate, fields, dated) : [];
  }

  /** A collection whose table could not be made yet has no documents. */
  async #hasTable({ name, definition }: Shape): Promise<boolean> {
    if (this.#definitions.includes(definition)) return true;
    const statement = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
    return this.#file.read((statements) => statements.get(statement).get(name) !== undefined);
  }

  async write(shape: Shape, write: Write): Promise<WriteResult> {
    const result = (await this.#request({ kind: "write", collection: shape.name, write })) as WriteResult;
    if (result.document) reviveDates(shape, result.document);
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

  async make({ definition }: Shape): Promise<void> {
    await this.#request({ kind: "ensure", definition });
    this.#definitions.push(definition);
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
    for (const { name, expires } of this.#definitions) {
      if (expires === undefined) continue;
      try {
        while ((await this.#request({ kind: "sweep", collection: name, limit: SWEEP_BATCH })) === SWEEP_BATCH);
      } catch (error) {
        this.#logger?.warn(`Document store: the sweep of ${name} failed: ${String(error)}`);
      }
    }
  }
}
