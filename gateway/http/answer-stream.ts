import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { PartlineError } from "../../mixins/errors.ts";
import { withTimeout } from "@partline/toolkit";
import { createErrorBody, toHttpError } from "./errors.ts";
import { type EdgeRequest, writePiece, writeStreamHead } from "@partline/http-edge";
import { getExchange } from "./exchange.ts";
import type { ErrorLog } from "./response/error.ts";

/** Longest that a client takes over an event, milliseconds. */
const SILENCE_MS = 30_000;

interface AnswerStreamOptions {
  /** Longest wait for an event, milliseconds: one lost between nodes never comes. */
  silenceMs: number;
  /** Says that nobody waits for the answer any more. */
  abandon(): void;
  /** Aborted when the entry point waits no longer. */
  cut: AbortSignal;
  logger: ErrorLog;
}

/**
 * Writes an answer's events as server-sent events. An error on the way is the last event, `error`, in the route's form.
 * Resolves when all is written or the client is gone.
 * @param begin asks for the answer; its error is thrown, unless the client is gone
 */
export async function sendAnswerStream(
  req: EdgeRequest,
  res: ServerResponse,
  begin: () => Promise<Readable>,
  { silenceMs, abandon, cut, logger }: AnswerStreamOptions,
): Promise<void> {
  if (res.destroyed) return;
  let stream: Readable | undefined;
  let isGone = false;
  // A stream that is destroyed while it waits for its source may never say so.
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const leave = (reason?: PartlineError): void => {
    abandon();
    stream?.destroy();
    stopped.reject(reason);
  };
  const onClose = (): void => {
    isGone = true;
    leave();
  };
  const onCut = (): void =>
    leave(
      new PartlineError(
        "SERVICE_UNAVAILABLE",
        "The server is stopping before this answer is complete. Send the request again",
      ),
    );
  res.on("close", onClose);
  try {
    stream = await begin();
  } catch (error) {
    res.off("close", onClose);
    if (isGone) return;
    throw error;
  }
  // It may break off when nobody reads it.
  stream.on("error", () => undefined);
  if (isGone) {
    stream.destroy();
    return;
  }
  writeStreamHead(req, res);
  cut.addEventListener("abort", onCut);
  try {
    const events = stream[Symbol.asyncIterator]() as AsyncIterator<{ event: string; data: unknown }, void>;
    const onSilence = (): never => {
      leave();
      throw new PartlineError("TIMEOUT", "The answer broke off");
    };
    const next = () => withTimeout(Promise.race([events.next(), stopped.promise]), silenceMs, onSilence);
    for (let { done, value } = await next(); !done; { done, value } = await next())
      await write(res, value!.event, value!.data);
  } catch (error) {
    if (!isGone) await write(res, "error", toStreamError(req, error, logger));
  }
  res.off("close", onClose);
  cut.removeEventListener("abort", onCut);
  res.end();
}

function toStreamError(req: EdgeRequest, error: unknown, logger: ErrorLog): unknown {
  const { route, requestId, routeLabel } = getExchange(req);
  const answer = toHttpError(error, route?.action);
  if (answer.unexpected)
    logger.error(
      { request_id: requestId, route: routeLabel, error: error instanceof Error ? error.name : "unknown" },
      "An answer broke off",
    );
  return createErrorBody(answer, route?.http.errors ?? "envelope");
}

function write(res: ServerResponse, event: string, data: unknown): Promise<void> {
  return writePiece(res, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`, SILENCE_MS);
}
