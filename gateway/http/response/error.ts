import type { ServerResponse } from "node:http";
import type { ErrorForm } from "@partline/api-contracts";
import { removeCredentials } from "@partline/parts-language";
import { createErrorBody, toHttpError } from "../errors.ts";
import { ClientGoneError, type EdgeRequest, sendJson } from "@partline/http-edge";
import { getExchange } from "../exchange.ts";

export interface ErrorLog {
  error(fields: object, message: string): void;
}

export function sendError(req: EdgeRequest, res: ServerResponse, error: unknown, logger: ErrorLog): void {
  const exchange = getExchange(req);
  if (error instanceof ClientGoneError || wasCutOff(req)) {
    res.destroy();
    return;
  }
  const answer = toRefusal(req, error, logger);
  // A late body has kept its connection long enough.
  if (answer.code === "TIMEOUT" && !req.complete) res.shouldKeepAlive = false;
  if (res.headersSent) res.destroy();
  else {
    const form = exchange.route?.http.errors ?? getErrorForm(exchange.path);
    sendJson(req, res, answer.status, createErrorBody(answer, form), answer.headers);
  }
}

/** A fault of ours is logged once, with stack and request id. */
export function toRefusal(req: EdgeRequest, error: unknown, logger: ErrorLog): ReturnType<typeof toHttpError> {
  const { requestId, route, routeLabel } = getExchange(req);
  const answer = toHttpError(error, route?.action);
  if (answer.unexpected)
    logger.error({ request_id: requestId, route: routeLabel, error: describe(error) }, "A request failed");
  return answer;
}

/** Paths of Algolia's API begin so, and its clients read every refusal. */
function getErrorForm(path: string): ErrorForm {
  return path.startsWith("/1/") ? "message" : "envelope";
}

/** Returns whether the client hung up during a streamed body. */
function wasCutOff({ errored }: EdgeRequest): boolean {
  return (errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET";
}

/** Name, message and stack alone: the rest may be a request's data. Credentials in URLs are removed. */
export function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return removeCredentials(text);
}
