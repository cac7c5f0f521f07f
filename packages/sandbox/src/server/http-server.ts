import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { boundConnections, isForeignOrigin } from "@partline/toolkit";

export type Exchange = ReturnType<typeof toExchange>;

/** Answers a request. `"hang"` never answers. */
export type Handler = (exchange: Exchange) => Reply | "hang" | Promise<Reply | "hang">;

/** Address on which a server listens. */
export type Address = {
  host: string;
  /** 0 takes any free port. */
  port: number;
};

type HttpServerOptions = Address & {
  routes: Routes;
  /** Answers a path without a route. */
  notFound?: Handler;
};

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

const MAX_BODY_BYTES = 1_048_576;

/** Starts listening; rejects if the port is taken. `close` ends open connections too. */
export async function startHttpServer(options: HttpServerOptions) {
  const handler = createRouter(options);
  const server = createServer((request, response) => void serve(request, response, handler, options.host));
  boundConnections(server);
  await once(server.listen(options.port, options.host), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: toUrl(options.host, port),
    port,
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  handler: Handler,
  host: string,
): Promise<void> {
  try {
    const reply = isForeignPage(request.headers, host)
      ? createJsonReply(403, { error: "The sandbox answers no web page but its own, and by its own names alone" })
      : await handler(toExchange(request, host));
    if (reply !== "hang") send(request, response, reply);
  } catch (error) {
    // The client left before it had sent everything.
    if (request.errored) return;
    if (error instanceof Refusal) {
      send(request, response, error.reply);
      return;
    }
    process.emitWarning(error as Error);
    send(request, response, { status: 500, headers: { "content-type": "text/plain" }, body: "Internal error" });
  }
}

function toExchange(request: IncomingMessage, host: string) {
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(query.join("?")),
    /** The path's named segments, percent-decoded. */
    params: {} as Record<string, string>,
    header(name: string): string | undefined {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    /** Lower case, without parameters. */
    mediaType: request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase(),
    remoteAddress: request.socket.remoteAddress ?? "",
    url: toUrl(host, request.socket.localPort),
    /** Reads the whole body, once. @throws Refusal: 413 for one that is too large */
    body: () => readBody(request),
    form: async () => new URLSearchParams((await readBody(request)).toString("utf8")),
    /** Reads it as a JSON object, `{}` if it is empty; undefined if it is none. @throws as `body` */
    object: async () => parseObject((await readBody(request)).toString("utf8")),
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

function toUrl(host: string, port: number | undefined): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Routes by `"METHOD /path/:name"`. A key that ends in `/*` takes every path below it. */
export type Routes = Record<string, Handler>;

/** The first route that matches serves; GET's also HEAD. */
function createRouter({
  routes,
  notFound = () => createJsonReply(404, { error: "Not found" }),
}: HttpServerOptions): Handler {
  const table = Object.entries(routes).map(([key, handler]) => {
    const [method = "", path = ""] = key.split(" ");
    const pattern = path.replaceAll(".", "\\.").replaceAll(/:(\w+)/g, "(?<$1>[^/]+)");
    return { method, pattern: new RegExp(`^${pattern.replace("/*", "/.*")}$`), handler };
  });
  return (exchange) => {
    const matches = table.flatMap((route) => {
      const params = matchParams(route.pattern, exchange.path);
      return params ? [{ ...route, params }] : [];
    });
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const match = matches.find((route) => route.method === method || route.method === "*");
    if (match) return match.handler({ ...exchange, params: match.params });
    if (matches.length === 0) return notFound(exchange);
    return createJsonReply(
      405,
      { error: "Method not allowed" },
      { allow: matches.map((route) => route.method).join(", ") },
    );
  };
}

function matchParams(pattern: RegExp, path: string): Exchange["params"] | undefined {
  const match = pattern.exec(path);
  if (!match) return undefined;
  try {
    const groups = Object.entries(match.groups ?? {});
    return Object.fromEntries(groups.map(([name, segment]) => [name, decodeURIComponent(segment)]));
  } catch {
    // A segment is not percent-encoded as it must be.
    return undefined;
  }
}

export type Reply = {
  status: number;
  headers?: Record<string, string>;
  /** An iterable is streamed, and ended if the client leaves. */
  body?: string | Uint8Array | AsyncIterable<string>;
};

export function createJsonReply(
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

/** A request that a handler refuses, with its answer. */
export class Refusal extends Error {
  readonly reply: ReturnType<typeof createJsonReply>;

  constructor(status: number, body: object, message?: string) {
    super(message);
    this.reply = createJsonReply(status, body);
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped: a client that is still sending would not see the answer of a closed connection.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size <= MAX_BODY_BYTES) return Buffer.concat(chunks);
  throw new Refusal(413, { error: `The request body is larger than ${MAX_BODY_BYTES} bytes` });
}

/**
 * Returns whether a request may come from a web page of another site: its Origin is another one, or its Host is a name
 * that such a page can point here (DNS rebinding), as an address and a name without a dot (`localhost`, a container's)
 * are not.
 */
function isForeignPage({ host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">, listensOn: string): boolean {
  const name = host === undefined ? "" : (URL.parse(`http://${host}`)?.hostname ?? "");
  const isOwnHost = isIP(name.replaceAll(/[[\]]/g, "")) !== 0 || /^[\w-]+$/.test(name) || name === listensOn;
  return !isOwnHost || isForeignOrigin(origin, host);
}
