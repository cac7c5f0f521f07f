import { type Access, type HttpMethod, type Rules, findStreamedEvent } from "@partline/api-contracts";
import {
  APPS,
  isApp,
  type ActionDefinition,
  type App,
  type EntryPoint,
  type HttpRoute,
  type ServiceContract,
} from "../../broker/contract/define.ts";

const STAFF: ReadonlySet<Access> = new Set<Access>(["admin", "admin-token", "internal"]);

type BodyKind = "none" | "json" | "raw" | "stream";

export interface Route {
  method: HttpMethod;
  path: string;
  action: string;
  service: string;
  http: HttpRoute;
  definition: ActionDefinition;
  bodyKind: BodyKind;
  streamed?: Route;
  fields: { path: Rules; query: Rules; body: Rules };
}

/** A method and path of other entry points that must look unknown here. */
type KeptOff = Pick<Route, "method" | "path">;

export interface RouteTable {
  entry: EntryPoint;
  routes: readonly Route[];
  keptOff: readonly KeptOff[];
}

export const PATH_PARAM = /\{([^}]+)\}/g;

const CARRIED: Record<BodyKind, readonly string[]> = {
  none: [],
  json: [],
  raw: ["body", "headers"],
  stream: ["contentType"],
};
/** Param of an action that answers a file. */
export const FILE_PARAM = "file";
/** Param of an action that answers in pages. */
export const PAGE_PARAM = "position";

/**
 * Returns the routes of an entry point, static paths first. The gateway also knows the /api/ paths that it keeps off:
 * they are not found there, by any method. @throws Error if a contract cannot be served, or two actions claim the same
 * method and path
 */
export function createRouteTable(contracts: readonly ServiceContract[], entry: EntryPoint): RouteTable {
  const allRoutes = contracts.flatMap((contract) => listRoutes(contract));
  const routes = (
    isApp(entry) ? listAppRoutes(allRoutes, entry) : allRoutes.filter(({ http }) => http.entries.includes(entry))
  ).sort(comparePaths);
  refuseTwins(routes, entry);
  const served = new Set(routes.map(toKey));
  const keptOff =
    entry === "gateway" ? allRoutes.filter((route) => route.path.startsWith("/api/") && !served.has(toKey(route))) : [];
  return { entry, routes, keptOff: keptOff.map(({ method, path }) => ({ method, path })) };
}

export function listPathParams(path: string): string[] {
  return [...path.matchAll(PATH_PARAM)].map((match) => match[1]!);
}

function listRoutes(contract: ServiceContract): Route[] {
  return Object.entries(contract.actions).flatMap(([name, definition]) =>
    (definition.http ?? []).map((http) => toRoute(contract.name, name, definition, http)),
  );
}

function toRoute(service: string, name: string, definition: ActionDefinition, http: HttpRoute): Route {
  const bodyKind = resolveBodyKind(http);
  const inPath = listPathParams(http.path);
  const fail = (why: string): never => {
    throw new Error(`${service}.${name} cannot be served at ${http.method} ${http.path}: ${why}`);
  };
  if (!http.path.startsWith("/") || (http.path !== "/" && http.path.endsWith("/")))
    fail("the path must begin and not end with a slash");
  if (http.answer === "event-stream" && !(findStreamedEvent(definition.result) && "after" in definition.params))
    fail("its action answers no pages of events");
  if (definition.once && (bodyKind !== "json" || http.streamed)) fail("an Idempotency-Key is for JSON alone");
  if (STAFF.has(http.access) && http.scope === undefined) fail("what staff needs for it is missing (scope)");
  for (const param of inPath) if (!(param in definition.params)) fail(`there is no param "${param}"`);
  const answerParams = http.answer === "file" ? [FILE_PARAM] : http.answer === "pages" ? [PAGE_PARAM] : [];
  const carried = [...inPath, ...CARRIED[bodyKind], ...answerParams];
  const rest = Object.entries(definition.params).filter(([name]) => !carried.includes(name));
  const isInQuery = ([name]: (typeof rest)[number]): boolean => bodyKind !== "json" || !!http.query?.includes(name);
  const fields = {
    path: Object.fromEntries(inPath.map((name) => [name, definition.params[name]!])),
    query: Object.fromEntries(rest.filter(isInQuery)),
    body: Object.fromEntries(rest.filter((field) => !isInQuery(field))),
  };
  for (const [field, { type }] of Object.entries(fields.query)) {
    if (type === "object" || type === "record" || type === "any")
      fail(`the ${type} "${field}" cannot travel in a query`);
  }
  const { method, path, streamed } = http;
  const route: Route = { method, path, action: `${service}.${name}`, service, http, definition, bodyKind, fields };
  return streamed ? { ...route, streamed: { ...route, action: `${service}.${streamed.action}` } } : route;
}

/** Lists the routes of an app, without webhooks, which are for providers. */
function listAppRoutes(routes: readonly Route[], app: App): Route[] {
  const { routes: entries, staff } = APPS[app];
  const isForPages = ({ bodyKind, http: { access } }: Route): boolean =>
    bodyKind !== "raw" && (staff || ["none", "optional", "user"].includes(access));
  const appRoutes = entries.flatMap((entry) =>
    routes.filter((route) => route.http.entries.includes(entry) && isForPages(route)),
  );
  // Reversed, so that the first entry point's route is set last and wins over others with the same key.
  return [...new Map(appRoutes.reverse().map((route) => [toKey(route), route])).values()];
}

/** POST, PUT and PATCH carry JSON unless the contract says otherwise; GET and DELETE nothing. */
function resolveBodyKind({ method, body }: HttpRoute): BodyKind {
  return body ?? (method === "GET" || method === "DELETE" ? "none" : "json");
}

function refuseTwins(routes: readonly Route[], entry: EntryPoint): void {
  const routesByKey = new Map<string, Route>();
  for (const route of routes) {
    const twin = routesByKey.get(toKey(route));
    if (twin)
      throw new Error(`${twin.action} and ${route.action} both claim ${route.method} ${route.path} on ${entry}`);
    routesByKey.set(toKey(route), route);
  }
}

/** Paths that differ only in names of params are the same. */
function toKey({ method, path }: KeptOff): string {
  return `${method} ${path.replace(PATH_PARAM, "{}")}`;
}

function comparePaths(a: Route, b: Route): number {
  const params = listPathParams(a.path).length - listPathParams(b.path).length;
  return params || a.path.localeCompare(b.path) || a.method.localeCompare(b.method);
}
