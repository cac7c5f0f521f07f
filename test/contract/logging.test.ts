import { afterEach, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openChannels, createLoggerOptions, openTasks } from "@partline/moleculer-kit";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import { defineService } from "../../broker/contract/define.ts";
import { implement } from "../../broker/contract/implement.ts";
import { createBrokerOptions } from "../../broker/options.ts";
import { attachRuntime } from "../../broker/runtime.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { eventually } from "../support/eventually.ts";
import { testSettings } from "../support/test-settings.ts";

const contract = defineService({
  name: "clerk",
  summary: "Writes lines",
  actions: {
    write: { summary: "Write", params: {}, result: { type: "any", nullable: true }, errors: [] },
    inner: { summary: "Write too", params: {}, result: { type: "any", nullable: true }, errors: [] },
    dawdle: { summary: "Take long", params: {}, result: { type: "any", nullable: true }, errors: [] },
    ponder: {
      summary: "Take long, as it may",
      params: {},
      result: { type: "any", nullable: true },
      errors: [],
      timeout: 60_000,
    },
  },
});

type Line = Record<string, unknown> & { msg: string };

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

/** A broker as the product has it, but that its lines are kept. */
async function startClerk(): Promise<{ broker: ServiceBroker; lines: Line[] }> {
  const lines: Line[] = [];
  const settings = testSettings({ LOG_LEVEL: "info", SLOW_CALL_MS: "20" });
  const logger = createLoggerOptions(settings, { write: (line) => void lines.push(JSON.parse(line) as Line) });
  const broker = new ServiceBroker({ ...createBrokerOptions(settings), nodeID: "node-1", logger });
  const documents = await openDocumentStore({ dataDir: settings.dataDir });
  const channels = await openChannels(broker, documents, settings, new Map());
  const tasks = openTasks(broker, documents);
  attachRuntime(broker, { settings, stores: { documents, channels, tasks, events: new Map() } });
  const outbox = createOutboxWrite<{ "test.written": { n: number } }>();
  broker.createService(
    implement(contract, {
      actions: {
        async write(ctx) {
          broker.getLogger("ledger").info("From a module");
          await ctx.call("clerk.inner", {});
          await documents.atomically([outbox("test.written", { n: 1 })]);
          channels.wake();
          return null;
        },
        inner: () => {
          const error = Object.assign(new Error("no answer of https://user:hunter2@host/x"), {
            code: "E_GONE",
            data: { name: "Ada Lovelace" },
          });
          broker.getLogger("ledger").warn("It failed", error);
          broker.getLogger("ledger").warn("A task failed", { error, tries: 2, email: "ada@example.com" });
          broker.logger.warn({ user: { email: "ada@example.com" }, token: "tok_1", orderId: "ord_1" }, "Fields");
          return null;
        },
        dawdle: () => pause(40).then(() => null),
        ponder: () => pause(40).then(() => null),
      },
      channels: {
        "test.written": {
          group: "readers",
          handler: async () => broker.getLogger("ledger").info("From a consumer"),
        },
      },
    }),
  );
  await broker.start();
  await channels.start();
  stop = async () => {
    await channels.stop();
    await broker.stop();
    await documents.close();
  };
  return { broker, lines };
}

const saying = (lines: readonly Line[], msg: string): Line[] => lines.filter((line) => line.msg === msg);

test("each line of a request, and of what an event of it leads to, has the request's id, the node and the part that wrote it", async () => {
  const { broker, lines } = await startClerk();
  await broker.call("clerk.write", {}, { requestID: "req-7" });
  await eventually(() => saying(lines, "From a consumer").length === 1);
  for (const msg of ["From a module", "It failed", "From a consumer"]) {
    expect(saying(lines, msg)).toEqual([
      expect.objectContaining({
        request_id: "req-7",
        node: "node-1",
        service: "ledger",
        level: expect.any(String),
        time: expect.any(String),
      }),
    ]);
  }
  expect(lines.filter(({ msg }) => /start/i.test(msg)).every((line) => !("request_id" in line))).toBe(true);
});

