import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { getRuntime } from "../../../broker/runtime.ts";
import { sendAnswerStream } from "../../../gateway/http/answer-stream.ts";
import { createEdge } from "../../../gateway/http/edge.ts";
import { createEdgeServer } from "@partline/http-edge";
import { DocumentStoreError, type DocumentStore } from "../../../packages/durable/src/document-store/port.ts";
import { streamBody } from "../../../mixins/http/request-body.ts";
import type { Route } from "../../../gateway/http/routes.ts";
import { eventually } from "../../support/eventually.ts";
import { freePorts } from "../../support/ports.ts";
import { send, startEdge, type Edge } from "./edge-client.ts";
import { heldCalls, shopService } from "./shop-contract.ts";

let edge: Edge | undefined;
afterEach(async () => {
  await edge?.stop();
  edge = undefined;
});

/** An edge of nothing but what the test gives it, on any free port. */
async function listen(over: Partial<Parameters<typeof createEdge>[0]>) {
  const port = await freePorts(1);
  const handler = createEdge({
    match: () => ({ kind: "unknown" }),
    callRoute: () => Promise.resolve(),
    pages: new Map(),
    authorizePage: () => Promise.resolve(),
    observers: [],
    logger: { error: () => undefined },
    ...over,
  });
  const server = createEdgeServer({ host: "127.0.0.1", port, setting: "PORT", handler });
  await server.listen();
  return { port, server };
}

const stopHttp = (running: Edge): Promise<void> =>
  running.broker.destroyService(running.broker.getLocalService("http-payment"));

describe("health", () => {
  test("names each dependency with its latency", async () => {
    edge = await startEdge(["payment", "media"]);
    const reply = await edge.ask("payment", "GET", "/health");
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: "ok",
      version: "0.0.0-test",
      uptime: expect.any(Number),
      dependencies: Object.fromEntries(
        ["broker", "documents", "shop"].map((name) => [name, { status: "ok", latencyMs: expect.any(Number) }]),
      ),
    });
    expect((await edge.ask("payment", "GET", "/health/live")).json).toEqual({ status: "ok" });
    const media = await edge.ask("media", "GET", "/health/ready");
    expect([media.status, Object.keys(media.json.dependencies)]).toEqual([200, ["broker", "documents"]]);
    expect((await edge.ask("payment", "HEAD", "/health")).text).toBe("");
  });

  test("is not ready while a service that it needs is missing, and says which", async () => {
    edge = await startEdge(["payment", "gateway"], { services: [] });
    const reply = await edge.ask("payment", "GET", "/health/ready");
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "1"]);
    expect(reply.json).toMatchObject({
      ready: false,
      status: "degraded",
      dependencies: { broker: { status: "ok" }, shop: { status: "error" } },
    });
    expect((await edge.ask("payment", "GET", "/health")).status).toBe(200);
    expect((await edge.ask("payment", "GET", "/health/live")).status).toBe(200);
  });

  test("asks the services of other processes whether their store answers", async () => {
    edge = await startEdge(["payment"], { transport: "fake" });
    const shop = async () => (await edge!.ask("payment", "GET", "/health/ready")).json.dependencies.shop.status;
    expect(await shop()).toBe("ok");
    const away = new DocumentStoreError("UNAVAILABLE", "The server is gone");
    const pinged = jest.spyOn(edge.documents, "ping").mockRejectedValue(away);
    expect(await shop()).toBe("error");
    pinged.mockRestore();
  });

  test("logs once that a service is gone, and once that it is there again, however many ask", async () => {
    edge = await startEdge(["payment", "gateway"], { services: [] });
    const { broker } = edge;
    const warned = jest.spyOn(broker.logger, "warn");
    const informed = jest.spyOn(broker.logger, "info");
    const probe = async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (const path of ["/health", "/health/ready", "/health/ready"]) {
        for (const entry of ["payment", "gateway"] as const)
          statuses.push((await edge!.ask(entry, "GET", path)).status);
      }
      return statuses;
    };
    for (let round = 0; round < 3; round += 1) {
      expect(await probe()).toEqual([200, 200, 503, 503, 503, 503]);
      expect(warned.mock.calls.map(String)).toEqual([expect.stringMatching(/^The service shop cannot be reached/)]);
    }
    const service = broker.createService(shopService());
    await eventually(async () => (await probe()).every((status) => status === 200));
    await probe();
    expect(informed.mock.calls.map(String).filter((line) => line.startsWith("The service"))).toEqual([
      "The service shop is there again",
    ]);
    await broker.destroyService(service);
    await probe();
    expect(warned.mock.calls.filter(([line]) => String(line).startsWith("The service shop"))).toHaveLength(2);
  });

  test("is not ready while the store does not answer, and says nothing of why", async () => {
    const broken = {
      ping: async () => Promise.reject(new DocumentStoreError("UNAVAILABLE", "mongodb://user:hunter2@db")),
    };
    edge = await startEdge(["payment"]);
    Object.assign(edge.documents, broken satisfies Partial<DocumentStore>);
    const reply = await edge.ask("payment", "GET", "/health/ready");
    expect([reply.status, reply.json.dependencies.documents.status]).toEqual([503, "error"]);
    expect(reply.text).not.toContain("hunter2");
  });
});

