import {
  DocumentStoreError,
  type AtomicWrite,
  type CollectionDefinition,
  type DocumentStore,
} from "../../packages/durable/src/document-store/port.ts";

/** A store that refuses an operation while it is away for that: of these collections. */
export function storeAway(
  documents: DocumentStore,
  isAway: (operation: string, collections: readonly string[]) => boolean,
): DocumentStore {
  const guard = <T extends object>(target: T, collection?: string): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "collection")
            return guard(value.apply(object, args) as object, (args[0] as CollectionDefinition).name);
          const writes = name === "atomically" ? (args[0] as AtomicWrite[]) : [];
          const collections = collection === undefined ? writes.map((write) => write.collection.name) : [collection];
          if (isAway(String(name), collections))
            return Promise.reject(new DocumentStoreError("UNAVAILABLE", "The store is away"));
          return value.apply(object, args) as unknown;
        };
      },
    });
  return guard(documents);
}
