import type { EmbeddedFileOptions } from "../sqlite/embedded-file.ts";
import type { EventLog } from "./port.ts";
import { openSqliteLog } from "./sqlite/log.ts";

export interface EventLogOptions {
  /** URL of the log's database; without it the log is embedded. */
  mongoUrl?: string;
  dataDir: string;
  logger?: EmbeddedFileOptions["logger"];
}

/** @throws UNAVAILABLE when the log cannot be reached, or is embedded and open in another process */
export async function openEventLog({ mongoUrl, dataDir, logger }: EventLogOptions): Promise<EventLog> {
  if (mongoUrl === undefined) return openSqliteLog({ directory: dataDir, logger });
  // Loaded on demand: an embedded start does not pay for the driver.
  const { openMongoLog } = await import("./mongo/log.ts");
  return openMongoLog({ url: mongoUrl });
}
