import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { lockFile, type FileLock } from "../../lock-file.ts";
import { WriterThread } from "../../sqlite/writer-thread.ts";
import { toEventText } from "../model/new-event.ts";
import type {
  Appended,
  EventCounts,
  EventFilter,
  EventLog,
  EventLogLogger,
  NewEvent,
  StoredEvent,
  StreamRange,
} from "../port.ts";
import { fromWire, toLogError, outcomeUnknown, unavailable } from "./errors.ts";
import type { Answer, Request, WireError, WriterOptions } from "./protocol.ts";
import { Reader } from "./reader.ts";
import { prepareFile } from "./schema.ts";

export interface SqliteLogOptions {
  /** Made when it is not there. */
  directory: string;
  logger?: EventLogLogger;
  /** How long a read or an append waits for a lock that another process holds on the file. Default 5000. */
  busyTimeoutMs?: number;
}

/**
 * The embedded event log: `events.db`, a SQLite file in WAL mode.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteLog({ directory, logger, busyTimeoutMs = 5_000 }: SqliteLogOptions): Promise<EventLog> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, "events.db");
  const lock = lockFile(`${path}.lock`);
  if (!lock)
    throw unavailable(
      "another process has its file open, and an embedded event log serves one process only; set MONGO_URL to run several",
    );
  let writer: WriterThread<Request, WireError> | undefined;
  try {
    prepareFile(path, busyTimeoutMs);
    writer = writerThread({ path, busyTimeoutMs }, logger);
    return new SqliteLog(path, new Reader(path, writer.file, busyTimeoutMs), writer, lock);
  } catch (error) {
    await writer?.close();
    lock.release();
    throw toLogError(error);
  }
}

/** The file is opened for writing with the first append: a process that only reads needs no thread for it. */
function writerThread(options: WriterOptions, logger: EventLogLogger | undefined): WriterThread<Request, WireError> {
  return new WriterThread({
    path: options.path,
    module: new URL("./writer.ts", import.meta.url),
    options: () => options,
    fromWire,
    unavailable,
    outcomeUnknown,
    lost: (reason, unanswered) => logger?.error(`Event log: ${reason}; ${unanswered} appends are unanswered`),
    moved: (reason) => logger?.error(`Event log: ${reason}`),
  });
}

class SqliteLog implements EventLog {
  readonly backend = "embedded";
  readonly #path: string;
  readonly #reader: Reader;
  readonly #writer: WriterThread<Request, WireError>;
  readonly #lock: FileLock;
  #closing: Promise<void> | undefined;

  constructor(path: string, reader: Reader, writer: WriterThread<Request, WireError>, lock: FileLock) {
    this.#path = path;
    this.#reader = reader;
    this.#writer = writer;
    this.#lock = lock;
  }

  async appendToStream(event: NewEvent): Promise<Appended> {
    const appended = (await this.#writer.request({ kind: "append", event: toEventText(event) })) as NonNullable<Answer>;
    return { ...appended, timestamp: new Date(appended.timestamp) };
  }

  readStream(aggregateId: string, range: StreamRange): Promise<StoredEvent[]> {
    return this.#reader.stream(aggregateId, range);
  }

  lastOfStream(aggregateId: string): Promise<StoredEvent | undefined> {
    return this.#reader.lastOfStream(aggregateId);
  }

  readAll(filter: EventFilter, { after, limit }: { after: number; limit: number }): Promise<StoredEvent[]> {
    return this.#reader.all(filter, after, limit);
  }

  stats(filter: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts> {
    return this.#reader.stats(filter);
  }

  head(): Promise<number> {
    return this.#reader.head();
  }

  async ping(): Promise<void> {
    await this.#reader.head();
    if (this.#writer.worker) {
      await this.#writer.request({ kind: "ping" });
      return;
    }
    try {
      await access(this.#path, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw unavailable("its file cannot be written", error);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#reader.close();
    await this.#writer.close();
    this.#lock.release();
  }
}
