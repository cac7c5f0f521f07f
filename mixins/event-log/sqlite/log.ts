import { openEmbeddedFile } from "../../sqlite/embedded-file.ts";
import { readsOf } from "../model/indexed-log.ts";
import { toEventText } from "../model/new-event.ts";
import type { EventLog, EventLogLogger } from "../port.ts";
import { errors, type Answer, type Request } from "./append-group.ts";
import { headOf, indexesOf } from "./reader.ts";

interface SqliteLogOptions {
  /** Made when it is not there. */
  directory: string;
  logger?: EventLogLogger;
  /** Longest wait for a lock that another process holds on the file, milliseconds. */
  busyTimeoutMs?: number;
}

/**
 * The embedded event log: `events.db`, a SQLite file in WAL mode.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteLog({ directory, logger, busyTimeoutMs = 5_000 }: SqliteLogOptions): Promise<EventLog> {
  const file = await openEmbeddedFile<Request>({
    directory,
    fileName: "events.db",
    busyTimeoutMs,
    cacheKiB: 8_000,
    errors,
    module: new URL("./append-group.ts", import.meta.url),
    logger,
  });
  const head = (): Promise<number> => headOf(file);
  return {
    ...readsOf(indexesOf(file)),
    head,
    appendToStream: async (event) => {
      const appended = await file.writer.request({ kind: "append", event: toEventText(event) });
      const { timestamp, ...rest } = appended as NonNullable<Answer>;
      return { ...rest, timestamp: new Date(timestamp) };
    },
    ping: async () => {
      await head();
      await file.writer.request({ kind: "ping" });
    },
    close: () => file.close(),
  };
}
