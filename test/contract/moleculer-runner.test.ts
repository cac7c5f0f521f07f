import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";

const RUNNER = "node_modules/moleculer/bin/moleculer-runner.mjs";

test("Moleculer's own runner starts and stops the node that npm start does", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "runner-"));
  const port = await freePorts(1);
  const child = spawn(process.execPath, ["--no-warnings", RUNNER, "--config", "moleculer.config.ts"], {
    env: { ...CHILD_ENVIRONMENT, DATA_DIR: dataDir, SERVICES: "cart,http:cart", CART_PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${port}/health`;
  await eventually(async () => (await fetch(url).catch(() => undefined))?.status === 200, 50_000);
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow();
  await rm(dataDir, { recursive: true });
}, 70_000);
