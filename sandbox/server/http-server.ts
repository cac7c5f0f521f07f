import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { boundConnections } from "../../mixins/connections.ts";
import { isForeignOrigin } from "../../mixins/this-machine.ts";

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

type HttpServerOptions = {
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

/** Routes by `"METHOD /path/:name"`. A key that ends in `/*` takes every path below it. */
export type Routes = Record<string, Handler>;

type Route = { method: string; segments: string[]; handler: Handler };

/**
 * Returns a handler that sends each request to the first route that matches. A path with another method is 405 with
 * `Allow`; GET's route serves HEAD; any other path goes to `notFound`.
 */
export function routeRequests(
  routes: Routes,
  notFound: Handler = () => jsonReply(404, { error: "Not found" }),
): Handler {
  const table = Object.entries(routes).map(([key, handler]): Route => {
    const [method = "", path = ""] = key.split(" ");
    return { method, segments: path.split("/"), handler };
  });
  return (exchange) => {
    const matches = table.flatMap((route) => {
      const params = matchPath(route.segments, exchange.path.split("/"));
      return params ? [{ route, params }] : [];
    });
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const match = matches.find(({ route }) => route.method === method || route.method === "*");
    if (match) return match.route.handler({ ...exchange, params: match.params });
    if (matches.length === 0) return notFound(exchange);
    return jsonReply(
      405,
      { error: "Method not allowed" },
      { allow: matches.map(({ route }) => route.method).join(", ") },
    );
  };
}

function matchPath(pattern: string[], path: string[]): Exchange["params"] | undefined {
  const open = pattern.at(-1) === "*";
  if (open ? path.length < pattern.length : path.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const given = path[index] ?? "";
    if (part === "*") return params;
    if (part.startsWith(":")) {
      const value = decodeSegment(given);
      if (!value) return undefined;
      params[part.slice(1)] = value;
    } else if (part !== given) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

export type Reply = {
  status: number;
  headers?: Record<string, string>;
  /** An iterable is streamed, and ended if the client leaves. */
  body?: string | Uint8Array | AsyncIterable<string>;
};

export function jsonReply(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Reply & { body: string } {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: `${JSON.stringify(value, null, 2)}\n`,
  };
}

export function redirectReply(location: string): Reply {
  return { status: 303, headers: { location, "cache-control": "no-store" } };
}

export class PayloadTooLargeError extends Error {
  constructor(limit: number) {
    super(`The request body is larger than ${limit} bytes`);
    this.name = "PayloadTooLargeError";
  }
}

/** The client left before it had sent everything. */
export class RequestCutOffError extends Error {
  constructor() {
    super("The request was cut off");
    this.name = "RequestCutOffError";
  }
}

/**
 * Reads a request's whole body.
 * @throws PayloadTooLargeError above `limit` bytes; RequestCutOffError if the connection ends before the body
 */
function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped: a client that is still sending would not see the answer of a closed connection.
      if (size > limit) reject(new PayloadTooLargeError(limit));
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => reject(new RequestCutOffError()));
    request.once("close", () => reject(new RequestCutOffError()));
  });
}

/**
 * Whether a request may come from a web page of another site: its Origin is another one, or its Host is a name that such
 * a page can point here (DNS rebinding). An address is not such a name, and neither is one without a dot (`localhost`, a
 * container's) or the one that the sandbox listens on.
 */
function isForeignPage({ host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">, listensOn: string): boolean {
  const name = host === undefined ? "" : (URL.parse(`http://${host}`)?.hostname ?? "");
  const own = isIP(name.replaceAll(/[[\]]/g, "")) !== 0 || /^[\w-]+$/.test(name) || name === listensOn;
  return !own || isForeignOrigin(origin, host);
}
