import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { failureDetectorOf } from "../../../broker/calls/failure-detector.ts";
import { eventually } from "../../support/eventually.ts";
import { startCluster, TRANSPORTS, type Cluster } from "./cluster.ts";

const asked: string[] = [];

const shop = (id: string): ServiceSchema => ({
  name: "shop",
  actions: {
    read: {
      idempotent: true,
      handler: async (ctx: { params: { ms?: number } }) => {
        asked.push(`read ${id}`);
        await delay(ctx.params.ms ?? 0);
        return id;
      },
    },
    write: {
      timeout: 9_000,
      handler: () => {
        asked.push(`write ${id}`);
        return id;
      },
    },
  },
} as unknown as ServiceSchema);

/** As SIGSTOP, or kill -9, looks from outside: the node neither hears nor says anything. */
function freeze(broker: ServiceBroker): () => void {
  const transit = broker.transit as unknown as { messageHandler: unknown; tx: { messageHandler: unknown; send: unknown } };
  const { tx } = transit;
  const { messageHandler, send } = tx;
  const held: unknown[][] = [];
  tx.messageHandler = (...packet: unknown[]) => Promise.resolve(void held.push(packet));
  tx.send = () => Promise.resolve();
  return () => {
    Object.assign(tx, { messageHandler, send });
    for (const packet of held) void (messageHandler as (...given: unknown[]) => unknown)(...packet);
  };
}

let cluster: Cluster | undefined;
let thaw = (): void => undefined;
afterEach(async () => {
  thaw();
  await cluster?.stop();
  cluster = undefined;
});

const start = async (transport: string): Promise<Cluster> => {
  asked.length = 0;
  cluster = await startCluster(transport, [shop, shop]);
  await eventually(() => cluster!.caller.registry.getActionEndpoints("shop.read")!.count() === 2);
  return cluster;
};

describe.each(TRANSPORTS)("a node that does not answer, over %s", (transport) => {
  test("costs reads a second and no failure, is called no more, and is called again when it answers", async () => {
    const { caller, workers } = await start(transport);
    thaw = freeze(workers[0]!.broker);
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.call("shop.read")));
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(new Set(answers)).toEqual(new Set(["worker-1"]));
    expect(asked).toHaveLength(20);
    expect(failureDetectorOf(caller).isSuspect("worker-0")).toBe(true);
    const sent = performance.now();
    for (let index = 0; index < 10; index += 1) expect(await caller.call("shop.write")).toBe("worker-1");
    expect(performance.now() - sent).toBeLessThan(1_000);
    thaw();
    await eventually(() => !failureDetectorOf(caller).isSuspect("worker-0"));
    await eventually(async () => (await caller.call("shop.read")) === "worker-0");
  });
});

describe("a node that does not answer", () => {
  test("fails writes that it may have begun, and repeats none of them, once it is taken for gone", async () => {
    const { caller, workers } = await start("Fake");
    thaw = freeze(workers[0]!.broker);
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled([caller.call("shop.write"), caller.call("shop.write")]);
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find((outcome) => outcome.status === "rejected")).toMatchObject({ reason: { type: "REQUEST_REJECTED" } });
    expect(asked).toEqual(["write worker-1"]);
  });

  test("is not taken for one that is slow", async () => {
    const { caller } = await start("Fake");
    const answers = await Promise.all([caller.call("shop.read", { ms: 1_800 }), caller.call("shop.read", { ms: 1_800 })]);
    expect(answers.sort()).toEqual(["worker-0", "worker-1"]);
    expect(asked).toHaveLength(2);
    expect(failureDetectorOf(caller).hasSuspects).toBe(false);
  });

  test("is asked all the same where it is the only one, and its reads fail in the time that they have", async () => {
    const { caller, workers } = await start("Fake");
    const stops = workers.map(({ broker }) => freeze(broker));
    thaw = () => stops.forEach((stop) => stop());
    const reads = Promise.all([1, 2].map(() => caller.call("shop.read", {}, { timeout: 4_000 }).then(String, ({ type }: { type: string }) => type)));
    await eventually(() => failureDetectorOf(caller).hasSuspects);
    thaw();
    thaw = () => undefined;
    expect((await reads).sort()).toEqual(["worker-0", "worker-1"]);
  });
});

test("what a node refuses because it stops is called elsewhere, writes too; an error from farther on is not its own", async () => {
  const { caller, workers } = await start("Fake");
  (workers[0]!.broker as unknown as { stopping: boolean }).stopping = true;
  expect(await Promise.all(Array.from({ length: 6 }, () => caller.call("shop.write")))).toEqual(Array<string>(6).fill("worker-1"));
  expect(asked).toHaveLength(6);
});
