import { once } from "node:events";
import { mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import { startNode, type RunningNode } from "../../bin/node.ts";
import { withSocketAddress } from "@partline/moleculer-kit";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Repl {
  child: ChildProcess;
  /** All that it has printed. */
  told(): string;
}

describe("The REPL, beside a system without NATS", () => {
  let node: RunningNode | undefined;
  const children: ChildProcess[] = [];
  afterEach(async () => {
    await node?.stop();
    node = undefined;
  });
  afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

  const start = async (dataDir: string): Promise<RunningNode> => {
    const env = {
      DATA_DIR: dataDir,
      SERVICES: "cart,order,eventstore,http:cart",
      CART_PORT: String(await freePorts(1)),
    };
    return (node = await startNode(testSettings(env)));
  };
  const freshDir = () => mkdtempSync(join(tmpdir(), "partline-repl-"));
  const open = (dataDir: string, settings: Record<string, string> = {}): Repl => {
    const env = {
      ...CHILD_ENVIRONMENT,
      HOME: dataDir,
      DATA_DIR: dataDir,
      LOG_LEVEL: "fatal",
      SERVICES: "http:cart",
      ...settings,
    };
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "bin/repl.ts"], { cwd: ROOT, env });
    children.push(child);
    let told = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (told += text.toString()));
    return { child, told: () => told };
  };
  const piped = async (dataDir: string, ...lines: string[]): Promise<string> => {
    const { child, told } = open(dataDir);
    const closed = once(child, "close");
    child.stdin!.end(lines.map((line) => `${line}\n`).join(""));
    expect([await closed, told()]).toEqual([[0, null], expect.any(String)]);
    return told();
  };

  it("joins it, answers the lines of a pipe one after another, and leaves it running", async () => {
    const dataDir = freshDir();
    const { broker } = await start(dataDir);
    expect(statSync(join(dataDir, "repl.sock")).mode & 0o777).toBe(0o600);
    const shown = await piped(
      dataDir,
      "cluster nodes",
      "orders find ORD-1",
      "orders show ORD-20200101-000001",
      "jobs list",
      "services",
    );
    const places = [
      broker.nodeID,
      "\n0 of 0\n",
      "No order has the number ORD-20200101-000001.",
      "No node runs the pipeline service; cluster nodes lists what runs",
      "http-cart",
    ].map((text) => shown.indexOf(text));
    expect([places.includes(-1), places.toSorted((a, b) => a - b)]).toEqual([false, places]);
    expect(await broker.call("$node.list")).toHaveLength(1);
  }, 60_000);

  it("joins one whose DATA_DIR has a longer path than a socket may have, several at once", async () => {
    const dataDir = join(freshDir(), "a-directory-of-a-long-name".repeat(7));
    mkdirSync(dataDir);
    const { broker } = await start(dataDir);
    const shown = await Promise.all([piped(dataDir, "cluster nodes"), piped(dataDir, "cluster nodes")]);
    expect(shown).toEqual([expect.stringContaining(broker.nodeID), expect.stringContaining(broker.nodeID)]);
  }, 60_000);

  it("ends with it", async () => {
    const dataDir = freshDir();
    const { stop } = await start(dataDir);
    const { child, told } = open(dataDir);
    await eventually(() => told().includes("mol $"), 30_000);
    const closed = once(child, "close");
    await stop();
    expect(await closed).toEqual([1, null]);
    expect(told()).toContain("The process that this REPL joined has ended.");
  }, 60_000);

  it("does not wait in a stop for one that never closes its side", async () => {
    const dataDir = freshDir();
    const { stop } = await start(dataDir);
    const suspended = withSocketAddress(dataDir, (path) => connect({ path, allowHalfOpen: true }));
    await once(suspended, "connect");
    await stop();
    suspended.destroy();
  }, 60_000);

  it("finds the socket that a killed process left stale, as the next process does", async () => {
    const dataDir = freshDir();
    const listenAndDie =
      'require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
    expect(spawnSync(process.execPath, ["-e", listenAndDie, join(dataDir, "repl.sock")]).signal).toBe("SIGKILL");
    expect(statSync(join(dataDir, "repl.sock")).isSocket()).toBe(true);
    // Nobody runs, so the REPL begins to be a system of its own.
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const alone = open(dataDir, { CART_PORT: String((taken.address() as AddressInfo).port) });
    expect(await once(alone.child, "close")).toEqual([1, null]);
    expect(alone.told()).toMatch(/^Partline did not start\.\nCART_PORT \d+ is taken\n/);
    taken.close();
    const { broker } = await start(dataDir);
    expect(await piped(dataDir, "cluster nodes")).toContain(broker.nodeID);
  }, 60_000);

  it("leaves a process standing that is sent what is no packet, and one that cannot listen starts all the same", async () => {
    const dataDir = freshDir();
    await start(dataDir);
    const socket = withSocketAddress(dataDir, (path) => connect({ path }));
    socket.write("REQ nonsense\n");
    await once(socket, "close");
    expect(await piped(dataDir, "orders find ORD-1")).toContain("0 of 0");
    await node!.stop();
    mkdirSync(join(dataDir, "repl.sock"));
    writeFileSync(join(dataDir, "repl.sock/in-the-way"), "");
    await start(dataDir);
  }, 60_000);
});
