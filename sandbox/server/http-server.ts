import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { boundConnections } from "../../mixins/connections.ts";
import { PayloadTooLargeError, readBody, RequestCutOffError } from "./body.ts";
import { isForeignPage } from "./foreign-page.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** A request. `params` are the path's named segments, percent-decoded. */
export type Exchange = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The query string as it came, without `?`. */
  rawQuery: string;
  params: Record<string, string>;
  header(name: string): string | undefined;
  remoteAddress: string;
  /** Reads the whole body, once. @throws PayloadTooLargeError */
  body(): Promise<Buffer>;
};

/** Answers a request. `"hang"` never answers. */
export type Handler = (exchange: Exchange) => Reply | "hang" | Promise<Reply | "hang">;

export type HttpServerOptions = {
  host: string;
  /** 0 takes any free port. */
  port: number;
  handler: Handler;
  /** Bytes; 1 MiB by default. */
  maxBodyBytes?: number;
  /** Receives what a handler threw; the client gets 500 without details. */
  onError?: (error: unknown) => void;
};

export type HttpServer = { url: string; port: number; close(): Promise<void> };

/** Starts listening; rejects if the port is taken. `close` ends open connections too. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer((request, response) => void serve(request, response, options));
  boundConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${reachableHost(options.host)}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, options: HttpServerOptions): Promise<void> {
  try {
    if (isForeignPage(request.headers, options.host)) {
      send(
        request,
        response,
        jsonReply(403, { error: "The sandbox answers no web page but its own, and by its own names alone" }),
      );
      return;
    }
    const reply = await options.handler(toExchange(request, options.maxBodyBytes ?? 1_048_576));
    if (reply !== "hang") send(request, response, reply);
  } catch (error) {
    if (error instanceof PayloadTooLargeError) {
      send(request, response, {
        status: 413,
        headers: { "content-type": "text/plain", connection: "close" },
        body: error.message,
      });
      return;
    }
    if (error instanceof RequestCutOffError) return;
    options.onError?.(error);
    send(request, response, { status: 500, headers: { "content-type": "text/plain" }, body: "Internal error" });
  }
}

function toExchange(request: IncomingMessage, maxBodyBytes: number): Exchange {
  const [path = "/", ...rest] = (request.url ?? "/").split("?");
  const rawQuery = rest.join("?");
  let body: Promise<Buffer> | undefined;
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(rawQuery),
    rawQuery,
    params: {},
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    remoteAddress: request.socket.remoteAddress ?? "",
    body: () => (body ??= readBody(request, maxBodyBytes)),
  };
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return;
  const body = reply.body ?? "";
  if (typeof body === "object" && Symbol.asyncIterator in body) {
    response.writeHead(reply.status, reply.headers);
    // A client may leave.
    pipeline(Readable.from(body), response).catch(() => undefined);
    return;
  }
  response.writeHead(reply.status, { "content-length": String(Buffer.byteLength(body)), ...reply.headers });
  response.end(request.method === "HEAD" ? undefined : body);
}

function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
