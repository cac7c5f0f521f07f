import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { OUTBOX } from "../../packages/durable/src/channels/outbox.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { removeStreams, testNamespace } from "../support/jetstream.ts";
import { endedJob, manualPdf, sha256Of, upload } from "../support/manuals.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { NATS_SERVER, startOwnNats } from "../support/nats-server.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { Wish } from "./pipeline.worker.ts";

const WORKER = fileURLToPath(new URL("pipeline.worker.ts", import.meta.url));

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

(process.env.MONGO_URL && process.env.NATS_URL ? describe : describe.skip)("Two nodes", () => {
  test("of which one is killed: the other does what that one had taken, and each result is there once", async () => {
    const namespace = testNamespace();
    const settings = JSON.stringify({
      MONGO_URL: mongoTestUrl("pipeline"),
      NATS_URL: process.env.NATS_URL!,
      NATS_NAMESPACE: namespace,
    });
    open.push(() => removeStreams(process.env.NATS_URL!, namespace));
    const dataDir = mkdtempSync(join(tmpdir(), "partline-nodes-"));
    const start = async (): Promise<WorkerProcess<Wish>> => {
      const worker = await startWorkerProcess<Wish>(WORKER, [dataDir, "", settings]);
      open.push(() => worker.kill());
      return worker;
    };
    const [one, other] = [await start(), await start()];
    const content = await manualPdf({ pages: 120, title: "Two nodes" });
    const { batch_id } = await one.ask<{ batch_id: string }>({ do: "upload", content: content.toString("base64") });
    type State = { pagesDone: number; file: { status: string; pages: number; parts: number }; letters: unknown[] };
    const stateOf = (worker: WorkerProcess<Wish>): Promise<State> => worker.ask<State>({ do: "state", batch_id });
    await eventually(async () => (await stateOf(one)).pagesDone >= 20, 30_000);
    await one.kill();
    const ended = await eventually(async () => {
      const state = await stateOf(other);
      return !["queued", "processing"].includes(state.file.status) && state;
    }, 120_000);
    expect(ended).toMatchObject({ file: { status: "completed", pages: 120, parts: 240 }, letters: [] });
    const sha256 = sha256Of(content);
    expect(await other.ask({ do: "find", sha256 })).toMatchObject({ created: 1, manual: { pages: 120 } });

    // The same of a correction: the node that has taken it is killed, and another carries it out.
    const third = await start();
    await third.ask({ do: "correct", sha256, equipment: ["BR600"] });
    await third.kill();
    await eventually(async () => (await other.ask<{ created: number }>({ do: "find", sha256 })).created === 2, 120_000);
    expect(await other.ask({ do: "find", sha256 })).toMatchObject({ manual: { equipment: ["BR600"] } });
  }, 300_000);
});

(NATS_SERVER ? describe : describe.skip)("NATS that is killed in the middle of a job", () => {
  test("costs nothing: what was sent before and meanwhile is read, each result once", async () => {
    const nats = await startOwnNats();
    open.push(() => nats.stop());
    const system = await startTestBroker({
      services: ["pipeline"],
      settings: testSettings({ NATS_URL: nats.url, NATS_NAMESPACE: testNamespace() }),
    });
    open.push(() => system.stop());
    const send = async (content: Buffer) => upload(system.broker, [{ name: "file", filename: "manual.pdf", content }]);
    const before = await manualPdf({ pages: 150, title: "Before" });
    const meanwhile = await manualPdf({ pages: 3, title: "Meanwhile" });
    const first = await send(before);
    await eventually(
      async () => (await call(system.broker, "pipeline.job", { batch_id: first.batch_id })).progress.pages.done >= 10,
      30_000,
    );
    await nats.kill();
    const second = await send(meanwhile);
    expect(second.status).toBe("queued");
    expect((await endedJob(system.broker, first.batch_id)).files[0]).toMatchObject({
      status: "completed",
      pages: 150,
      parts: 300,
    });
    expect((await endedJob(system.broker, second.batch_id)).files[0]).toMatchObject({
      status: "completed",
      pages: 3,
      parts: 6,
    });
    for (const content of [before, meanwhile])
      expect(await system.documents.collection(OUTBOX).count({ _id: `manual_${sha256Of(content)}` })).toBe(1);
    expect((await system.tasks.depth()).dead).toBe(0);
    await nats.start();
  }, 120_000);
});