describe("stopping", () => {
  test("first says that it leaves: unready, it serves all the same, and each answer ends its connection", async () => {
    edge = await startEdge(["payment"]);
    getRuntime(edge.broker).draining = true;
    const ready = await edge.ask("payment", "GET", "/health/ready");
    expect([ready.status, ready.json.status]).toEqual([503, "draining"]);
    const agent = new Agent({ keepAlive: true });
    const reply = await new Promise<IncomingMessage>((resolve) =>
      get({ port: edge!.port("payment"), path: "/api/things", agent }, (incoming) => resolve(incoming.resume())),
    );
    expect([reply.statusCode, reply.headers.connection]).toEqual([200, "close"]);
  });

  test("answers what has begun, takes nothing new, and closes idle connections", async () => {
    edge = await startEdge(["payment"]);
    const running = edge;
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    const ask = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get({ port: running.port("payment"), path, agent }, (reply) =>
          reply.resume().on("end", () => resolve(reply)),
        ).on("error", reject);
      });
    const inFlight = ask("/api/held");
    const idle = await ask("/health/live");
    expect(idle.headers.connection).toBe("keep-alive");
    await eventually(() => heldCalls.begun > 0);
    const startedAt = performance.now();
    const stopped = stopHttp(running);
    await eventually(
      async () =>
        (await running.ask("payment", "GET", "/health/live").catch((error: NodeJS.ErrnoException) => error.code)) ===
        "ECONNREFUSED",
    );
    heldCalls.end.resolve();
    const reply = await inFlight;
    expect([reply.statusCode, reply.headers.connection]).toEqual([200, "close"]);
    await stopped;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(
      Object.values(agent.freeSockets)
        .flat()
        .every((socket) => socket?.destroyed),
    ).toBe(true);
  });
});

describe("a drain", () => {
  test("does not wait for connections that were opened in advance", async () => {
    edge = await startEdge(["payment"]);
    const socket = connect(edge.port("payment"), "127.0.0.1");
    await once(socket, "connect");
    const startedAt = performance.now();
    await stopHttp(edge);
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  });

  test("does not wait for the connection of an answer that had begun before, and ends", async () => {
    const port = await freePorts(1);
    const begun = Promise.withResolvers<ServerResponse>();
    const server = createEdgeServer({
      host: "127.0.0.1",
      port,
      setting: "PORT",
      handler: (_, res) => {
        res.writeHead(200).write("begun, ");
        begun.resolve(res);
      },
    });
    await server.listen();
    const agent = new Agent({ keepAlive: true });
    const [reply] = (await once(get({ port, agent }), "response")) as [IncomingMessage];
    const startedAt = performance.now();
    const drained = server.drain(8_000);
    await eventually(
      async () => (await send(port, "GET", "/").catch((error: NodeJS.ErrnoException) => error.code)) === "ECONNREFUSED",
    );
    (await begun.promise).end("ended");
    expect(await text(reply)).toBe("begun, ended");
    await drained;
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  });

  test("cuts off in the end what is not answered: a stream of events with one that says so", async () => {
    const cut = new AbortController();
    let abandoned = 0;
    const endless = Readable.from(
      (async function* () {
        yield { event: "part", data: "one" };
        await new Promise(() => undefined);
      })(),
    );
    const { port, server } = await listen({
      match: () => ({ kind: "route", route: { path: "/stream", http: { errors: "detail" } } as Route, values: [] }),
      callRoute: (req, res) =>
        sendAnswerStream(req, res, () => Promise.resolve(endless), {
          silenceMs: 60_000,
          abandon: () => (abandoned += 1),
          cut: cut.signal,
          logger: { error: () => undefined },
        }),
    });
    const reply = await fetch(`http://127.0.0.1:${port}/stream`);
    const told = reply.text();
    const startedAt = performance.now();
    await server.drain(1_000, () => cut.abort());
    expect(performance.now() - startedAt).toBeLessThan(7_000);
    expect((await told).split("\n\n")).toEqual([
      'event: part\ndata: "one"',
      'event: error\ndata: {"detail":"The server is stopping before this answer is complete. Send the request again"}',
      "",
    ]);
    expect(abandoned).toBe(1);
  });
});

