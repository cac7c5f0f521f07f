import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { stopNode } from "../../../bin/stop-node.ts";
import { eventually } from "../../support/eventually.ts";
import { deafen, lose, startCluster, TRANSPORTS, type Cluster } from "./cluster.ts";

const answered = new Map<string, number>();
const heard: string[] = [];
let isStopped = false;

/** Not idempotent: nothing of it may be called twice to make up for a loss. */
const work = (id: string): ServiceSchema => ({
  name: "work",
  actions: {
    take: async (ctx: { params: { ms: number } }) => {
      await delay(ctx.params.ms);
      if (isStopped && id === "worker-0") throw new Error("It works after it was stopped");
      answered.set(id, (answered.get(id) ?? 0) + 1);
      return id;
    },
    tell: () =>
      Readable.from(
        (async function* () {
          for (const word of ["one ", "by ", "one"]) {
            await delay(150);
            yield word;
          }
        })(),
        { objectMode: false },
      ),
  },
  events: { "work.changed": () => void heard.push(id) },
  stopped: () => {
    isStopped ||= id === "worker-0";
  },
});

let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe.each(TRANSPORTS)("a node that stops, over %s", (transport) => {
  test("loses no call: what it has begun and what still comes is answered, the rest goes elsewhere", async () => {
    isStopped = false;
    answered.clear();
    const { caller, workers } = (cluster = await startCluster(transport, [work, work]));
    await eventually(() => caller.registry.getActionEndpoints("work.take").count() === 2);
    const nodeOf = (node: number) => ({ nodeID: workers[node]!.broker.nodeID });

    const failures: unknown[] = [];
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver)
        await caller.call("work.take", { ms: Math.random() * 10 }).catch((error: unknown) => failures.push(error));
    };
    const clients = Array.from({ length: 20 }, client);
    await eventually(() => (answered.get("worker-0") ?? 0) > 20);
    const slow = caller.call("work.take", { ms: 800 }, nodeOf(0));
    const story = await caller.call<Readable, object>("work.tell", {}, nodeOf(0));

    const stopping = stopNode(workers[0]!);
    await eventually(() => caller.registry.getActionEndpoints("work.take").count() === 1);
    expect(await text(story)).toBe("one by one");
    expect(isStopped).toBe(false);
    expect(await slow).toBe("worker-0");
    await stopping;
    expect(isStopped).toBe(true);
    const before = answered.get("worker-1")!;
    await eventually(() => answered.get("worker-1")! > before + 50);
    isOver = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
  });

  test("answers calls of nodes that have not heard of it, and shows a newcomer that nothing runs there", async () => {
    isStopped = false;
    const { caller, workers } = (cluster = await startCluster(transport, [work, work]));
    const first = workers[0]!.broker;
    await eventually(() => caller.registry.getActionEndpoints("work.take").count() === 2);
    const { end } = lose(caller, "INFO");
    const held = first.call("work.take", { ms: 0 });
    const slow = caller.call("work.take", { ms: 500 }, { nodeID: "worker-0" });
    await held;
    const stopping = stopNode(workers[0]!);
    await eventually(() => workers[1]!.broker.registry.getActionEndpoints("work.take").count() === 1);
    first.servicesChanged(true);
    await workers[1]!.broker.transit!.discoverNode("worker-0");
    expect(await caller.call("work.take", { ms: 0 }, { nodeID: "worker-0" })).toBe("worker-0");
    end();
    expect(workers[1]!.broker.registry.getActionEndpoints("work.take").count()).toBe(1);
    await slow;
    await stopping;
    expect(caller.registry.getActionEndpoints("work.take").count()).toBe(1);
  });

  test("hears events as long as it works, and none once it has stopped", async () => {
    isStopped = false;
    heard.length = 0;
    const { caller, workers } = (cluster = await startCluster(transport, [work, work]));
    await eventually(() => caller.registry.getActionEndpoints("work.take").count() === 2);
    const slow = caller.call("work.take", { ms: 1_500 }, { nodeID: "worker-0" });
    const stopping = stopNode(workers[0]!);
    await eventually(() => caller.registry.getActionEndpoints("work.take").count() === 1);
    await caller.broadcast("work.changed");
    await eventually(() => heard.length === 2);
    expect(heard.toSorted()).toEqual(["worker-0", "worker-1"]);
    await slow;
    await stopping;
    await caller.broadcast("work.changed");
    await eventually(() => heard.length === 3);
    expect(heard.at(-1)).toBe("worker-1");
  });

  test("waits for a caller that stood still and has not heard of it yet", async () => {
    isStopped = false;
    const { caller, workers } = (cluster = await startCluster(transport, [work, work]));
    await eventually(() => caller.registry.getActionEndpoints("work.take").count() === 2);
    const listen = deafen(caller);
    const stopping = stopNode(workers[0]!);
    // Longer than a node waits without a word, and far from the two seconds after which it goes all the same.
    await delay(600);
    const calls = [caller.call("work.take", { ms: 0 }), caller.call("work.take", { ms: 0 })];
    listen();
    expect((await Promise.all(calls)).toSorted()).toEqual(["worker-0", "worker-1"]);
    await stopping;
  });
});
