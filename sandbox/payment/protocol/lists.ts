import type { Account } from "../scope.ts";
import type { ResourceByObject, ResourceObject } from "../state/resources.ts";
import type { ListQuery } from "../state/store.ts";
import { paging } from "./common-parameters.ts";
import { noSuchReference } from "./errors.ts";
import type { Operation, PathParams } from "./operation.ts";
import { operation } from "./operation.ts";
import type { Parameters, Shape } from "./parameters.ts";

export type ApiList<T> = { object: "list"; data: T[]; has_more: boolean; url: string };

type Selection<K extends ResourceObject> = Pick<ListQuery, "match" | "anyOf"> & {
  object: K;
  present?: (account: Account, resource: ResourceByObject[K]) => ResourceByObject[K];
};

const DEFAULT_LIMIT = 10;

/**
 * A `GET` that lists one kind of resource, newest first, with the provider's paging and `created` filters beside
 * `shape`.
 */
export function listOperation<S extends Shape, K extends ResourceObject>(
  route: string,
  shape: S,
  select: (parameters: Parameters<S>, path: PathParams, account: Account) => Selection<K>,
): Operation {
  return operation(route, { ...shape, ...paging }, (scope, given, path) => {
    const parameters = given as unknown as Parameters<S> & Parameters<typeof paging>;
    const filters = Object.fromEntries(Object.keys(shape).map((name) => [name, parameters[name]])) as Parameters<S>;
    const { object, match, anyOf, present } = select(filters, path, scope);
    for (const name of ["starting_after", "ending_before"] as const) {
      const cursor = parameters[name];
      if (cursor !== undefined && !scope.store.has(object, cursor)) throw noSuchReference(object, cursor, name);
    }
    const { rows, hasMore } = scope.store.list(object, {
      match,
      anyOf,
      created: parameters.created,
      limit: parameters.limit ?? DEFAULT_LIMIT,
      startingAfter: parameters.starting_after,
      endingBefore: parameters.ending_before,
    });
    const url = (route.split(" ")[1] ?? "").replace(/:(\w+)/g, (_, name: string) => path[name] ?? "");
    return toList(url, present ? rows.map((row) => present(scope, row)) : rows, hasMore);
  });
}

export function toList<T>(url: string, data: T[], hasMore = false): ApiList<T> {
  return { object: "list", data, has_more: hasMore, url };
}
