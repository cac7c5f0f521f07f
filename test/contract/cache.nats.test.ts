import { afterEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { answerCacheOf } from "../../broker/caching/middleware.ts";
import { typedCall } from "../../broker/contract/call.ts";
import { defineService, type ActionsOf } from "../../broker/contract/define.ts";
import { implement } from "../../broker/contract/implement.ts";
import { brokerOptions } from "../../broker/options.ts";
import { attachRuntime } from "../../broker/runtime.ts";
import { eventually } from "../support/eventually.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { testSettings } from "../support/test-settings.ts";

const NATS_URL = process.env.NATS_URL ?? "";

const board = defineService({
  name: "board",
  summary: "Something to look at",
  actions: {
    read: {
      summary: "Read",
      params: {},
      result: { type: "number" },
      errors: [],
      idempotent: true,
      cache: { sources: ["search.index"], ttlSeconds: 3_600 },
    },
  },
});
const call = typedCall<ActionsOf<typeof board>>();

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startNode(natsUrl: string, namespace: string, nodeID: string): Promise<ServiceBroker> {
  const settings = testSettings({ NATS_URL: natsUrl, NATS_NAMESPACE: namespace });
  const broker = new ServiceBroker({ ...brokerOptions(settings), nodeID, logger: false });
  attachRuntime(broker, { settings });
  let made = 0;
  broker.createService(implement(board, { actions: { read: () => (made += 1) } }));
  await broker.start();
  ends.push(() => broker.stop());
  return broker;
}

(NATS_URL ? describe : describe.skip)("answers that are kept in memory, over NATS", () => {
  test("are forgotten by a node that was away, which may have missed a change", async () => {
    const proxy = await startTcpProxy(NATS_URL);
    ends.push(() => proxy.close());
    const namespace = `cache-${process.pid}-${Date.now()}`;
    const here = await startNode(NATS_URL, namespace, "here");
    const there = await startNode(proxy.url, namespace, "there");
    const read = (): Promise<number> => call(there, "board.read", {}, { nodeID: "there" } as object);
    expect([await read(), await read()]).toEqual([1, 1]);

    await proxy.cut();
    await answerCacheOf(here).changed("search.index");
    expect(await read()).toBe(1);
    await proxy.restore();
    await eventually(async () => (await read()) === 2, 20_000);
    expect(await read()).toBe(2);
  }, 40_000);

  test("are forgotten by all when a node is back that changed what they were made of while it was away", async () => {
    const proxy = await startTcpProxy(NATS_URL);
    ends.push(() => proxy.close());
    const namespace = `cache-${process.pid}-${Date.now()}`;
    const here = await startNode(proxy.url, namespace, "here");
    const there = await startNode(NATS_URL, namespace, "there");
    const read = (): Promise<number> => call(there, "board.read", {}, { nodeID: "there" } as object);
    await eventually(() => (here.registry.getNodeList({ onlyAvailable: true }) as unknown[]).length === 2);
    expect([await read(), await read()]).toEqual([1, 1]);

    await proxy.cut();
    await answerCacheOf(here).changed("search.index");
    expect(await read()).toBe(1);
    await proxy.restore();
    await eventually(async () => (await read()) === 2, 20_000);
  }, 40_000);
});
