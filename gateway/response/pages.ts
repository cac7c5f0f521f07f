import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { toHttpError } from "../errors.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";

/** Longest that a client takes nothing, milliseconds. */
const SILENCE_MS = 60_000;

export type NextPage = (position: string) => Promise<ExportPage>;

/**
 * Writes an answer of any length page by page as the client takes it; the next page is read meanwhile. A client that
 * leaves or stalls ends it; a missing page cuts the connection, since the status is sent.
 * @throws what `next` throws
 */
export async function sendPages(
  req: EdgeRequest,
  res: ServerResponse,
  first: ExportPage,
  next: NextPage,
): Promise<void> {
  if (res.headersSent || res.destroyed) return;
  const exchange = exchangeOf(req);
  res.writeHead(200, {
    "Content-Type": first.type,
    "Content-Disposition": `attachment; filename="${first.name}"`,
    "Cache-Control": "no-store",
    "X-Request-Id": exchange.requestId,
    "X-Content-Type-Options": "nosniff",
    ...exchange.headers,
  });
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  res.setTimeout(SILENCE_MS, () => res.destroy());
  const noting: NextPage = (position) =>
    next(position).catch((error: unknown) => {
      exchange.brokenOffWith = toHttpError(error, exchange.route?.action).status;
      throw error;
    });
  try {
    await pipeline(Readable.from(textsFrom(first, noting), { objectMode: true, highWaterMark: 1 }), res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

async function* textsFrom(first: ExportPage, next: NextPage): AsyncGenerator<string> {
  for (let page = first; ;) {
    const following = page.next === null ? undefined : next(page.next);
    // It is awaited after the client has taken this page: until then, a failure has nobody who hears of it.
    following?.catch(() => undefined);
    if (page.text !== "") yield page.text;
    if (!following) return;
    page = await following;
  }
}
