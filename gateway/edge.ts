import type { ServerResponse } from "node:http";
import { PartlineError } from "../mixins/errors.ts";
import { inScope } from "../mixins/tracing.ts";
import type { Page, Pages } from "./pages.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { observeRequest, type RequestObserver } from "./observers.ts";
import { exchangeOf, UNKNOWN_ROUTE, type EdgeRequest } from "./request/edge-request.ts";
import { requestIdOf } from "./request/request-id.ts";
import { splitTarget } from "./request/target.ts";
import type { SpanBeginner } from "./request-tracing.ts";
import { sendError, type ErrorLog } from "./response/error.ts";
import { send, sendNothing } from "./response/send.ts";
import type { createRouter } from "./router.ts";

export interface EdgeDeps {
  match: ReturnType<typeof createRouter>;
  pages: Pages;
  /** Answers the route that stands in the request's exchange. */
  callRoute(req: EdgeRequest, res: ServerResponse): Promise<unknown>;
  /** @throws UNAUTHORIZED, FORBIDDEN */
  authorizePage(req: EdgeRequest, page: Page): Promise<void>;
  limit?: RateLimiter;
  observers: readonly RequestObserver[];
  /** Of requests for routes; probes and pages are not traced. */
  beginSpan?: SpanBeginner;
  logger: ErrorLog;
}

const PAGE_METHODS = "GET, HEAD, OPTIONS";

/** What happens to each request before its route is called: request id, path, method, rate limit. */
export function createEdge(deps: EdgeDeps): (req: EdgeRequest, res: ServerResponse) => void {
  return (req, res) => {
    const { path, query } = splitTarget(req.url ?? "/");
    req.exchange = {
      requestId: requestIdOf(req.headers["x-request-id"]),
      startedAt: performance.now(),
      path,
      query,
      routeLabel: UNKNOWN_ROUTE,
      pathValues: [],
      headers: {},
    };
    const { exchange } = req;
    if (!deps.pages.has(path)) exchange.span = deps.beginSpan?.(req);
    observeRequest(req, res, deps.observers);
    void inScope(exchange, () => answer(req, res, deps).catch((error: unknown) => sendError(req, res, error, deps.logger)));
  };
}

async function answer(req: EdgeRequest, res: ServerResponse, deps: EdgeDeps): Promise<void> {
  const exchange = exchangeOf(req);
  const method = req.method ?? "GET";
  if (req.headers.host === undefined && req.httpVersion !== "1.0") throw new PartlineError("VALIDATION_FAILED", "The Host header is missing");
  const page = deps.pages.get(exchange.path);
  if (page) {
    exchange.routeLabel = exchange.path;
    await answerPage(req, res, page, deps);
    return;
  }
  const found = deps.match(method, exchange.path);
  if (found.kind === "route") {
    exchange.route = found.route;
    exchange.routeLabel = found.route.path;
    exchange.pathValues = found.values;
    if (deps.limit && found.route.bodyKind !== "raw") await deps.limit(req);
    await deps.callRoute(req, res);
    return;
  }
  if (found.kind === "wrong-method") exchange.routeLabel = found.path;
  if (deps.limit) await deps.limit(req);
  if (found.kind === "unknown") throw new PartlineError("NOT_FOUND", "There is nothing at this path");
  // No route has the method OPTIONS. Moleculer-web would call the very action that Access-Control-Request-Method names.
  if (method === "OPTIONS") sendNothing(req, res, { Allow: found.allow });
  else throw wrongMethod(req, found.allow);
}

async function answerPage(req: EdgeRequest, res: ServerResponse, page: Page, deps: EdgeDeps): Promise<void> {
  if (deps.limit && !page.unlimited) await deps.limit(req);
  if (req.method === "OPTIONS") {
    sendNothing(req, res, { Allow: PAGE_METHODS });
    return;
  }
  if (req.method !== "GET" && req.method !== "HEAD") throw wrongMethod(req, PAGE_METHODS);
  await deps.authorizePage(req, page);
  send(req, res, await page.answer(req));
}

function wrongMethod(req: EdgeRequest, allow: string): PartlineError {
  exchangeOf(req).headers.Allow = allow;
  return new PartlineError("METHOD_NOT_ALLOWED", `This path takes ${allow}`);
}
