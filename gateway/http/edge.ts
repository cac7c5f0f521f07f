import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { PartlineError } from "../../mixins/errors.ts";
import { withScope } from "@partline/toolkit";
import { MCP_METHODS, MCP_PATH, type McpPage } from "../mcp/page.ts";
import { pageAt, type FoundPage, type Page, type Pages } from "./pages.ts";
import { type Cors, type RateLimiter, UNKNOWN_ROUTE, type EdgeRequest, send, sendNothing } from "@partline/http-edge";
import { getExchange } from "./exchange.ts";
import { observeRequest, type RequestObserver, type SpanBeginner } from "./observers.ts";
import { describe, toRefusal, sendError, type ErrorLog } from "./response/error.ts";
import type { createRouter } from "./router.ts";

interface EdgeDeps {
  match: ReturnType<typeof createRouter>;
  pages: Pages;
  callRoute(req: EdgeRequest, res: ServerResponse): Promise<unknown>;
  /** Page of an app for all other paths. */
  appPage?: Page | undefined;
  /** Applies an app's session to a request. @throws FORBIDDEN */
  applySession?: ((req: EdgeRequest) => void) | undefined;
  /** @throws UNAUTHORIZED, FORBIDDEN */
  authorizePage(req: EdgeRequest, page: Page): Promise<void>;
  limit?: RateLimiter;
  cors?: Cors | undefined;
  mcp?: McpPage | undefined;
  observers: readonly RequestObserver[];
  /** Probes and pages are not traced. */
  beginSpan?: SpanBeginner;
  logger: ErrorLog;
}

const listMethods = ({ posted }: Page): string => (posted ? "POST, OPTIONS" : "GET, HEAD, OPTIONS");

/** Handles each request up to the call of its route: request id, path, method, rate limit. */
export function createEdge(deps: EdgeDeps): (req: EdgeRequest, res: ServerResponse) => void {
  const handle = async (req: EdgeRequest, res: ServerResponse): Promise<void> => {
    const { path, query } = splitTarget(req.url ?? "/");
    req.exchange = {
      requestId: resolveRequestId(req.headers["x-request-id"]),
      startedAt: performance.now(),
      path,
      query,
      routeLabel: UNKNOWN_ROUTE,
      pathValues: [],
      headers: {},
    };
    const { exchange } = req;
    const page = pageAt(deps.pages, path);
    if (!page) exchange.span = deps.beginSpan?.(req);
    observeRequest(req, res, deps.observers);
    await withScope(exchange, () =>
      answer(req, res, page, deps).catch((error: unknown) => sendError(req, res, error, deps.logger)),
    );
  };
  return (req, res) => {
    handle(req, res).catch((error: unknown) => {
      res.destroy();
      deps.logger.error({ error: describe(error) }, "A request could not be answered");
    });
  };
}

async function answer(
  req: EdgeRequest,
  res: ServerResponse,
  page: FoundPage | undefined,
  deps: EdgeDeps,
): Promise<void> {
  const exchange = getExchange(req);
  const method = req.method ?? "GET";
  // Before anything is refused: a page must be able to read the refusal.
  const preflight = deps.cors?.open(req) && deps.cors.isPreflight(req) ? deps.cors.getPreflightHeaders : undefined;
  if (req.headers.host === undefined && req.httpVersion !== "1.0")
    throw new PartlineError("VALIDATION_FAILED", "The Host header is missing");
  // Node would take the first, and a proxy perhaps the last.
  if (req.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length > 1)
    throw new PartlineError("VALIDATION_FAILED", "The Host header must be given once");
  if (deps.mcp && exchange.path === MCP_PATH) {
    exchange.routeLabel = MCP_PATH;
    if (method === "OPTIONS") sendNothing(req, res, preflight?.(MCP_METHODS) ?? { Allow: MCP_METHODS });
    else if (method !== "POST") throw createWrongMethodError(req, MCP_METHODS);
    else await deps.mcp(req, res);
    return;
  }
  if (page) {
    exchange.routeLabel = page.label;
    if (preflight) sendNothing(req, res, preflight(listMethods(page.page)));
    else await answerPage(req, res, page.page, deps);
    return;
  }
  const match = deps.match(method, exchange.path);
  if (match.kind === "route") {
    exchange.route = match.route;
    exchange.routeLabel = match.route.path;
    exchange.pathValues = match.values;
    if (deps.limit && match.route.bodyKind !== "raw") await deps.limit(req);
    deps.applySession?.(req);
    await deps.callRoute(req, res);
    return;
  }
  if (match.kind === "wrong-method") {
    exchange.routeLabel = match.path;
    // Not counted for the rate limit: a page could not read the refusal.
    if (preflight) {
      sendNothing(req, res, preflight(match.allow));
      return;
    }
  }
  if (match.kind === "unknown" && deps.appPage && !exchange.path.startsWith("/api/")) {
    await answerPage(req, res, deps.appPage, deps);
    return;
  }
  if (deps.limit) await deps.limit(req);
  if (match.kind === "unknown") throw new PartlineError("NOT_FOUND", "There is nothing at this path");
  // Moleculer-web would call the action that Access-Control-Request-Method names.
  if (method === "OPTIONS") sendNothing(req, res, { Allow: match.allow });
  else throw createWrongMethodError(req, match.allow);
}

async function answerPage(req: EdgeRequest, res: ServerResponse, page: Page, deps: EdgeDeps): Promise<void> {
  try {
    await answerAsAsked(req, res, page, deps);
  } catch (error) {
    if (!page.unavailable) throw error;
    const { status } = toRefusal(req, error, deps.logger);
    if (status !== 429 && status < 500) throw error;
    send(req, res, await page.unavailable(req, status));
  }
}

async function answerAsAsked(req: EdgeRequest, res: ServerResponse, page: Page, deps: EdgeDeps): Promise<void> {
  if (deps.limit && !page.unlimited) await deps.limit(req);
  if (req.method === "OPTIONS") {
    sendNothing(req, res, { Allow: listMethods(page) });
    return;
  }
  const isMeant = page.posted ? req.method === "POST" : req.method === "GET" || req.method === "HEAD";
  if (!isMeant) throw createWrongMethodError(req, listMethods(page));
  await deps.authorizePage(req, page);
  send(req, res, await page.answer(req));
}

function createWrongMethodError(req: EdgeRequest, allow: string): PartlineError {
  getExchange(req).headers.Allow = allow;
  return new PartlineError("METHOD_NOT_ALLOWED", `This path takes ${allow}`);
}

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's X-Request-Id if it is safe to log and send on, else a new one. */
function resolveRequestId(header: string | string[] | undefined): string {
  return typeof header === "string" && ACCEPTED.test(header) ? header : randomUUID();
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Splits a request target; a proxy may send the absolute form (RFC 9112, 3.2.2). A slash at the end makes no other
 * path: clients' libraries add one.
 */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.replace(ORIGIN, "") || "/";
  const mark = local.indexOf("?");
  const path = mark === -1 ? local : local.slice(0, mark);
  return { path: path.replace(/(.)\/$/, "$1"), query: mark === -1 ? "" : local.slice(mark + 1) };
}
