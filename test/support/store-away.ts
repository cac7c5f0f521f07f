import {
  DocumentStoreError,
  type CollectionDefinition,
  type DocumentStore,
} from "../../packages/durable/src/document-store/port.ts";

/** A store that refuses an operation while it is away for that: of a collection, if it is one's. */
export function storeAway(
  documents: DocumentStore,
  isAway: (operation: string, collection?: string) => boolean,
): DocumentStore {
  const guard = <T extends object>(target: T, collection?: string): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "collection")
            return guard(value.apply(object, args) as object, (args[0] as CollectionDefinition).name);
          if (isAway(String(name), collection))
            return Promise.reject(new DocumentStoreError("UNAVAILABLE", "The store is away"));
          return value.apply(object, args) as unknown;
        };
      },
    });
  return guard(documents);
}
