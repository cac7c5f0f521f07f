import { parseFilter } from "../../../../durable/src/document-store/model/filter.ts";
import { compileShape, type Shape } from "../../../../durable/src/document-store/model/shape.ts";
import type {
  AtomicWrite,
  Collection,
  CollectionDefinition,
  Document,
  DocumentStore,
  Filter,
  FindOptions,
} from "../../../../durable/src/document-store/port.ts";
import { isIndexLead, isSelective } from "../../../../durable/src/document-store/sqlite/planner.ts";
import { encodeDate } from "../../../../durable/src/document-store/sqlite/protocol.ts";

/** Whether a read of all is of the first in an index. */
function isFirstOfIndex(shape: Shape, { sort = {}, limit }: FindOptions): boolean {
  const [path] = Object.keys(sort);
  return limit !== undefined && path !== undefined && isIndexLead(shape, path);
}

/** Methods whose first argument is a filter. */
const FILTERED = [
  ...["find", "findOne", "iterate", "count", "countBy"],
  ...["updateOne", "updateMany", "findOneAndUpdate", "replaceOne", "deleteOne", "deleteMany"],
];

/**
 * Wraps a store, and notes the reads and writes for which no index narrows down the collection: `orders.find
 * searchText`, the collection with the method and the fields of the filter. An index counts all, or has the first.
 */
export function watchScans(documents: DocumentStore, note: (scan: string) => void): DocumentStore {
  const check = (definition: CollectionDefinition, method: string, filter: Filter, options: FindOptions = {}): void => {
    const shape = compileShape(definition, encodeDate);
    if (isSelective(shape, parseFilter(filter, shape))) return;
    const fields = Object.keys(filter).sort();
    if (fields.length === 0 && (["count", "findOne"].includes(method) || isFirstOfIndex(shape, options))) return;
    note([`${definition.name}.${method}`, ...fields].join(" "));
  };
  const checkWrite = (definition: CollectionDefinition, operation: object): void => {
    for (const [method, write] of Object.entries(operation) as [string, { filter?: Filter }][])
      if (write.filter) check(definition, method, write.filter);
  };
  const watch = <T extends Document>(collection: Collection<T>): Collection<T> =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          const { definition } = target;
          if (FILTERED.includes(String(name)))
            check(definition, String(name), args[0] as Filter, args[1] as FindOptions | undefined);
          if (name === "bulkWrite") for (const operation of args[0] as object[]) checkWrite(definition, operation);
          return value.apply(target, args) as unknown;
        };
      },
    });
  return new Proxy(documents, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (name === "atomically")
          for (const { collection, require: _, ...operation } of args[0] as AtomicWrite[])
            checkWrite(collection, operation);
        const result = value.apply(target, args) as unknown;
        return name === "collection" ? watch(result as Collection<Document>) : result;
      };
    },
  });
}