describe("a request that is cut off in a drain", () => {
  test("is logged as our failure, and not as a client that left", async () => {
    const statuses: number[] = [];
    let begun = 0;
    const broken = Promise.withResolvers<unknown>();
    const { port, server } = await listen({
      match: () => ({ kind: "route", route: { path: "/held", http: {} } as Route, values: [] }),
      callRoute: (req) => {
        begun += 1;
        if (req.method === "POST") text(streamBody(req)).catch(broken.resolve);
        return new Promise(() => undefined);
      },
      observers: [(_req, status) => statuses.push(status)],
    });
    const asked = send(port, "GET", "/held").catch((error: NodeJS.ErrnoException) => error.code);
    const sending = ["POST", "PUT"].map((method) => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(`${method} /held HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf`);
      return once(socket, "close");
    });
    await eventually(() => begun === 3);
    await server.drain(600);
    expect(await asked).toBe("ECONNRESET");
    await Promise.all(sending);
    await eventually(() => statuses.length > 2);
    expect(statuses).toEqual([503, 503, 503]);
    expect(await broken.promise).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});

describe("a page that fails", () => {
  test("is another page for a person, and one error in the log", async () => {
    const errors: object[] = [];
    const { port, server } = await listen({
      appPage: {
        answer: () => Promise.reject(new TypeError("Invalid URL")),
        unavailable: (_req, status) => Promise.resolve({ status, type: "text/html", body: "It cannot be shown now" }),
      },
      logger: { error: (fields: object) => errors.push(fields) },
    });
    const failed = await send(port, "GET", "/cart");
    expect([failed.status, failed.text]).toEqual([500, "It cannot be shown now"]);
    expect(errors).toMatchObject([{ error: expect.stringContaining("Invalid URL") }]);
    expect((await send(port, "POST", "/cart")).json.error.code).toBe("METHOD_NOT_ALLOWED");
    await server.drain(0);
  });

  test("beyond its answer is cut off, and one error in the log", async () => {
    const errors: object[] = [];
    const { port, server } = await listen({
      beginSpan: ({ url }) => {
        if (url === "/cart") throw new TypeError("Nobody expected this");
        return undefined;
      },
      logger: { error: (fields: object) => errors.push(fields) },
    });
    await expect(send(port, "GET", "/cart")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(errors).toMatchObject([{ error: expect.stringContaining("Nobody expected this") }]);
    expect((await send(port, "GET", "/health")).status).toBe(404);
    await server.drain(0);
  });
});

describe("the rate limit", () => {
  test("counts by the address that actions receive, for what they share out by it", async () => {
    edge = await startEdge(["payment"], { env: { TRUSTED_PROXIES: "127.0.0.1" } });
    const reply = await edge.ask("payment", "PUT", "/api/things/special", {
      headers: { "x-forwarded-for": "203.0.113.9, 198.51.100.7" },
    });
    expect(reply.json.data).toEqual({ special: true, client: "198.51.100.7" });
  });

  test("counts by the connection's address alone, spares webhooks and health, and says when to come again", async () => {
    edge = await startEdge(["payment"], { env: { RATE_LIMIT: "5/60" } });
    const statuses: number[] = [];
    for (let index = 0; index < 7; index++) {
      const reply = await edge.ask("payment", "GET", "/api/things", {
        headers: { "x-forwarded-for": `10.0.0.${index}` },
      });
      statuses.push(reply.status);
      expect(reply.headers["ratelimit-limit"]).toBe("5");
      expect(reply.headers["ratelimit-remaining"]).toBe(String(Math.max(0, 4 - index)));
      if (reply.status !== 429) continue;
      expect(reply.json.error.code).toBe("RATE_LIMITED");
      expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(reply.headers["retry-after"])).toBeLessThanOrEqual(60);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await edge.ask("payment", "GET", "/unknown")).status).toBe(429);
    expect((await edge.ask("payment", "GET", "/health")).status).toBe(200);
    const hook = await edge.ask("payment", "POST", "/webhooks/shop", {
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(hook.status).toBe(200);
  });

  test("answers a person by a page, which leads back to where they were", async () => {
    edge = await startEdge(["shop"], { env: { RATE_LIMIT: "1/60" } });
    expect((await edge.ask("shop", "GET", "/sign-in-failed")).status).toBe(200);
    const reply = await edge.ask("shop", "GET", "/search?q=belt");
    expect([reply.status, reply.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(5);
    expect(reply.text).toContain("That was a lot of requests.");
    expect(reply.text).toMatch(/<a href="\/search\?q=belt"[^>]*>Try again<\/a>/);
    expect((await edge.ask("shop", "GET", "//evil.example/a")).text).toMatch(/<a href="\/"[^>]*>Try again<\/a>/);
    expect((await edge.ask("shop", "GET", "/api/parts")).json.error.code).toBe("RATE_LIMITED");
  });

  test("is off unless it is set", async () => {
    edge = await startEdge(["payment"]);
    const reply = await send(edge.port("payment"), "GET", "/api/things");
    expect(reply.headers).not.toHaveProperty("ratelimit-limit");
  });
});
