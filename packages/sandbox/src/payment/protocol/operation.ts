import type { Scope } from "../account.ts";
import type { Match, ResourceByObject, ResourceObject } from "../store.ts";
import {
  type Field,
  type FormObject,
  type Parameters,
  type Shape,
  list,
  object,
  pagingByTime,
  text,
} from "./parameters.ts";

type Path = Record<string, string> & { id: string };

/** One endpoint. `prepare` checks the form before any work is done; what it returns does the work. */
export type Operation = {
  route: string;
  prepare(form: FormObject): { expand: string[]; run(scope: Scope, path: Path): object };
};

/** An endpoint that takes the parameters of `shape` and `expand`. */
export function defineOperation<S extends Shape>(
  route: string,
  shape: S,
  run: (scope: Scope, params: Parameters<S>, path: Path) => object,
): Operation {
  const readForm = object<Shape>({ ...shape, expand: list(text()) }) as Field<Parameters<S> & { expand?: string[] }>;
  return {
    route,
    prepare(form) {
      const { expand = [], ...params } = readForm(form, "");
      return { expand, run: (scope, path) => run(scope, params as Parameters<S>, path) };
    },
  };
}

/** `GET path/:id` for a stored resource. */
export function defineRetrieval(path: string, kind: ResourceObject): Operation {
  return defineOperation(`GET ${path}/:id`, {}, (scope, _given, { id }) => scope.store.get(kind, id));
}

/** `GET path` and `GET path/:id` for stored resources. */
export function defineReadings(path: string, kind: ResourceObject, filters: Shape): Operation[] {
  return [defineListing(path, kind, filters), defineRetrieval(path, kind)];
}

export const DEFAULT_LIMIT = 10;

/**
 * `GET path`: lists one kind of resource, newest first.
 * @param filters parameters that fields of the same names must match, unless `match` says which
 */
export function defineListing<S extends Shape, K extends ResourceObject>(
  path: string,
  kind: K,
  filters: S,
  match: (given: Parameters<S>, path: Path, scope: Scope) => Match = (params) => params as Match,
  present: (scope: Scope, resource: ResourceByObject[K]) => object = (_scope, resource) => resource,
): Operation {
  return defineOperation(`GET ${path}`, { ...filters, ...pagingByTime }, (scope, query, segments) => {
    const { created, limit = DEFAULT_LIMIT, starting_after, ...params } = query as Parameters<typeof pagingByTime>;
    const fields = match(params as Parameters<S>, segments, scope);
    const { rows, hasMore } = scope.store.list(kind, { match: fields, created, limit, starting_after });
    const resources = rows.map((row) => present(scope, row));
    return toList(path.replace(":id", segments.id), resources, hasMore);
  });
}

export function toList(url: string, data: object[], hasMore = false) {
  return { object: "list", data, has_more: hasMore, url };
}
