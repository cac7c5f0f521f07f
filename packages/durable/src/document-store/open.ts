import type { DocumentStore, StoreLogger } from "./port.ts";
import { openSqliteStore } from "./sqlite/store.ts";

export interface DocumentStoreOptions {
  /** URL of a MongoDB database; without it the store is embedded. */
  mongoUrl?: string;
  dataDir: string;
  logger?: StoreLogger;
}

/** @throws UNAVAILABLE when the store cannot be reached, or is embedded and open in another process */
export async function openDocumentStore({ mongoUrl, dataDir, logger }: DocumentStoreOptions): Promise<DocumentStore> {
  if (mongoUrl === undefined) return openSqliteStore({ directory: dataDir, logger });
  // Loaded on demand.
  const { openMongoStore } = await import("./mongo/store.ts");
  return openMongoStore({ url: mongoUrl, logger });
}
