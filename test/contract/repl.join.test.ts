import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER, startOwnNats, type OwnNats } from "../support/nats-server.ts";
import { freePorts } from "../support/ports.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ADMIN_TOKEN = "t";

interface Running {
  child: ChildProcess;
  /** All that it has printed. */
  told(): string;
}

(NATS_SERVER ? describe : describe.skip)("The REPL, joined to a system", () => {
  let nats: OwnNats;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    nats = await startOwnNats();
  });
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await nats.stop();
  });

  const run = (args: string[], env: Record<string, string>): Running => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...NODE_ENVIRONMENT, ...CHILD_ENVIRONMENT, ADMIN_TOKEN, NATS_URL: nats.url, ...env },
    });
    children.push(child);
    let told = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (told += text.toString()));
    return { child, told: () => told };
  };
  const printed = async ({ child, told }: Running, text: string): Promise<void> => {
    await eventually(() => told().includes(text) || child.exitCode !== null, 60_000);
    expect([child.exitCode, told()]).toEqual([null, expect.stringContaining(text)]);
  };
  /** As docs/operations.md opens it in a container, beside a process with the same settings. */
  const openRepl = async (env: Record<string, string> = {}): Promise<Running> => {
    const repl = run(["--disable-warning=ExperimentalWarning", "bin/repl.ts"], {
      DATA_DIR: "/nowhere/at/all",
      SERVICES: "",
      ...env,
    });
    await printed(repl, "mol $");
    return repl;
  };

  test("leaves the ports alone of the process that it stands beside", async () => {
    const beside = createServer().listen(0, "127.0.0.1");
    await once(beside, "listening");
    try {
      const { child } = await openRepl({ HEALTH_PORT: String((beside.address() as AddressInfo).port) });
      const exited = once(child, "exit");
      child.stdin!.write("exit\n");
      expect(await exited).toEqual([0, null]);
    } finally {
      beside.close();
    }
  });

  test("ends a process that it drains, and no other", async () => {
    const port = await freePorts(2);
    const start = (entry: "catalog" | "cart", at: number): Running =>
      run([...NODE_FLAGS, "bin/start.ts"], {
        DATA_DIR: mkdtempSync(join(tmpdir(), "partline-drain-")),
        LOG_LEVEL: "warn",
        SERVICES: `http:${entry}`,
        [`${entry.toUpperCase()}_PORT`]: String(at),
      });
    const [drained, kept] = [start("catalog", port), start("cart", port + 1)];
    await Promise.all([drained, kept].map((each) => printed(each, "is ready after")));
    const {
      child: { stdin },
      told,
    } = await openRepl();
    const nodeID = /\(node (\S+),/.exec(drained.told())![1]!;
    // It hears of the others in their own time.
    await eventually(() => {
      stdin!.write("cluster nodes\n");
      return told().includes(nodeID);
    }, 30_000);
    const exited = once(drained.child, "exit");
    stdin!.write(`cluster drain ${nodeID}\n`);
    expect(await exited).toEqual([0, null]);
    expect(told()).toMatch(/draining: it finishes its work/);
    const status = (at: number) =>
      fetch(`http://127.0.0.1:${at}/health/live`).then(
        (answer) => answer.status,
        () => "nobody",
      );
    expect(await Promise.all([status(port), status(port + 1)])).toEqual(["nobody", 200]);
    expect(kept.child.exitCode).toBe(null);
  }, 120_000);
});
