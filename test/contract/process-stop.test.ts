import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER, startOwnNats } from "../support/nats-server.ts";
import { freePorts } from "../support/ports.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let child: ChildProcess | undefined;
afterEach(() => void child?.kill("SIGKILL"));

const BY_NODE = [process.execPath, ...NODE_FLAGS, "bin/start.ts"];
const HAS_NPM = spawnSync("npm", ["--version"]).status === 0;

/** Runs bin/start.ts, or what starts it, until what it prints, or its port, says that it is where a test wants it. */
async function start(
  env: Record<string, string>,
  isThere: (printed: string) => Promise<boolean> | boolean,
  [command, ...args] = BY_NODE,
): Promise<ChildProcess> {
  const running = spawn(command!, args, {
    cwd: ROOT,
    env: {
      ...NODE_ENVIRONMENT,
      ...CHILD_ENVIRONMENT,
      DATA_DIR: mkdtempSync(join(tmpdir(), "partline-stop-")),
      LOG_LEVEL: "warn",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = running;
  let printed = "";
  for (const stream of [running.stdout, running.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await eventually(async () => {
    if (running.exitCode !== null) throw new Error(printed);
    return isThere(printed);
  }, 60_000);
  return running;
}

test("a process that drains ends at once at a second signal, but not by the same signal passed on twice", async () => {
  const running = await start(
    { SERVICES: "catalog,http:catalog", CATALOG_PORT: String(await freePorts(1)), DRAIN_SECONDS: "30" },
    (printed) => printed.includes("is ready after"),
  );
  const toldAt = performance.now();
  await eventually(() => {
    running.kill("SIGTERM");
    return running.exitCode !== null;
  });
  expect(running.exitCode).toBe(1);
  expect(performance.now() - toldAt).toBeGreaterThan(1_000);
}, 90_000);

test("a process that is asked to stop says so, and that it has stopped", async () => {
  let printed = "";
  const settings = { SERVICES: "cart,http:cart", CART_PORT: String(await freePorts(1)) };
  const running = await start(settings, (sofar) => (printed = sofar).includes("is ready after"));
  running.stdout!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const closed = once(running, "close");
  running.kill("SIGINT");
  expect(await closed).toEqual([0, null]);
  expect(printed).toMatch(/\nPartline is stopping: it finishes what it has begun\. [^\n]+\nPartline has stopped\.\n$/);
}, 90_000);

test("a process whose terminal closes stops as after a signal", async () => {
  const port = await freePorts(1);
  const running = await start({ SERVICES: "cart,http:cart", CART_PORT: String(port), DRAIN_SECONDS: "5" }, (printed) =>
    printed.includes("is ready after"),
  );
  const exited = once(running, "exit");
  running.stdout!.destroy();
  running.stderr!.destroy();
  running.kill("SIGHUP");
  // It says first that it leaves, and listens on.
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 503);
  expect(await exited).toEqual([0, null]);
}, 90_000);

(NATS_SERVER ? test : test.skip)(
  "a process that is stopped before it is ready, and serves already, finishes what it has begun",
  async () => {
    const nats = await startOwnNats({ nodes: 2 });
    const port = await freePorts(1);
    try {
      // One of two is no majority: calls come through, and the channels wait.
      await nats.kill(1);
      const running = await start(
        {
          SERVICES: "cart,http:cart",
          CART_PORT: String(port),
          ADMIN_TOKEN: "t",
          DRAIN_SECONDS: "0",
          NATS_URL: nats.url.split(",")[0]!,
        },
        async () => {
          const health = await fetch(`http://127.0.0.1:${port}/health`).then(
            (reply) => reply.json() as Promise<{ dependencies: Record<string, { status: string }> }>,
            () => undefined,
          );
          return health?.dependencies.broker?.status === "ok";
        },
      );
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(503);
      const exited = once(running, "exit");
      running.kill("SIGTERM");
      expect(await exited).toEqual([0, null]);
    } finally {
      await nats.stop();
    }
  },
  90_000,
);

(HAS_NPM ? test : test.skip)(
  "a system that npm started stops with npm",
  async () => {
    const port = await freePorts(1);
    let pid: number | undefined;
    const npm = await start(
      { SERVICES: "catalog,http:catalog", CATALOG_PORT: String(port) },
      (printed) => {
        pid = Number(/is ready after .* pid (\d+)\)/.exec(printed)?.[1]) || undefined;
        return pid !== undefined;
      },
      ["npm", "start"],
    );
    try {
      expect(pid).not.toBe(npm.pid);
      npm.kill("SIGTERM");
      await eventually(() => !isRunning(pid!));
    } finally {
      if (isRunning(pid!)) process.kill(pid!, "SIGKILL");
    }
  },
  90_000,
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
