import type { Exchange, Handler } from "./http-server.ts";
import { jsonReply } from "./reply.ts";

/** Routes by `"METHOD /path/:name"`. A key that ends in `/*` takes every path below it. */
export type Routes = Record<string, Handler>;

type Route = { method: string; segments: string[]; handler: Handler };

/**
 * Returns a handler that sends each request to the first route that matches. A path with another method is 405 with
 * `Allow`; GET's route serves HEAD; any other path goes to `notFound`.
 */
export function routeRequests(
  routes: Routes,
  notFound: Handler = () => jsonReply(404, { error: "Not found" }),
): Handler {
  const table = Object.entries(routes).map(([key, handler]): Route => {
    const [method = "", path = ""] = key.split(" ");
    return { method, segments: path.split("/"), handler };
  });
  return (exchange) => {
    const matches = table.flatMap((route) => {
      const params = matchPath(route.segments, exchange.path.split("/"));
      return params ? [{ route, params }] : [];
    });
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const match = matches.find(({ route }) => route.method === method || route.method === "*");
    if (match) return match.route.handler({ ...exchange, params: match.params });
    if (matches.length === 0) return notFound(exchange);
    return jsonReply(
      405,
      { error: "Method not allowed" },
      { allow: matches.map(({ route }) => route.method).join(", ") },
    );
  };
}

function matchPath(pattern: string[], path: string[]): Exchange["params"] | undefined {
  const open = pattern.at(-1) === "*";
  if (open ? path.length < pattern.length : path.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const given = path[index] ?? "";
    if (part === "*") return params;
    if (part.startsWith(":")) {
      const value = decodeSegment(given);
      if (!value) return undefined;
      params[part.slice(1)] = value;
    } else if (part !== given) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
