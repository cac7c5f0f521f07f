import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { stopNode } from "../../../bin/stop-node.ts";
import { waitUntilIdle } from "@partline/moleculer-kit";
import { eventually } from "../../support/eventually.ts";
import { startCluster, type Cluster } from "./cluster.ts";

let begun = 0;
let ended = 0;

const work = (): ServiceSchema => ({
  name: "work",
  actions: {
    take: async (ctx: { params: { ms: number } }) => {
      begun += 1;
      await delay(ctx.params.ms);
      ended += 1;
    },
  },
});

let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const start = async (): Promise<Cluster> => {
  begun = ended = 0;
  return (cluster = await startCluster("Fake", [work]));
};

test("a stop waits once for a call that takes too long, and not again in Moleculer's tracker", async () => {
  const {
    caller,
    workers: [worker],
  } = await start();
  const call = caller.call("work.take", { ms: 6_000 }).then(
    () => "answered",
    () => "cut off",
  );
  const sentAt = performance.now();
  await waitUntilIdle(worker!.broker, 1_000);
  expect(begun).toBe(1);
  expect(performance.now() - sentAt).toBeGreaterThan(990);
  await worker!.broker.stop();
  expect(performance.now() - sentAt).toBeLessThan(5_500);
  expect(await call).toBe("cut off");
});

test("a stop finishes what takes longer than actions usually may", async () => {
  const {
    caller,
    workers: [worker],
  } = await start();
  const call = caller.call("work.take", { ms: 11_000 }, { timeout: 30_000 }).then(
    () => "answered",
    () => "cut off",
  );
  await eventually(() => begun === 1);
  await stopNode(worker!);
  expect(await call).toBe("answered");
});

test("a stop leaves to the node's own work what the calls of others have not used", async () => {
  const {
    workers: [worker],
  } = await start();
  const own = worker!.broker.call("work.take", { ms: 3_000 });
  await waitUntilIdle(worker!.broker, 5_000);
  expect([begun, ended]).toEqual([1, 0]);
  await worker!.broker.stop();
  expect(ended).toBe(1);
  await own;
});
