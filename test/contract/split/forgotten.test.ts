import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { getFailureDetector, type Repeatable, findTransit } from "@partline/moleculer-kit";
import { eventually } from "../../support/eventually.ts";
import { lose, startCluster, TRANSPORTS, type Cluster } from "./cluster.ts";

const slowly =
  (id: string) =>
  async (ctx: { params: { ms?: number } }): Promise<string> => {
    await delay(ctx.params.ms ?? 0);
    return id;
  };

const shop = (id: string): ServiceSchema =>
  ({
    name: "shop",
    actions: {
      read: { idempotent: true, handler: slowly(id) },
      tell: { idempotent: true, handler: () => Readable.from(["one ", "by ", "one"], { objectMode: false }) },
      write: slowly(id),
    },
  }) as unknown as ServiceSchema;

/** The calls that the failure detector knows of and does not yet know to be over. */
function watchedBy(broker: ServiceBroker): Set<Repeatable> {
  const watched = new Set<Repeatable>();
  const detector = getFailureDetector(broker);
  const open = detector.open.bind(detector);
  const close = detector.close.bind(detector);
  detector.open = (call) => {
    watched.add(call);
    open(call);
  };
  detector.close = (call) => {
    watched.delete(call);
    close(call);
  };
  return watched;
}

let cluster: Cluster;
let watched: Set<Repeatable>;

const start = async (transport: string): Promise<Cluster> => {
  cluster = await startCluster(transport, [shop, shop]);
  watched = watchedBy(cluster.caller);
  await eventually(() => cluster.caller.registry.getActionEndpoints("shop.read").count() === 2);
  return cluster;
};
afterEach(async () => {
  const stoppedAt = performance.now();
  await cluster.stop();
  // Moleculer's tracker would wait for ten seconds for a call that it remembers.
  expect(performance.now() - stoppedAt).toBeLessThan(9_500);
});

const outcomeOf = (call: Promise<unknown>): Promise<unknown> => call.then(String, ({ type }: { type: string }) => type);

const remembered = () => ({ watched: watched.size, pending: findTransit(cluster.caller)!.pendingRequests.size });

/** Sooner than a node is taken for gone, whose end would settle what it owes; no late answer comes. */
const expectNothingRemembered = (): Promise<unknown> =>
  eventually(() => {
    expect(remembered()).toEqual({ watched: 0, pending: 0 });
    return true;
  });

describe.each(TRANSPORTS)("of calls whose time is over, over %s,", (transport) => {
  beforeEach(() => start(transport));

  test("nothing is kept, so that the caller stops without waiting for them", async () => {
    const { caller } = cluster;
    lose(caller, "RES");
    const calls = Array.from({ length: 20 }, (_, index) =>
      outcomeOf(caller.call(index % 2 ? "shop.read" : "shop.write", {}, { timeout: 200 })),
    );
    expect(remembered()).toMatchObject({ watched: 10, pending: 20 });
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["REQUEST_TIMEOUT"]));
    await expectNothingRemembered();
  });

  test("none takes the repetition of one that has time, and of the two calls that this one makes, none is kept", async () => {
    const { caller } = cluster;
    const calls = Array.from({ length: 60 }, () =>
      outcomeOf(caller.call("shop.read", { ms: 1_000 }, { timeout: 200 })),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["REQUEST_TIMEOUT"]));
    lose(caller, "RES", ({ sender }) => sender === "worker-0");
    const [reads, stories] = await Promise.all([
      Promise.all([1, 2].map(() => caller.call("shop.read"))),
      Promise.all([1, 2].map(async () => text(await caller.call<Readable, object>("shop.tell", {})))),
    ]);
    expect(reads).toEqual(["worker-1", "worker-1"]);
    expect(stories).toEqual(["one by one", "one by one"]);
    await expectNothingRemembered();
  });
});

describe("of a call that was made twice", () => {
  beforeEach(() => start("Fake"));

  test("nothing is kept where neither is answered in time", async () => {
    const { caller } = cluster;
    lose(caller, "RES");
    const call = outcomeOf(caller.call("shop.read", {}, { timeout: 5_000 }));
    await eventually(() => remembered().pending === 2);
    expect(await call).toBe("REQUEST_TIMEOUT");
    await expectNothingRemembered();
  });

  test("nothing is kept where the first was refused and the second is not answered in time", async () => {
    const { caller, workers, refuse } = cluster;
    await refuse(workers[0]!);
    lose(caller, "RES", ({ sender }) => sender === "worker-1");
    const calls = ["read", "read", "write", "write"].map((action) =>
      outcomeOf(caller.call(`shop.${action}`, {}, { timeout: 400 })),
    );
    expect(await Promise.all(calls)).toEqual(Array<string>(4).fill("REQUEST_TIMEOUT"));
    await expectNothingRemembered();
  });
});