test("an error is logged by its name, code and words, and no line has credentials, tokens or other personal content of an error or a field", async () => {
  const { broker, lines } = await startClerk();
  await broker.call("clerk.inner", {});
  expect(saying(lines, "It failed")[0]).toMatchObject({
    err: {
      name: "Error",
      code: "E_GONE",
      message: "no answer of https://***@host/x",
      stack: expect.stringContaining("logging.test"),
    },
  });
  expect(saying(lines, "A task failed")[0]).toMatchObject({
    error: { name: "Error", code: "E_GONE", message: "no answer of https://***@host/x" },
    tries: 2,
    email: "***",
  });
  expect(saying(lines, "Fields")[0]).toMatchObject({ user: { email: "***" }, token: "***", orderId: "ord_1" });
  expect(JSON.stringify(lines)).not.toMatch(/hunter2|Lovelace|ada@|tok_1/);
});

test("fields that Moleculer logs behind its message are in the line", async () => {
  const { broker, lines } = await startClerk();
  await expect(broker.call("clerk.dawdle", {}, { timeout: 5 })).rejects.toThrow("timed out");
  expect(saying(lines, "Request 'clerk.dawdle' is timed out.")).toEqual([
    expect.objectContaining({ level: "warn", nodeID: "node-1", timeout: 5, requestID: expect.any(String) }),
  ]);
});

test("a call that takes longer than SLOW_CALL_MS has a line, once in a while, unless its contract gives it longer", async () => {
  const { broker, lines } = await startClerk();
  await Promise.all(
    [1, 2, 3].map((n) => broker.call("clerk.dawdle", {}, { requestID: `req-${n}`, caller: "v2.desk" })),
  );
  await broker.call("clerk.ponder", {});
  expect(lines.filter(({ msg }) => msg.startsWith("Slow"))).toEqual([
    expect.objectContaining({
      level: "warn",
      msg: "Slow action",
      action: "clerk.dawdle",
      ms: expect.any(Number),
      request_id: "req-1",
      caller: "v2.desk",
      caller_node: "node-1",
      node: "node-1",
    }),
  ]);
});

test("a full disk under the log does not stop the process, and what was not logged is counted when there is room", async () => {
  const directory = await mkdtemp(join(tmpdir(), "logging-"));
  const path = join(directory, "log");
  const script = `
    import { closeSync, openSync } from "node:fs";
    import { ServiceBroker } from "moleculer";
    import { createLoggerOptions } from "./packages/moleculer-kit/src/logging.ts";
    const { logger } = new ServiceBroker({ logger: createLoggerOptions({ logLevel: "info" }) });
    for (let line = 0; line < 2_000; line += 1) logger.info("x".repeat(200), { line });
    logger.fatal("Written at once");
    closeSync(1);
    openSync(process.argv[1], "w");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    logger.info("After");
    process.exit(7);`;
  const full = openSync("/dev/full", "w");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script, path],
    {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: ["ignore", full, full],
      timeout: 30_000,
      killSignal: "SIGKILL",
    },
  );
  closeSync(full);
  expect(await once(child, "exit")).toEqual([7, null]);
  const lines = (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line & { line?: number });
  const kept = lines.filter(({ line }) => line !== undefined);
  expect(kept.map(({ line }) => line)).toEqual(kept.map((_, index) => index));
  const messages = lines.slice(lines.indexOf(kept.at(-1)!) + 1).map(({ msg }) => msg);
  // A line that must be written at once finds room in the buffer, or is dropped as the others.
  const isFatalKept = messages[0] === "Written at once";
  const dropped = 2_001 - kept.length - (isFatalKept ? 1 : 0);
  expect(messages.slice(isFatalKept ? 1 : 0)).toEqual([
    `${dropped} log lines were dropped, because standard output could not be written`,
    "After",
  ]);
  await rm(directory, { recursive: true });
});

/** The beginning of a process's memory, which nobody has, answers as a terminal does that was closed: EIO. */
const CLOSED = "/proc/self/mem";

(existsSync(CLOSED) ? test : test.skip)(
  "a process whose terminal was closed goes on, and can end",
  async () => {
    const script = `
    import { ServiceBroker } from "moleculer";
    import { createLoggerOptions } from "./packages/moleculer-kit/src/logging.ts";
    const { logger } = new ServiceBroker({ logger: createLoggerOptions({ logLevel: "info" }) });
    for (let line = 0; line < 5; line += 1) {
      logger.info("Nobody reads this");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    logger.info("Nor this");
    process.exit(7);`;
    const closed = openSync(CLOSED, "r+");
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script],
      {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        stdio: ["ignore", closed, "inherit"],
        timeout: 30_000,
        killSignal: "SIGKILL",
      },
    );
    closeSync(closed);
    expect(await once(child, "exit")).toEqual([7, null]);
  },
  40_000,
);
