import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { payment } from "../contract/order.support.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { Wish } from "./once.worker.ts";

const WORKER = fileURLToPath(new URL("./once.worker.ts", import.meta.url));

type Worker = WorkerProcess<Wish>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of several actions
type Answer = any;

const running = new Set<Worker>();
afterEach(async () => {
  await Promise.all([...running].map((worker) => worker.kill()));
  running.clear();
});

const run = (worker: Worker, action: string, params: object, more: { key?: string; dieAfter?: number } = {}) =>
  worker.ask<Answer>({ do: "run", action, params, ...more });

/** What a request makes, and how many of those there are now. */
const REQUESTS: Record<
  string,
  { params: (orderId: string) => object; made: (worker: Worker, orderId: string) => Promise<unknown[]> }
> = {
  "access.createKey": {
    params: () => ({ name: "ERP", scopes: ["orders:read"] }),
    made: async (worker) => (await run(worker, "access.keys", {})).keys,
  },
  "webhook.createEndpoint": {
    params: () => ({ url: "https://203.0.114.7/hook", eventTypes: ["order.shipped"] }),
    made: async (worker) => (await run(worker, "webhook.listEndpoints", {})).endpoints,
  },
  "order.adminNote": {
    params: (orderId) => ({ orderId, text: "Called back" }),
    made: async (worker, orderId) => (await run(worker, "order.adminGet", { orderId })).notes,
  },
  "order.adminShip": {
    params: (orderId) => ({
      orderId,
      lines: [{ productId: "bns-a", quantity: 1 }],
      carrier: "UPS",
      trackingNumber: "1Z1",
    }),
    made: async (worker, orderId) => (await run(worker, "order.adminGet", { orderId })).shipments,
  },
};

const STORES = process.env.MONGO_URL ? (["embedded", "mongo"] as const) : (["embedded"] as const);

describe.each(STORES)("kill -9 during a request with an Idempotency-Key (%s)", (backend) => {
  test("makes one thing, although its process dies before the answer is kept", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "partline-once-crash-"));
    const args = backend === "mongo" ? [dataDir, mongoTestUrl("once")] : [dataDir];
    const start = async (): Promise<Worker> => {
      const worker = await startWorkerProcess<Wish>(WORKER, args);
      running.add(worker);
      return worker;
    };
    let worker = await start();
    // What one request finds after the death is where the next one begins.
    for (const [action, { params, made }] of Object.entries(REQUESTS)) {
      const { orderId } = await run(worker, "order.createFromPayment", payment());
      const given = params(orderId);
      const count = async () => [action, ((await made(worker, orderId)) ?? []).length];
      // The key, what is made, the answer.
      await run(worker, action, given, { key: `key-of-${action}`, dieAfter: 2 }).catch((error: unknown) =>
        expect(String(error)).toContain("It died"),
      );
      worker = await start();
      expect(await count()).toEqual([action, 1]);
      await worker.ask({ do: "release" });
      const answer = await run(worker, action, given, { key: `key-of-${action}` });
      expect(await count()).toEqual([action, 1]);
      expect(await run(worker, action, given, { key: `key-of-${action}` })).toEqual(JSON.parse(JSON.stringify(answer)));
      await run(worker, action, given, { key: `another-key-of-${action}` });
      expect(await count()).toEqual([action, 2]);
    }
  }, 120_000);
});
