import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let child: ChildProcess | undefined;
afterEach(() => void child?.kill("SIGKILL"));

test("a process that drains ends at once when it is told a second time, but not by the same signal passed on twice", async () => {
  const port = await freePorts(1);
  const running = spawn(process.execPath, [...NODE_FLAGS, "bin/start.ts"], {
    cwd: ROOT,
    env: {
      ...NODE_ENVIRONMENT, PATH: process.env.PATH ?? "", DATA_DIR: mkdtempSync(join(tmpdir(), "partline-stop-")), LOG_LEVEL: "warn",
      SERVICES: "catalog,http:catalog", CATALOG_PORT: String(port), DRAIN_SECONDS: "30",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = running;
  let printed = "";
  for (const stream of [running.stdout, running.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await eventually(() => {
    if (running.exitCode !== null) throw new Error(printed);
    return printed.includes("is ready after");
  }, 60_000);

  const toldAt = performance.now();
  await eventually(() => {
    running.kill("SIGTERM");
    return running.exitCode !== null;
  });
  expect(running.exitCode).toBe(1);
  expect(performance.now() - toldAt).toBeGreaterThan(1_000);
}, 90_000);
