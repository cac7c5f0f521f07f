import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { EdgeRequest, limitRest, limitSilence, readBody } from "@partline/http-edge";
import { sendError } from "../../../gateway/http/response/error.ts";

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server?.close(resolve));
});

/** Sends the start of a request, and gives what becomes of it at the other end. */
async function begin<T>(
  head: string,
  work: (req: IncomingMessage) => Promise<T>,
): Promise<{ socket: Socket; outcome: Promise<T> }> {
  let settle: (value: Promise<T>) => void;
  const outcome = new Promise<T>((resolve) => (settle = resolve));
  server = createServer((req, res) => {
    const result = work(req);
    settle(result);
    result.then(
      () => res.end(),
      () => res.destroy(),
    );
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write(head);
  return { socket, outcome };
}

const HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n";

test("a body that does not arrive in time is given up", async () => {
  const { outcome } = await begin(`${HEAD}12345`, (req) => readBody(req, { bytes: 100, milliseconds: 50 }));
  await expect(outcome).rejects.toMatchObject({ code: "TIMEOUT" });
});

test.each<[string, (req: EdgeRequest) => Promise<unknown>]>([
  ["does not arrive in time", (req) => readBody(req, { bytes: 100, milliseconds: 50 })],
  [
    "stops arriving",
    async (req) => {
      limitSilence(req, 50);
      for await (const _ of req);
    },
  ],
])("a body that %s ends its connection with an answer", async (_, work) => {
  server = createServer({ IncomingMessage: EdgeRequest }, (req, res) => {
    req.exchange = { requestId: "1", startedAt: 0, path: "/", query: "", routeLabel: "/", pathValues: [], headers: {} };
    work(req).catch((error: unknown) => sendError(req, res, error, console));
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  sockets.push(socket);
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(`${HEAD}12345`);
  await once(socket, "end");
  expect(answer).toMatch(/^HTTP\/1\.1 504 .*\r\nConnection: close\r\n/s);
  expect(await new Promise((resolve) => server!.getConnections((_error, count) => resolve(count)))).toBe(0);
});

test("a body whose sender hangs up is nobody's error", async () => {
  const { socket, outcome } = await begin(`${HEAD}12345`, (req) => readBody(req, { bytes: 100, milliseconds: 5_000 }));
  socket.write("6", () => socket.destroy());
  await expect(outcome).rejects.toMatchObject({ name: "ClientGoneError" });
});

test("a body whose sender hung up before it was looked at is not waited for, and watched by nothing", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((type) => type === "Timeout").length;
  const { socket, outcome } = await begin(`${HEAD}12345`, async (req) => {
    const before = timers();
    await new Promise((resolve) => req.on("error", () => undefined).on("close", resolve));
    limitSilence(req, 60_000);
    const failure = await readBody(req, { bytes: 100, milliseconds: 60_000 }).catch((error: unknown) => error);
    return { failure, left: timers() - before };
  });
  socket.write("6", () => socket.destroy());
  expect(await outcome).toMatchObject({ failure: { name: "ClientGoneError" }, left: 0 });
});

test("a body that comes byte by byte ends its connection some time after the answer, and one that is whole by then does not", async () => {
  const { socket, outcome } = await begin(`${HEAD}1`, async (req) => limitRest(req, 300));
  await outcome;
  const answered = performance.now();
  const drip = setInterval(() => socket.write("2"), 50);
  await once(socket.resume(), "close");
  clearInterval(drip);
  expect(performance.now() - answered).toBeGreaterThan(250);
  await new Promise((resolve) => server!.close(resolve));

  const whole = await begin(`${HEAD}1`, async (req) => limitRest(req, 300));
  await whole.outcome;
  whole.socket.write("234567890");
  // The next one is answered on the same connection, long after the first's time.
  setTimeout(() => whole.socket.write(`${HEAD}1234567890`), 600);
  let text = "";
  whole.socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  await eventually(() => text.split("HTTP/1.1 200").length === 3);
});

test("a body arrives in pieces and is whole", async () => {
  const { socket, outcome } = await begin(`${HEAD}12345`, (req) => readBody(req, { bytes: 10, milliseconds: 5_000 }));
  socket.write("67890");
  expect((await outcome).toString()).toBe("1234567890");
});

test("a stream whose sender falls silent ends with an error, one that is read slowly does not", async () => {
  const read = async (req: IncomingMessage, pause: number): Promise<number> => {
    limitSilence(req, 60);
    let bytes = 0;
    for await (const chunk of req as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return bytes;
  };
  const silent = await begin(`${HEAD}12345`, (req) => read(req, 0));
  await expect(silent.outcome).rejects.toMatchObject({ code: "TIMEOUT" });
  await new Promise((resolve) => server?.close(resolve));
  const slow = await begin(`${HEAD}1234567890`, (req) => read(req, 200));
  expect(await slow.outcome).toBe(10);
});

test("a stream that waits for its turn with little in it, and more to come, ends as well when its sender is silent", async () => {
  const { outcome } = await begin(`${HEAD}12345`, async (req) => {
    limitSilence(req, 60);
    return once(req, "close");
  });
  await expect(outcome).rejects.toMatchObject({ code: "TIMEOUT" });
});
