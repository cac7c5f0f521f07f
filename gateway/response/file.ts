import type { ServerResponse } from "node:http";
import type { FileAnswer } from "../../broker/contract/file.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";
import { noting, writeAsTaken } from "./taken.ts";

/** Returns the bytes from `from` to at most `to`, if the file still has this tag. */
export type NextPiece = (piece: { from: number; to: number; etag: string }) => Promise<Buffer>;

/**
 * Writes a file as the client takes it.
 * @throws RANGE_NOT_SATISFIABLE and PRECONDITION_FAILED before anything is written, and what `next` throws
 */
export async function sendFile(
  req: EdgeRequest,
  res: ServerResponse,
  answer: FileAnswer,
  next: NextPiece,
): Promise<void> {
  const { status, type, etag, bytes, from, to, cacheControl, vary, disposition, policy, body } = answer;
  const exchange = exchangeOf(req);
  if (status === 416) {
    exchange.headers["Content-Range"] = `bytes */${bytes}`;
    throw new PartlineError("RANGE_NOT_SATISFIABLE", `The file has ${bytes} bytes`);
  }
  if (status === 412) throw new PartlineError("PRECONDITION_FAILED", "The file has another ETag than If-Match names");
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, {
    ...(status === 304 ? {} : { "Content-Type": type, "Content-Length": to - from + 1, "Accept-Ranges": "bytes" }),
    ...(status === 206 ? { "Content-Range": `bytes ${from}-${to}/${bytes}` } : {}),
    ETag: etag,
    "Cache-Control": cacheControl,
    ...(disposition === undefined ? {} : { "Content-Disposition": disposition }),
    ...(policy === undefined ? {} : { "Content-Security-Policy": policy }),
    "X-Request-Id": exchange.requestId,
    "X-Content-Type-Options": "nosniff",
    ...exchange.headers,
    ...(vary === null ? {} : { Vary: [vary, exchange.headers.Vary].filter(Boolean).join(", ") }),
  });
  if (body === null || from + body.length > to) {
    res.end(body ?? undefined);
    return;
  }
  await writeAsTaken(res, piecesFrom(body, answer, noting(req, next)));
}

async function* piecesFrom(first: Buffer, { from, to, etag }: FileAnswer, next: NextPiece): AsyncGenerator<Buffer> {
  yield first;
  for (let at = from + first.length; at <= to;) {
    const piece = await next({ from: at, to, etag });
    if (piece.length === 0) throw new Error("A piece of a file is empty");
    yield piece;
    at += piece.length;
  }
}
