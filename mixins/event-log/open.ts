import type { EventLog, EventLogLogger } from "./port.ts";
import { openSqliteLog } from "./sqlite/log.ts";

export interface EventLogOptions {
  mongoUrl?: string;
  dataDir: string;
  logger?: EventLogLogger;
}

export async function openEventLog({ mongoUrl, dataDir, logger }: EventLogOptions): Promise<EventLog> {
  if (mongoUrl === undefined) return openSqliteLog({ directory: dataDir, logger });
  // Loaded on demand: an embedded start does not pay for the driver.
  const { openMongoLog } = await import("./mongo/log.ts");
  return openMongoLog({ url: mongoUrl });
}
