import type { ServerResponse } from "node:http";
import type { ErrorForm } from "../../broker/contract/define.ts";
import { withoutCredentials } from "../../mixins/safe-text.ts";
import { errorBody, toHttpError } from "../errors.ts";
import { ClientGoneError } from "../request/body.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";
import { sendJson } from "./send.ts";

export interface ErrorLog {
  error(fields: object, message: string): void;
}

/** Answers with whatever was thrown; a fault of ours is logged once, with its stack and the request id. */
export function sendError(req: EdgeRequest, res: ServerResponse, error: unknown, logger: ErrorLog): void {
  const exchange = exchangeOf(req);
  if (error instanceof ClientGoneError || wasCutOff(req)) {
    res.destroy();
    return;
  }
  const answer = toHttpError(error, exchange.route?.action);
  if (answer.unexpected) {
    logger.error(
      { request_id: exchange.requestId, route: exchange.routeLabel, error: describe(error) },
      "A request failed",
    );
  }
  // Whose body is late has kept its connection for long enough.
  if (answer.code === "TIMEOUT" && !req.complete) res.shouldKeepAlive = false;
  if (res.headersSent) res.destroy();
  else
    sendJson(req, res, answer.status, errorBody(answer, exchange.route?.http.errors ?? formOf(exchange.path)), {
      ...answer.headers,
    });
}

/** Of a path without a route: all of Algolia's API begins so, and its clients read a refusal of any part of it. */
function formOf(path: string): ErrorForm {
  return path.startsWith("/1/") ? "message" : "envelope";
}

/** Whether the client hung up amid a streamed body, which whoever reads the stream meets as an error of its own. */
function wasCutOff({ errored }: EdgeRequest): boolean {
  return (errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET";
}

/**
 * Name, message and stack alone: what else an error carries may be a request's data. Credentials in URLs are struck
 * out.
 */
function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return withoutCredentials(text);
}
