import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { PartlineError } from "../mixins/errors.ts";
import { withinTime } from "../mixins/within-time.ts";
import { errorBody, toHttpError } from "./errors.ts";
import { exchangeOf, type EdgeRequest } from "./request/edge-request.ts";
import type { ErrorLog } from "./response/error.ts";
import { writePiece, writeStreamHead } from "./sse.ts";

/** Longest that a client takes over an event, milliseconds. */
const SILENCE_MS = 30_000;

interface StreamedEvent {
  event: string;
  data: unknown;
}

interface AnswerStreamOptions {
  /** Longest wait for an event, milliseconds: one lost between nodes never comes. */
  silenceMs: number;
  /** Announces that nobody waits for the answer any more. */
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
  let isOver = false;
  let stream: Readable | undefined;
  const leave = (): void => {
    if (isOver) return;
    isOver = true;
    abandon();
    stream?.destroy();
  };
  res.on("close", leave);
  try {
    stream = await begin();
  } catch (error) {
    if (isOver) return;
    isOver = true;
    throw error;
  }
  // It may break off when nobody reads it.
  stream.on("error", () => undefined);
  if (isOver) {
    stream.destroy();
    return;
  }
  writeStreamHead(req, res);
  const breakOff = (): void => {
    if (isOver) return;
    leave();
    void write(
      res,
      "error",
      failureOf(
        req,
        new PartlineError("SERVICE_UNAVAILABLE", "The server stops before this answer is whole: ask again"),
        logger,
      ),
    );
    res.end();
  };
  cut.addEventListener("abort", breakOff);
  const onSilence = (): void => {
    abandon();
    stream.destroy();
  };
  try {
    for await (const { event, data } of unlessSilent(stream, silenceMs, onSilence)) await write(res, event, data);
  } catch (error) {
    if (!isOver) await write(res, "error", failureOf(req, error, logger));
  } finally {
    cut.removeEventListener("abort", breakOff);
  }
  if (isOver) return;
  isOver = true;
  res.end();
}

/** @throws TIMEOUT if none comes for too long */
async function* unlessSilent(
  stream: Readable,
  silenceMs: number,
  onSilence: () => void,
): AsyncGenerator<StreamedEvent, void> {
  const events = stream[Symbol.asyncIterator]() as AsyncIterator<StreamedEvent>;
  for (;;) {
    const next = await withinTime(events.next(), silenceMs, () => {
      onSilence();
      throw new PartlineError("TIMEOUT", "The answer broke off");
    });
    if (next.done === true) return;
    yield next.value;
  }
}

function failureOf(req: EdgeRequest, error: unknown, logger: ErrorLog): unknown {
  const { route, requestId, routeLabel } = exchangeOf(req);
  const answer = toHttpError(error, route?.action);
  if (answer.unexpected)
    logger.error(
      { request_id: requestId, route: routeLabel, error: error instanceof Error ? error.name : "unknown" },
      "An answer broke off",
    );
  return errorBody(answer, route?.http.errors ?? "envelope");
}

function write(res: ServerResponse, event: string, data: unknown): Promise<void> {
  return writePiece(res, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`, SILENCE_MS);
}
