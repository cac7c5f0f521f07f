import { paginate } from "../../broker/contract/common.ts";
import type { Collection, Document, Filter, SortSpec } from "@partline/durable";
import { omitUndefined } from "@partline/toolkit/pure";

/** Returns a filter without undefined conditions, which a store refuses. */
export function toFilter(conditions: Filter): Filter {
  return omitUndefined(conditions);
}

/** Takes a page of a list that is in memory, with its pagination. */
export function takePage<T>(items: readonly T[], { page, pageSize }: { page: number; pageSize: number }) {
  return {
    found: items.slice((page - 1) * pageSize, page * pageSize),
    pagination: paginate(items.length, page, pageSize),
  };
}

/** Reads a sorted page of the documents that meet a filter, with its pagination. */
export async function readPage<T extends Document>(
  collection: Collection<T>,
  filter: Filter,
  sort: SortSpec,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const [documents, total] = await Promise.all([
    collection.find(filter, { sort, skip: (page - 1) * pageSize, limit: pageSize }),
    collection.count(filter),
  ]);
  return { found: documents, pagination: paginate(total, page, pageSize) };
}
