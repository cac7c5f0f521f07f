import type { DocumentStore, StoreLogger } from "./port.ts";
import { openSqliteStore } from "./sqlite/store.ts";

export interface DocumentStoreOptions {
  mongoUrl?: string;
  dataDir: string;
  logger?: StoreLogger;
}

export async function openDocumentStore({ mongoUrl, dataDir, logger }: DocumentStoreOptions): Promise<DocumentStore> {
  if (mongoUrl === undefined) return openSqliteStore({ directory: dataDir, logger });
  // Loaded on demand: an embedded start does not pay for the driver.
  const { openMongoStore } = await import("./mongo/store.ts");
  return openMongoStore({ url: mongoUrl, logger });
}
