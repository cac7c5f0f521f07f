import { pathParamNames, type Route, type RouteTable } from "./routes.ts";

export type Match =
  /** `values` are the path's parameters, percent-encoded. */
  | { kind: "route"; route: Route; values: readonly string[] }
  | { kind: "wrong-method"; allow: string; path: string }
  | { kind: "unknown" };

interface Endpoint {
  path: string;
  routes: Map<string, Route>;
  /** Methods that are answered like an unknown path. */
  keptOff: Set<string>;
  allow: string;
}

interface Segment {
  statics: Map<string, Segment>;
  /** By what stands behind the param: `.webp` of `{page}.webp`. */
  suffixed: Map<string, Segment>;
  parametric?: Segment;
  endpoint?: Endpoint;
}

const UNKNOWN: Match = { kind: "unknown" };
const NO_VALUES: readonly string[] = [];

/**
 * Finds the route of a request: the most specific path first (static before parametric segments, and before those a param with an
 * ending), then the method, as
 * in OpenAPI. HEAD is served by GET's route.
 */
export function createRouter({ routes, keptOff }: RouteTable): (method: string, path: string) => Match {
  const root = segment();
  const exact = new Map<string, Endpoint>();
  for (const { path } of [...routes, ...keptOff]) {
    const endpoint = insert(root, path);
    if (pathParamNames(path).length === 0) exact.set(path, endpoint);
  }
  for (const route of routes) insert(root, route.path).routes.set(route.method, route);
  for (const { method, path } of keptOff) insert(root, path).keptOff.add(method);
  forEachEndpoint(root, (endpoint) => (endpoint.allow = allowOf(endpoint)));

  return (method, path) => {
    const known = exact.get(path);
    if (known) return choose(known, method, NO_VALUES);
    const values: string[] = [];
    const found = walk(root, path.split("/"), 1, values);
    return found ? choose(found, method, values) : UNKNOWN;
  };
}

function choose(endpoint: Endpoint, method: string, values: readonly string[]): Match {
  const wanted = method === "HEAD" ? "GET" : method;
  const route = endpoint.routes.get(wanted);
  if (route) return { kind: "route", route, values };
  if (endpoint.routes.size === 0 || endpoint.keptOff.has(wanted)) return UNKNOWN;
  return { kind: "wrong-method", allow: endpoint.allow, path: endpoint.path };
}

function walk(from: Segment, parts: readonly string[], index: number, values: string[]): Endpoint | undefined {
  if (index === parts.length) return from.endpoint;
  const part = parts[index]!;
  const next = from.statics.get(part);
  const found = next && walk(next, parts, index + 1, values);
  if (found) return found;
  if (part === "") return undefined;
  for (const [suffix, segment] of from.suffixed) {
    if (part.length === suffix.length || !part.endsWith(suffix)) continue;
    const endpoint = walkParam(segment, part.slice(0, -suffix.length));
    if (endpoint) return endpoint;
  }
  return from.parametric && walkParam(from.parametric, part);

  function walkParam(segment: Segment, value: string): Endpoint | undefined {
    values.push(value);
    const endpoint = walk(segment, parts, index + 1, values);
    if (!endpoint) values.pop();
    return endpoint;
  }
}

function insert(root: Segment, path: string): Endpoint {
  let at = root;
  for (const part of path.split("/").slice(1)) {
    const param = /^\{[^}]+\}(.*)$/.exec(part);
    if (param?.[1] === "") at = at.parametric ??= segment();
    else at = childOf(param ? at.suffixed : at.statics, param?.[1] ?? part);
  }
  return (at.endpoint ??= { path, routes: new Map(), keptOff: new Set(), allow: "" });
}

function childOf(children: Map<string, Segment>, name: string): Segment {
  const child = children.get(name) ?? segment();
  children.set(name, child);
  return child;
}

function segment(): Segment {
  return { statics: new Map(), suffixed: new Map() };
}

function forEachEndpoint(at: Segment, visit: (endpoint: Endpoint) => void): void {
  if (at.endpoint) visit(at.endpoint);
  for (const next of [...at.statics.values(), ...at.suffixed.values()]) forEachEndpoint(next, visit);
  if (at.parametric) forEachEndpoint(at.parametric, visit);
}

function allowOf({ routes }: Endpoint): string {
  const methods = [...routes.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...methods, "OPTIONS"].join(", ");
}
