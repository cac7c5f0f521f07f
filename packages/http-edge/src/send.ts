import type { ServerResponse } from "node:http";
import { stringifyJson } from "@partline/toolkit";
import { isMuchUnread, limitRest } from "./body.ts";
import { getExchange, type EdgeRequest } from "./edge-request.ts";

export interface Payload {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Readonly<Record<string, string | string[]>>;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** Writes a whole answer, uncached unless the payload says otherwise. */
export function send(req: EdgeRequest, res: ServerResponse, { status, type, body, headers }: Payload): void {
  if (res.headersSent || res.destroyed) return;
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  endBody(req, res);
  res.writeHead(status, {
    ...(status === 304 ? {} : { "Content-Type": type, "Content-Length": bytes }),
    "Cache-Control": "no-store",
    ...getCommonHeaders(req),
    ...headers,
    ...varyHeader(req, headers?.Vary),
  });
  // ASCII is the same in both, and as Latin-1 Node writes it at once, without a copy of three times its length.
  writeTogether(res, req.method === "HEAD" ? undefined : body, bytes === body.length ? "latin1" : "utf8");
}

export function sendJson(
  req: EdgeRequest,
  res: ServerResponse,
  status: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): void {
  send(req, res, { status, type: JSON_TYPE, body: stringifyJson(value), headers });
}

export function sendNothing(req: EdgeRequest, res: ServerResponse, headers: Record<string, string>): void {
  const exchange = getExchange(req);
  endBody(req, res);
  res.writeHead(204, { "X-Request-Id": exchange.requestId, ...exchange.headers, ...headers });
  res.end();
}

/** Headers of every answer with content. */
export function getCommonHeaders(req: EdgeRequest): Record<string, string> {
  const { requestId, headers } = getExchange(req);
  return { "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff", ...headers };
}

/** The request headers on which an answer depends, beside those that the edge itself looked at. */
export function varyHeader(req: EdgeRequest, names: string | readonly string[] | null = null): { Vary?: string } {
  const headerNames = [names ?? [], getExchange(req).headers.Vary ?? []].flat();
  return headerNames.length > 0 ? { Vary: headerNames.join(", ") } : {};
}

/** A connection with much unread is closed. */
function endBody(req: EdgeRequest, res: ServerResponse): void {
  if (isMuchUnread(req)) res.shouldKeepAlive = false;
  else limitRest(req);
}

type Unwritten = [res: ServerResponse, body: string | Buffer | undefined, encoding: "latin1" | "utf8"];

let unwritten: Unwritten[] = [];

/**
 * Writes the answers of one turn of the event loop together. Waking the reading process, such as a local proxy, is the
 * expensive part of a write: 50 connections get half as many requests again; a single one waits about 10 microseconds
 * longer.
 */
function writeTogether(...answer: Unwritten): void {
  unwritten.push(answer);
  if (unwritten.length === 1) setImmediate(writeAll);
}

function writeAll(): void {
  const answers = unwritten;
  unwritten = [];
  for (const [res, body, encoding] of answers) res.end(body, encoding);
}
