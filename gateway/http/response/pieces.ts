import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ExportPage } from "../../../broker/contract/export-page.ts";
import type { FileAnswer } from "../../../broker/contract/file.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { toHttpError } from "../errors.ts";
import { type EdgeRequest, getCommonHeaders, varyHeader } from "@partline/http-edge";
import { getExchange } from "../exchange.ts";

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
  const exchange = getExchange(req);
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
    ...getCommonHeaders(req),
    ...varyHeader(req, vary),
  });
  if (body === null || from + body.length > to) {
    res.end(body ?? undefined);
    return;
  }
  await writeAsTaken(res, streamPieces(body, answer, noteErrors(req, next)));
}

async function* streamPieces(first: Buffer, { from, to, etag }: FileAnswer, next: NextPiece): AsyncGenerator<Buffer> {
  yield first;
  for (let position = from + first.length; position <= to;) {
    const piece = await next({ from: position, to, etag });
    if (piece.length === 0) throw new Error("A piece of a file is empty");
    yield piece;
    position += piece.length;
  }
}

export type NextPage = (position: string) => Promise<ExportPage>;

/**
 * Writes an answer of any length as the client takes it; the next page is read meanwhile. @throws what `next` throws
 */
export async function sendPages(
  req: EdgeRequest,
  res: ServerResponse,
  first: ExportPage,
  next: NextPage,
): Promise<void> {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(200, {
    "Content-Type": first.type,
    "Content-Disposition": `attachment; filename="${first.name}"`,
    "Cache-Control": "no-store",
    ...getCommonHeaders(req),
  });
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  await writeAsTaken(res, streamTexts(first, noteErrors(req, next)));
}

async function* streamTexts(first: ExportPage, next: NextPage): AsyncGenerator<string> {
  for (let page = first; ;) {
    const following = page.next === null ? undefined : next(page.next);
    // Until it is awaited, nobody hears of a failure.
    following?.catch(() => undefined);
    if (page.text !== "") yield page.text;
    if (!following) return;
    page = await following;
  }
}

const SILENCE_MS = 60_000;

/**
 * Writes a body as the client takes it. A client that leaves or stalls ends it; a missing piece cuts the connection,
 * since the status is sent.
 */
async function writeAsTaken(res: ServerResponse, pieces: AsyncIterable<Buffer | string>): Promise<void> {
  res.setTimeout(SILENCE_MS, () => res.destroy());
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

/** Notes an error of `next` before it cuts the connection: all other cuts are the client's. */
function noteErrors<At, Piece>(req: EdgeRequest, next: (at: At) => Promise<Piece>): (at: At) => Promise<Piece> {
  return (position) =>
    next(position).catch((error: unknown) => {
      const exchange = getExchange(req);
      exchange.brokenOffWith = toHttpError(error, exchange.route?.action).status;
      throw error;
    });
}
