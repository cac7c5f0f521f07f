import type { ServerResponse } from "node:http";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";
import { noting, writeAsTaken } from "./taken.ts";

export type NextPage = (position: string) => Promise<ExportPage>;

/**
 * Writes an answer of any length page by page as the client takes it; the next page is read meanwhile.
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
  await writeAsTaken(res, textsFrom(first, noting(req, next)));
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
