import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import { createPoster } from "../../services/webhook/post.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { server, sockets, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function poster(options: Partial<Parameters<typeof createPoster>[0]> = {}) {
  const made = createPoster({ production: false, userAgent: "Partline/test", ...options });
  open.push(() => Promise.resolve(made.close()));
  return (url: string) => made.post(url, {}, "{}", new AbortController().signal);
}

it("takes a 200 that comes too late for a failure", async () => {
  const { url } = await serve((_req, res) => void setTimeout(() => res.writeHead(200).end(), 500));
  const outcome = await poster({ longestMs: 100 })(url);
  expect(outcome).toMatchObject({ outcome: "failed", reason: "No whole answer within 0.1 s" });
  expect(outcome.status).toBeUndefined();
});

it("takes an answer that never ends for a failure", async () => {
  const { url } = await serve((_req, res) => void res.writeHead(200).write("a"));
  expect(await poster({ longestMs: 200 })(url)).toMatchObject({ outcome: "failed" });
});

it("follows no redirect", async () => {
  let asked = 0;
  const other = await serve((_req, res) => {
    asked += 1;
    res.writeHead(200).end();
  });
  const { url } = await serve((_req, res) => res.writeHead(307, { Location: other.url }).end());
  expect(await poster()(url)).toMatchObject({
    outcome: "failed",
    status: 307,
    reason: expect.stringMatching(/redirect/),
  });
  expect(asked).toBe(0);
});

it("cuts off an answer of a gigabyte at 64 kB, and keeps 4 kB", async () => {
  let written = 0;
  const { url } = await serve((_req, res) => {
    const chunk = Buffer.alloc(64 * 1024, "a");
    res.writeHead(200, { "Content-Length": String(1024 ** 3) });
    const more = (): void => {
      while (!res.destroyed && written < 1024 ** 3) {
        written += chunk.length;
        if (!res.write(chunk)) return void res.once("drain", more);
      }
    };
    more();
  });
  const outcome = await poster()(url);
  expect(outcome).toMatchObject({ outcome: "delivered", status: 200, answer: "a".repeat(4_096) });
  expect(written).toBeLessThan(32 * 1024 * 1024);
});

it("takes a connection that closes at once for a failure", async () => {
  const { url } = await serve((req) => req.socket.destroy());
  expect(await poster()(url)).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/No answer/) });
});

it("takes an answer that switches protocols for a failure", async () => {
  const { url } = await serve((req) => {
    req.socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
  });
  expect(await poster()(url)).toMatchObject({ outcome: "failed", status: 101 });
});

it("sends again on a new connection if the receiver closes an idle one", async () => {
  let closes = false;
  const { url, sockets } = await serve((req, res) => {
    if (closes && sockets.size === 1) req.socket.resetAndDestroy();
    else res.writeHead(200).end();
  });
  const post = poster();
  expect(await post(url)).toMatchObject({ outcome: "delivered" });
  closes = true;
  expect(await post(url)).toMatchObject({ outcome: "delivered" });
  expect(sockets.size).toBe(2);
});

it("checks the address at connecting: a name may resolve elsewhere later", async () => {
  const { server, url } = await serve((_req, res) => res.writeHead(200).end());
  const { port } = new URL(url);
  let address = "127.0.0.1";
  const post = poster({ resolve: (_host, _options, callback) => callback(null, [{ address, family: 4 }]) });
  expect(await post(`http://erp.example:${port}/`)).toMatchObject({ outcome: "delivered" });
  // The connection that is open was checked; the next one is again.
  address = "169.254.169.254";
  server.closeAllConnections();
  expect(await post(`http://erp.example:${port}/`)).toMatchObject({
    outcome: "failed",
    reason: "The address 169.254.169.254 is not public",
  });
});

it("sends nothing to this machine in production, under any name that resolves to it", async () => {
  let asked = 0;
  const { url } = await serve((_req, res) => {
    asked += 1;
    res.writeHead(200).end();
  });
  const post = poster({
    production: true,
    resolve: (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  expect(await post(url)).toMatchObject({ outcome: "failed" });
  expect(await post(`https://erp.example:${new URL(url).port}/`)).toMatchObject({
    reason: "The address 127.0.0.1 is not public",
  });
  expect(asked).toBe(0);
});
