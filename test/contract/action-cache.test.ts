import { afterEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { cachedAction } from "../../broker/caching/declared.ts";
import { answerCacheOf } from "../../broker/caching/middleware.ts";
import { typedCall } from "../../broker/contract/call.ts";
import { callerOf, type CallMeta } from "../../broker/contract/context.ts";
import { defineService, type ActionDefinition, type ActionsOf } from "../../broker/contract/define.ts";
import { implement } from "../../broker/contract/implement.ts";
import { brokerOptions } from "../../broker/options.ts";
import { attachRuntime } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { eventually } from "../support/eventually.ts";
import { REDIS_URL, redisTestNamespace } from "../support/redis.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { testSettings } from "../support/test-settings.ts";

const shelf = defineService({
  name: "shelf",
  summary: "Something to look at",
  actions: {
    read: {
      summary: "Read",
      params: {
        name: { type: "string" },
        words: { type: "array", items: { type: "string" }, optional: true },
        limit: { type: "number", default: 20 },
      },
      result: {
        type: "object",
        props: {
          made: { type: "number" },
          at: { type: "date" },
          bytes: { type: "any" },
          text: { type: "string" },
          seen: { type: "any" },
        },
      },
      errors: ["NOT_FOUND"],
      idempotent: true,
      cache: { sources: ["search.index"], ttlSeconds: 60 },
    },
    whoAsks: { summary: "Tell who asks", params: {}, result: { type: "any" }, errors: [] },
  },
});
const call = typedCall<ActionsOf<typeof shelf>>();

interface Node {
  broker: ServiceBroker;
  /** Answers that were made here. */
  made(): number;
  /** What an answer is made of waits for this. */
  hold(until: Promise<void>): void;
  refuse(error: Error | undefined): void;
  read(
    params: { name: string; words?: string[]; limit?: number },
    meta?: CallMeta,
  ): ReturnType<typeof call<"shelf.read">>;
  counted(): Record<string, number>;
  /** How often the cache was, whatever came of it. */
  asked(): number;
}

const nodes: Node[] = [];
let proxy: TcpProxy | undefined;
afterEach(async () => {
  await Promise.all(nodes.splice(0).map(({ broker }) => broker.stop()));
  await proxy?.close();
  proxy = undefined;
});

/** Nodes of one system, each with the service. */
async function start(count: number, redisUrl?: string): Promise<Node[]> {
  const namespace = redisTestNamespace();
  const started = Array.from({ length: count }, (_, index) =>
    startNode(namespace, `node-${index}`, { redisUrl, transporter: count > 1 ? "Fake" : null }),
  );
  nodes.push(...started);
  await Promise.all(started.map(({ broker }) => broker.start()));
  await Promise.all(
    started.map(({ broker }) =>
      eventually(() => (broker.registry.getNodeList({ onlyAvailable: true }) as unknown[]).length === count),
    ),
  );
  return started;
}

function startNode(
  namespace: string,
  nodeID: string,
  { redisUrl, transporter }: { redisUrl?: string | undefined; transporter: "Fake" | null },
): Node {
  const settings = testSettings({ NATS_NAMESPACE: namespace, ...(redisUrl ? { REDIS_URL: redisUrl } : {}) });
  const broker = new ServiceBroker({ ...brokerOptions(settings), nodeID, logger: false, transporter });
  attachRuntime(broker, { settings });
  let made = 0;
  let held = Promise.resolve();
  let refusal: Error | undefined;
  broker.createService(
    implement(shelf, {
      actions: {
        read: async (ctx) => {
          made += 1;
          const number = made;
          await held;
          if (refusal) throw refusal;
          const seen = {
            own: callerOf(ctx as unknown as { meta: CallMeta }),
            nested: await call(ctx, "shelf.whoAsks", {}),
          };
          return {
            made: number,
            at: new Date(1_700_000_000_000),
            bytes: Buffer.from([0, 255, 91]),
            text: `[[DT]]1 ${JSON.stringify(ctx.params)}`,
            seen,
          };
        },
        whoAsks: (ctx) => callerOf(ctx),
      },
    }),
  );
  const counted = (): Record<string, number> =>
    Object.fromEntries(
      [...answerCacheOf(broker).requests.counts()].map(({ labels, count }) => [labels.result!, count]),
    );
  return {
    broker,
    made: () => made,
    hold: (until) => {
      held = until;
    },
    refuse: (error) => {
      refusal = error;
    },
    read: (params, meta) => call(broker, "shelf.read", params, { meta }),
    counted,
    asked: () => Object.values(counted()).reduce((sum, count) => sum + count, 0),
  };
}

function describeCaching(name: string, redisUrl: string | undefined): void {
  describe(`cached answers ${name}`, () => {
    const one = async (): Promise<Node> => (await start(1, redisUrl))[0]!;
    /** Until what was made is kept, which nobody waits for. */
    const kept = (node: Node, params: { name: string }) =>
      eventually(async () => {
        const before = node.made();
        await node.read(params);
        return node.made() === before;
      });

    test("an answer is made once for all who ask the same, whatever the order and the defaults of their params", async () => {
      const node = await one();
      const first = await node.read({ name: "a", words: ["x"] });
      await kept(node, { name: "a", words: ["x"] } as { name: string });
      // A look that a busy machine lets take too long is a miss.
      await eventually(async () => {
        const made = node.made();
        expect(await node.read({ limit: 20, words: ["x"], name: "a" })).toMatchObject({ text: first.text });
        return node.made() === made;
      });
      expect(node.counted().hit).toBeGreaterThanOrEqual(2);
      for (const params of [
        { name: "a" },
        { name: "a", words: ["x"], limit: 21 },
        { name: "a", words: ['x"|"y'] },
        { name: "a", words: ["x", "y"] },
        { name: "A", words: ["x"] },
      ]) {
        const before = node.made();
        await node.read(params);
        expect(node.made()).toBe(before + 1);
      }
    });

    test("nobody can change what others are given, and Dates, Buffers and texts that look like them stay what they are", async () => {
      const node = await one();
      const taken = await node.read({ name: "a" });
      const expected = {
        at: new Date(1_700_000_000_000),
        bytes: Buffer.from([0, 255, 91]),
        text: '[[DT]]1 {"name":"a","limit":20}',
      };
      expect(taken).toMatchObject(expected);
      taken.at.setTime(0);
      (taken.bytes as Buffer).fill(7);
      (taken as { text: string }).text = "spoilt";
      await kept(node, { name: "a" });
      const again = await node.read({ name: "a" });
      expect(again).toMatchObject(expected);
      (again.bytes as Buffer).fill(7);
      expect(await node.read({ name: "a" })).toMatchObject(expected);
    });

    test("an answer is made for nobody: neither its action nor those that it calls hear who asks", async () => {
      const node = await one();
      const meta: CallMeta = { caller: { admin: true, sessionId: "s" } };
      expect((await node.read({ name: "a" }, meta)).seen).toEqual({ own: { admin: false }, nested: { admin: false } });
      expect(await call(node.broker, "shelf.whoAsks", {}, { meta })).toEqual(meta.caller);
    });

    test("params are checked before the cache is looked at", async () => {
      const node = await one();
      await expect(node.read({ name: 1 } as unknown as { name: string })).rejects.toMatchObject({ code: 422 });
      expect(node.counted()).toEqual({});
    });

    test("who asks at once shares one making, and who asks after a change does not share what began before it", async () => {
      const node = await one();
      const { promise, resolve } = Promise.withResolvers<void>();
      node.hold(promise);
      const before = Array.from({ length: 20 }, () => node.read({ name: "a" }));
      await eventually(() => node.made() === 1);
      await answerCacheOf(node.broker).changed("search.index");
      const after = node.read({ name: "a" });
      await eventually(() => node.made() === 2);
      resolve();
      expect(new Set((await Promise.all(before)).map(({ made }) => made))).toEqual(new Set([1]));
      expect((await after).made).toBe(2);
      await eventually(async () => (await node.read({ name: "a" })).made >= 2);
      expect((await node.read({ name: "a" })).made).not.toBe(1);
    });

    test("a refusal is given to all who share it and is not kept", async () => {
      const node = await one();
      node.refuse(new PartlineError("NOT_FOUND", "not there"));
      const refused = await Promise.allSettled(Array.from({ length: 5 }, () => node.read({ name: "a" })));
      expect(
        refused.map((outcome) => outcome.status === "rejected" && (outcome.reason as { code: string }).code),
      ).toEqual(Array(5).fill("NOT_FOUND"));
      expect(node.made()).toBe(1);
      node.refuse(undefined);
      expect(await node.read({ name: "a" })).toMatchObject({ made: 2 });
    });

    test("another failure is the one caller's who made it: of those who waited, one makes it for all", async () => {
      const node = await one();
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      node.hold(first.promise);
      node.refuse(new Error("given up"));
      const leader = node.read({ name: "b" });
      await eventually(() => node.made() === 1);
      const followers = Array.from({ length: 10 }, () => node.read({ name: "b" }));
      await eventually(() => node.asked() === 11);
      node.hold(second.promise);
      first.resolve();
      await expect(leader).rejects.toThrow("given up");
      await eventually(() => node.made() === 2);
      node.refuse(undefined);
      second.resolve();
      expect((await Promise.all(followers)).map(({ made }) => made)).toEqual(Array(10).fill(2));
      expect(node.made()).toBe(2);
    });

    test("a change on one node is known to all", async () => {
      const [here, there] = (await start(2, redisUrl)) as [Node, Node];
      await kept(there, { name: "a" });
      const made = there.made();
      await answerCacheOf(here.broker).changed("search.index");
      await eventually(async () => {
        await there.read({ name: "a" });
        return there.made() === made + 1;
      });
    });
  });
}

describeCaching("in memory", undefined);

test("a change is told again to a node that was taken for gone while it was there, whose answers are in memory", async () => {
  const [here, there] = (await start(2)) as [Node, Node];
  await there.read({ name: "a" });
  const { nodes } = here.broker.registry as unknown as {
    nodes: { disconnected(id: string, isUnexpected: boolean): void };
  };
  nodes.disconnected("node-1", true);
  await answerCacheOf(here.broker).changed("search.index");
  expect(await there.read({ name: "a" })).toMatchObject({ made: 1 });
  // Its next heartbeat tells that it is there.
  await eventually(async () => (await there.read({ name: "a" })).made === 2, 20_000);
});

if (REDIS_URL) {
  describeCaching("in Redis", REDIS_URL);

  describe("cached answers in Redis", () => {
    test("nodes that are asked at once make one answer together", async () => {
      const all = await start(3, REDIS_URL);
      const madeInAll = (): number => all.reduce((sum, node) => sum + node.made(), 0);
      let turn = 0;
      // A machine that is busy with something else may let the others' patience end.
      await eventually(async () => {
        turn += 1;
        const [name, before] = [`turn-${turn}`, madeInAll()];
        const { promise, resolve } = Promise.withResolvers<void>();
        for (const node of all) node.hold(promise);
        const asked = all.flatMap((node) => Array.from({ length: 10 }, () => node.read({ name })));
        await eventually(() => all.every((node) => node.counted().miss === turn * 10));
        resolve();
        await Promise.all(asked);
        return madeInAll() === before + 1;
      });
    });

    test("a node whose answer does not come keeps the others waiting for a moment only", async () => {
      const [stuck, other] = (await start(2, REDIS_URL)) as [Node, Node];
      const { promise, resolve } = Promise.withResolvers<void>();
      stuck.hold(promise);
      const waiting = stuck.read({ name: "a" });
      await eventually(() => stuck.made() === 1);
      const startedAt = performance.now();
      expect(await other.read({ name: "a" })).toMatchObject({ made: 1 });
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      resolve();
      await waiting;
    });

    test.each(["cut", "freeze"] as const)(
      "who asks at once shares one making also while Redis is away (%s), but for what began before a change",
      async (how) => {
        proxy = await startTcpProxy(REDIS_URL);
        const [node] = (await start(1, proxy.url)) as [Node];
        await proxy[how]();
        const { promise, resolve } = Promise.withResolvers<void>();
        node.hold(promise);
        const before = Array.from({ length: 20 }, () => node.read({ name: "a" }));
        await eventually(() => node.asked() === 20);
        await answerCacheOf(node.broker).changed("search.index");
        const after = Array.from({ length: 20 }, () => node.read({ name: "a" }));
        await eventually(() => node.asked() === 40);
        resolve();
        expect((await Promise.all(before)).map(({ made }) => made)).toEqual(Array(20).fill(1));
        expect((await Promise.all(after)).map(({ made }) => made)).toEqual(Array(20).fill(2));
        expect(node.counted()).toEqual({ error: 40 });
      },
    );

    test.each(["cut", "freeze"] as const)(
      "all is answered while Redis is away (%s), and kept again when it is back",
      async (how) => {
        proxy = await startTcpProxy(REDIS_URL);
        const [node] = (await start(1, proxy.url)) as [Node];
        expect(await node.read({ name: "a" })).toMatchObject({ made: 1 });
        await proxy[how]();
        for (let made = 2; made < 7; made += 1) expect(await node.read({ name: "b" })).toMatchObject({ made });
        expect(node.counted().error).toBeGreaterThanOrEqual(4);
        await proxy.restore();
        await eventually(async () => {
          const before = node.made();
          await node.read({ name: "c" });
          return node.made() === before;
        });
      },
    );
  });
} else {
  test.skip("cached answers in Redis (REDIS_URL is not set)", () => undefined);
}

describe("what cannot be given to everybody cannot be cached", () => {
  const cached = {
    summary: "Read",
    params: {},
    result: { type: "any" },
    errors: [],
    cache: { sources: ["search.index"], ttlSeconds: 1 },
  } as const;
  const route = { method: "GET", path: "/x", entries: ["search"], envelope: false } as const;
  test.each<[string, ActionDefinition]>([
    ["it is not idempotent", { ...cached }],
    ["its route looks at who calls", { ...cached, idempotent: true, http: [{ ...route, access: "user" }] }],
    ["its route looks at who calls", { ...cached, idempotent: true, http: [{ ...route, access: "optional" }] }],
    [
      "its route looks at who calls",
      { ...cached, idempotent: true, http: [{ ...route, access: "none", session: true }] },
    ],
    ["its route streams", { ...cached, idempotent: true, http: [{ ...route, access: "none", answer: "file" }] }],
  ])("%s: %j", (reason, definition) => {
    expect(() => cachedAction("shelf.read", definition)).toThrow(`shelf.read cannot be cached: ${reason}`);
  });
});
