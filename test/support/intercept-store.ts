import type {
  AtomicWrite,
  CollectionDefinition,
  DocumentStore,
} from "../../packages/durable/src/document-store/port.ts";

export interface StoreCall {
  operation: string;
  args: unknown[];
  collections: string[];
}

/** A document store each of whose operations, of its collections too, goes through `intercept`; `run` does it. */
export function interceptStore(
  documents: DocumentStore,
  intercept: (call: StoreCall, run: () => unknown) => unknown,
): DocumentStore {
  const wrap = <T extends object>(target: T, collection?: string): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const run = (): unknown => value.apply(object, args) as unknown;
          if (name === "collection") return wrap(run() as object, (args[0] as CollectionDefinition).name);
          const writes = name === "atomically" ? (args[0] as AtomicWrite[]) : [];
          const collections = collection === undefined ? writes.map((write) => write.collection.name) : [collection];
          return intercept({ operation: String(name), args, collections }, run);
        };
      },
    });
  return wrap(documents);
}
