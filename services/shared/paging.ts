import { paginate } from "../../broker/contract/common.ts";
import type { Collection, Document, Filter, SortSpec } from "@partline/durable";

/** Returns a filter without the conditions that were not asked for, which a store refuses. */
export function asked(conditions: Filter): Filter {
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined)) as Filter;
}

/** Returns a page of what is all there, with how many pages there are. */
export function pageIn<T>(all: readonly T[], { page, pageSize }: { page: number; pageSize: number }) {
  return {
    found: all.slice((page - 1) * pageSize, page * pageSize),
    pagination: paginate(all.length, page, pageSize),
  };
}

/** Returns a page of what meets a filter, in an order, with how many pages there are. */
export async function pageOf<T extends Document>(
  collection: Collection<T>,
  filter: Filter,
  sort: SortSpec,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const [found, total] = await Promise.all([
    collection.find(filter, { sort, skip: (page - 1) * pageSize, limit: pageSize }),
    collection.count(filter),
  ]);
  return { found, pagination: paginate(total, page, pageSize) };
}
