import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { afterEach, expect, test } from "@jest/globals";
import { createConnectionBound, computeMostConnections, NEEDED_OPEN_FILES } from "../src/connections.ts";
import { eventually } from "../../../test/support/eventually.ts";

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(bound: (server: Server) => void): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => undefined).resume());
  bound(server);
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function open(port: number, count: number): Socket[] {
  const opened = Array.from({ length: count }, () =>
    connect(port, "127.0.0.1")
      .on("error", () => undefined)
      .resume(),
  );
  clients.push(...opened);
  return opened;
}

const isOpen = (socket: Socket): boolean => socket.readyState === "open";

test("Servers share a bound of connections, each has two in any case, and what is over it is closed and logged once", async () => {
  const told: string[] = [];
  const bound = createConnectionBound(() => 5);
  const flooded = await listen((server) => bound(server, (message) => told.push(message)));
  const other = await listen(bound);
  const first = open(flooded, 9);
  await eventually(() => first.filter((socket) => socket.closed).length === 4);
  const second = open(other, 3);
  await eventually(() => second.some((socket) => socket.closed));
  expect([first.filter(isOpen).length, second.filter(isOpen).length]).toEqual([5, 2]);
  expect(told).toEqual(["A connection was refused: the process has 5 open, and takes no more than 5"]);
  // What ends makes room.
  for (const socket of first.filter(isOpen).slice(0, 3)) socket.end();
  await eventually(() => first.filter(isOpen).length === 2);
  const third = open(other, 2);
  await eventually(() => third.some((socket) => socket.closed));
  expect(third.filter(isOpen)).toHaveLength(1);
});

test("A connection that cannot be accepted is logged, and ends nothing", async () => {
  const told: string[] = [];
  const port = await listen((server) => createConnectionBound(() => 5)(server, (message) => told.push(message)));
  const exhausted = Object.assign(new Error("accept EMFILE"), { code: "EMFILE" });
  // As Node emits it when libuv has no file left to accept with.
  for (let times = 0; times < 2; times += 1) servers.at(-1)!.emit("error", exhausted);
  const [client] = open(port, 1);
  await eventually(() => isOpen(client!));
  expect(told).toEqual(["A connection could not be accepted: EMFILE"]);
});

test.each([
  [256, 64],
  [100, 0],
  [Infinity, 2_000],
])("A process that may open %s files takes %s connections", (limit, connections) => {
  expect(computeMostConnections(limit)).toBe(connections);
});

test("The limit is what the shell that started the process has set", async () => {
  const script = `import("./packages/toolkit/src/connections.ts").then(({ openFilesLimit }) => console.log(openFilesLimit()))`;
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    `ulimit -n 300; exec "$0" -e '${script}'`,
    process.execPath,
  ]);
  expect([Number(stdout), 300 < NEEDED_OPEN_FILES]).toEqual([300, true]);
});
