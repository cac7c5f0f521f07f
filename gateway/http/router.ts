import { PATH_PARAM, type Route, type RouteTable } from "./routes.ts";

type Match =
  | { kind: "route"; route: Route; values: readonly string[] }
  | { kind: "wrong-method"; allow: string; path: string }
  | { kind: "unknown" };

interface Endpoint {
  path: string;
  /** Before the first param: compared first, at a tenth of the pattern's time. */
  beginning: string;
  pattern: RegExp;
  routes: Map<string, Route>;
  keptOff: Set<string>;
}

const UNKNOWN: Match = { kind: "unknown" };
const NO_VALUES: readonly string[] = [];

/**
 * Finds the route of a request: the most specific path first (static segments, then a param with an ending, then
 * others), then the method. HEAD is served by GET's route.
 */
export function createRouter({ routes, keptOff }: RouteTable): (method: string, path: string) => Match {
  const endpoints = new Map<string, Endpoint>();
  const endpointAt = (path: string): Endpoint => {
    const pattern = `^${path.replaceAll(".", "\\.").replaceAll(PATH_PARAM, "([^/]+)")}$`;
    const endpoint = endpoints.get(pattern) ?? {
      path,
      beginning: path.split("{", 1)[0]!,
      pattern: new RegExp(pattern),
      routes: new Map<string, Route>(),
      keptOff: new Set<string>(),
    };
    endpoints.set(pattern, endpoint);
    return endpoint;
  };
  for (const route of routes) endpointAt(route.path).routes.set(route.method, route);
  for (const { method, path } of keptOff) endpointAt(path).keptOff.add(method);
  const sorted = [...endpoints.values()].sort((a, b) => rankOf(a).localeCompare(rankOf(b)));
  const isExact = ({ path, beginning }: Endpoint): boolean => path === beginning;
  const exact = new Map(sorted.filter(isExact).map((endpoint) => [endpoint.path, endpoint]));
  const bySegments = Map.groupBy(
    sorted.filter((endpoint) => !isExact(endpoint)),
    ({ path }) => segmentsOf(path).length,
  );

  return (method, path) => {
    const known = exact.get(path);
    if (known) return choose(known, method, NO_VALUES);
    for (const endpoint of bySegments.get(segmentsOf(path).length) ?? []) {
      const match = path.startsWith(endpoint.beginning) ? endpoint.pattern.exec(path) : null;
      if (match) return choose(endpoint, method, match.slice(1));
    }
    return UNKNOWN;
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/");
}

/** Sorts before those of less specific paths. */
function rankOf({ path }: Endpoint): string {
  return segmentsOf(path)
    .map((segment) => (segment.startsWith("{") ? (segment.endsWith("}") ? "2" : "1") : "0"))
    .join("");
}

function choose(endpoint: Endpoint, method: string, values: readonly string[]): Match {
  const wanted = method === "HEAD" ? "GET" : method;
  const route = endpoint.routes.get(wanted);
  if (route) return { kind: "route", route, values };
  if (endpoint.routes.size === 0 || endpoint.keptOff.has(wanted)) return UNKNOWN;
  return { kind: "wrong-method", allow: allowOf(endpoint), path: endpoint.path };
}

function allowOf({ routes }: Endpoint): string {
  const methods = [...routes.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...methods, "OPTIONS"].join(", ");
}
