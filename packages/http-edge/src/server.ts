import { randomUUID } from "node:crypto";
import { createServer, STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { CodedError, boundConnections, getFrom, withTimeout } from "@partline/toolkit";
import { EdgeRequest } from "./edge-request.ts";
import { limitUnanswered, type Unanswered } from "./unanswered.ts";

/** Bytes of a head. A search may have 10 kB of text, percent-encoded three times as much. */
const LONGEST_HEAD_BYTES = 48 * 1_024;

/** Time in a drain for a first request, and for streams that are cut off to end; milliseconds. */
const LAST_WORDS_MS = 500;

class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  readonly code = "PORT_TAKEN";
}

interface EdgeServerOptions {
  host: string;
  port: number;
  setting: string;
  /** The process leaves: it still listens, but closes connections with their answers. */
  isLeaving?: () => boolean;
  handler: (req: EdgeRequest, res: ServerResponse) => void;
  /** Logs refused connections, once a minute at most. */
  warn?: (message: string) => void;
}

export type EdgeServer = ReturnType<typeof createEdgeServer>;

interface Connection {
  unanswered: Unanswered;
  latest?: ServerResponse;
  /** The only one whose body can be incomplete. */
  lastRequest?: EdgeRequest;
}

export function createEdgeServer({ host, port, setting, isLeaving, handler, warn }: EdgeServerOptions) {
  let draining = false;
  // By connection: a Set that changes with each request leaves V8 a chain of outgrown tables, which slow down all but
  // the full collections.
  const connections = new Map<Socket, Connection>();
  const answer = (req: EdgeRequest, res: ServerResponse): void => {
    if (draining || isLeaving?.()) res.shouldKeepAlive = false;
    const { socket } = req;
    const connection = getFrom(connections, socket);
    connection.latest = res;
    connection.lastRequest = req;
    connection.unanswered.add(() => {
      res.on("close", () => {
        if (connection.latest === res) {
          connection.latest = undefined;
          // A head written before the drain says that the connection goes on.
          if (draining && socket.writable) closeLingering(socket);
        }
        connection.unanswered.finish();
      });
      handler(req, res);
    });
  };
  const server = createServer(
    {
      IncomingMessage: EdgeRequest,
      // The edge answers a request without one from the catalogue.
      requireHostHeader: false,
      // Longer than the idle time of usual load balancers (60 s), so that they close connections first.
      keepAliveTimeout: 65_000,
      headersTimeout: 15_000,
      maxHeaderSize: LONGEST_HEAD_BYTES,
      // Bodies have their own limits: a time for short ones, a silence for streams.
      requestTimeout: 0,
      connectionsCheckingInterval: 5_000,
    },
    answer,
  );
  // An unknown expectation is ignored (RFC 9110, 10.1.1); Node would send a bare 417.
  server.on("checkExpectation", answer);
  boundConnections(server, warn);
  server.on("connection", (socket: Socket) => {
    const connection: Connection = { unanswered: limitUnanswered(socket) };
    connections.set(socket, connection);
    socket.on("close", () => {
      connections.delete(socket);
      // Node forgets a request once it is answered: readers of its body and its timers would wait for ever.
      if (connection.lastRequest?.complete === false) connection.lastRequest.destroy(createConnectionLostError());
    });
  });
  server.on("clientError", answerMalformed);
  return {
    /** @throws PortTakenError */
    listen: () =>
      new Promise<void>((resolve, reject) => {
        server.once("error", (error: NodeJS.ErrnoException) => {
          const { code, message } = error;
          const unusable = `${setting} ${port} on HOST ${host} cannot be listened on (${code ?? message})`;
          reject(
            code === "EADDRINUSE"
              ? new PortTakenError(`${setting} ${port} is taken`, { cause: error })
              : new Error(unusable, { cause: error }),
          );
        });
        server.listen(port, host, resolve);
      }),
    /**
     * Takes no new connection and resolves when every begun request is answered. After `timeoutMs` the rest is cut off,
     * a moment after `beforeCut`.
     */
    async drain(timeoutMs: number, beforeCut?: () => void): Promise<void> {
      draining = true;
      // Closes connections with the answer instead of leaving them idle.
      for (const { latest } of connections.values()) if (latest) latest.shouldKeepAlive = false;
      if (!server.listening) return;
      // By then, finished answers are written and their connections idle.
      await turn();
      const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
      server.closeIdleConnections();
      if (await withTimeout(closed, LAST_WORDS_MS, () => false)) return;
      // Browsers open connections in advance, which Node does not count as idle.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
      if (await withTimeout(closed, timeoutMs - LAST_WORDS_MS, () => false)) return;
      beforeCut?.();
      await withTimeout(closed, LAST_WORDS_MS, cutOff);
      await closed;
    },
  };

  function cutOff(): void {
    for (const { latest } of connections.values()) {
      const req = latest?.req as EdgeRequest | undefined;
      if (!req?.exchange) continue;
      req.exchange.brokenOffWith = 503;
      // Who reads its body would take the client for gone. Nobody may read it yet.
      const stopped = "The server stopped before the end of the body: send it again";
      if (!req.complete) req.on("error", () => undefined).destroy(new CodedError("SERVICE_UNAVAILABLE", stopped));
    }
    server.closeAllConnections();
  }
}

/** Like that of a request which Node ends. */
function createConnectionLostError(): Error {
  return Object.assign(new Error("aborted"), { code: "ECONNRESET" });
}

/** Answers a request that Node's parser refuses, and closes the connection. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = describeMalformed(error.code);
  const body = JSON.stringify({ success: false, error: { code, message } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  closeLingering(socket);
}

function describeMalformed(cause: string | undefined): [status: number, code: string, message: string] {
  if (cause === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "TIMEOUT", "The request did not arrive in time"];
  const message =
    cause === "HPE_HEADER_OVERFLOW"
      ? `The URL and the headers are longer than ${LONGEST_HEAD_BYTES} bytes`
      : "The request is not valid HTTP";
  return [400, "VALIDATION_FAILED", message];
}

const LINGER_MS = 5_000;

/**
 * Ends a connection after its answer, but reads on for a while: reset while the client sends, the answer would be lost.
 */
function closeLingering(socket: Socket): void {
  // Node's parser no longer reads it.
  socket
    .removeAllListeners("data")
    .on("data", () => undefined)
    .resume()
    .end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}
