import { openEmbeddedFile, type EmbeddedFileOptions } from "../../sqlite/embedded-file.ts";
import { readsOf } from "../model/indexed-log.ts";
import { toEventText } from "../model/new-event.ts";
import type { EventLog } from "../port.ts";
import { errors, type Answer, type Request } from "./append-group.ts";
import { headOf, indexesOf } from "./reader.ts";

/**
 * The embedded event log: `events.db`, a SQLite file in WAL mode.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteLog(
  options: Pick<EmbeddedFileOptions, "directory" | "busyTimeoutMs" | "logger">,
): Promise<EventLog> {
  const file = await openEmbeddedFile<Request>({
    ...options,
    fileName: "events.db",
    cacheKiB: 8_000,
    errors,
    module: new URL("./append-group.ts", import.meta.url),
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
