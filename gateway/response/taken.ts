import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toHttpError } from "../errors.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";

/** Longest that a client takes nothing, milliseconds. */
const SILENCE_MS = 60_000;

/**
 * Writes the body piece by piece as the client takes it. A client that leaves or stalls ends it; a missing piece cuts
 * the connection, since the status is sent.
 */
export async function writeAsTaken(res: ServerResponse, pieces: AsyncIterable<Buffer | string>): Promise<void> {
  res.setTimeout(SILENCE_MS, () => res.destroy());
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

/** Notes an error of `next` before it cuts the connection: all other cuts are the client's. */
export function noting<At, Piece>(req: EdgeRequest, next: (at: At) => Promise<Piece>): (at: At) => Promise<Piece> {
  return (at) =>
    next(at).catch((error: unknown) => {
      const exchange = exchangeOf(req);
      exchange.brokenOffWith = toHttpError(error, exchange.route?.action).status;
      throw error;
    });
}
