import { DocumentStoreError, type DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { interceptStore } from "./intercept-store.ts";

/** A store that refuses an operation while it is away for that: of these collections. */
export function storeAway(
  documents: DocumentStore,
  isAway: (operation: string, collections: readonly string[]) => boolean,
): DocumentStore {
  return interceptStore(documents, ({ operation, collections }, run) =>
    isAway(operation, collections) ? Promise.reject(new DocumentStoreError("UNAVAILABLE", "The store is away")) : run(),
  );
}
