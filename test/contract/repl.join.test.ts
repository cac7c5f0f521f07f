import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { fileURLToPath } from "node:url";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER, startOwnNats } from "../support/nats-server.ts";

/** As docs/operations.md opens it in a container, beside a process with the same settings. */
(NATS_SERVER ? test : test.skip)("The REPL joins a system from beside one of its processes, whose ports it leaves alone", async () => {
  const nats = await startOwnNats();
  const beside = createServer().listen(0, "127.0.0.1");
  await once(beside, "listening");
  const repl = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", fileURLToPath(new URL("../../bin/repl.ts", import.meta.url))], {
    env: {
      PATH: process.env.PATH, DATA_DIR: "/nowhere/at/all", ADMIN_TOKEN: "t", SERVICES: "", NATS_URL: nats.url,
      HEALTH_PORT: String((beside.address() as AddressInfo).port),
    },
  });
  try {
    const exited = once(repl, "exit");
    let told = "";
    for (const stream of [repl.stdout, repl.stderr]) stream.on("data", (text: Buffer) => (told += text.toString()));
    await eventually(() => told.includes("mol $") || repl.exitCode !== null, 60_000);
    expect([repl.exitCode, told]).toEqual([null, expect.stringContaining("mol $")]);
    repl.stdin.write("exit\n");
    expect(await exited).toEqual([0, null]);
  } finally {
    repl.kill("SIGKILL");
    beside.close();
    await nats.stop();
  }
});
