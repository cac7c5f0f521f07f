import type { ServerResponse } from "node:http";
import type { ErrorForm } from "../../../broker/contract/define.ts";
import { withoutCredentials } from "@partline/parts-language";
import { errorBody, toHttpError } from "../errors.ts";
import { ClientGoneError } from "../request/body.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";
import { sendJson } from "./send.ts";

export interface ErrorLog {
  error(fields: object, message: string): void;
}

export function sendError(req: EdgeRequest, res: ServerResponse, error: unknown, logger: ErrorLog): void {
  const exchange = exchangeOf(req);
  if (error instanceof ClientGoneError || wasCutOff(req)) {
    res.destroy();
    return;
  }
  const answer = refusalOf(req, error, logger);
  // A late body has kept its connection long enough.
  if (answer.code === "TIMEOUT" && !req.complete) res.shouldKeepAlive = false;
  if (res.headersSent) res.destroy();
  else {
    const form = exchange.route?.http.errors ?? formOf(exchange.path);
    sendJson(req, res, answer.status, errorBody(answer, form), answer.headers);
  }
}

/** A fault of ours is logged once, with stack and request id. */
export function refusalOf(req: EdgeRequest, error: unknown, logger: ErrorLog): ReturnType<typeof toHttpError> {
  const { requestId, route, routeLabel } = exchangeOf(req);
  const answer = toHttpError(error, route?.action);
  if (answer.unexpected)
    logger.error({ request_id: requestId, route: routeLabel, error: describe(error) }, "A request failed");
  return answer;
}

/** Paths of Algolia's API begin so, and its clients read every refusal. */
function formOf(path: string): ErrorForm {
  return path.startsWith("/1/") ? "message" : "envelope";
}

/** Whether the client hung up during a streamed body. */
function wasCutOff({ errored }: EdgeRequest): boolean {
  return (errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET";
}

/** Name, message and stack alone: the rest may be a request's data. Credentials in URLs are removed. */
export function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return withoutCredentials(text);
}
