import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Context, ServiceSchema } from "moleculer";
import { getFailureDetector, getMetrics, scrape } from "@partline/moleculer-kit";
import { PartlineError, type ErrorCode } from "../../../mixins/errors.ts";
import { eventually } from "../../support/eventually.ts";
import { freeze, startCluster, TRANSPORTS, type Cluster } from "./cluster.ts";

const asked: string[] = [];

/** How `find` fails, and after how long; by node. */
type Failures = Record<string, { code: ErrorCode; ms?: number } | undefined>;
let failures: Failures = {};

const shop = (id: string): ServiceSchema =>
  ({
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
      find: {
        idempotent: true,
        handler: async () => {
          asked.push(`find ${id}`);
          const { code, ms = 0 } = failures[id]!;
          await delay(ms);
          throw new PartlineError(code, `Says ${id}`);
        },
      },
      pass: (ctx: Context) => {
        asked.push(`pass ${id}`);
        return ctx.call("nobody.there");
      },
      write: {
        timeout: 30_000,
        handler: () => {
          asked.push(`write ${id}`);
          return id;
        },
      },
    },
  }) as unknown as ServiceSchema;

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
  await eventually(() => cluster!.caller.registry.getActionEndpoints("shop.read").count() === 2);
  return cluster;
};

const repeats = async (caller: Cluster["caller"]): Promise<[labels: unknown, count: number][]> =>
  (await getMetrics(caller).repeats.get()).values.map(({ labels, value }) => [labels, value]);

describe.each(TRANSPORTS)("a node that does not answer, over %s", (transport) => {
  test("costs reads a second and no failure, is called no more, and is called again when it answers", async () => {
    const { caller, workers } = await start(transport);
    thaw = freeze(workers[0]!.broker);
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.call("shop.read")));
    // A suspect after five turns, gone after 24: so long the answers did not take, however long a turn of this machine
    // is.
    expect([
      getFailureDetector(caller).suspects.has("worker-0"),
      caller.registry.getActionEndpoints("shop.read").count(),
    ]).toEqual([true, 2]);
    expect(new Set(answers)).toEqual(new Set(["worker-1"]));
    expect(asked).toHaveLength(20);
    // One after another, each node is asked first by half of them.
    expect(await repeats(caller)).toEqual([[{ action: "shop.read", reason: "silent" }, 10]]);
    expect(await scrape(caller)).toContain("partline_cluster_suspected_nodes 1");
    const sent = performance.now();
    for (let index = 0; index < 10; index += 1) expect(await caller.call("shop.write")).toBe("worker-1");
    // Had each waited until its node is a suspect, it would be twelve seconds.
    expect(performance.now() - sent).toBeLessThan(10_000);
    thaw();
    await eventually(() => !getFailureDetector(caller).suspects.has("worker-0"));
    await eventually(async () => (await caller.call("shop.read")) === "worker-0");
    // What was sent to it meanwhile has reached it by now.
    expect(asked).not.toContain("write worker-0");
  });
});

describe("a node that does not answer", () => {
  test("fails writes that it may have begun, and repeats none of them, once it is taken for gone", async () => {
    const { caller, workers } = await start("Fake");
    thaw = freeze(workers[0]!.broker);
    const outcomes = await Promise.allSettled([caller.call("shop.write"), caller.call("shop.write")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find((outcome) => outcome.status === "rejected")).toMatchObject({
      reason: { type: "REQUEST_REJECTED" },
    });
    expect(asked).toEqual(["write worker-1"]);
  });

  test("is not taken for one that is slow", async () => {
    const { caller } = await start("Fake");
    const answers = await Promise.all([
      caller.call("shop.read", { ms: 1_800 }),
      caller.call("shop.read", { ms: 1_800 }),
    ]);
    expect(answers.sort()).toEqual(["worker-0", "worker-1"]);
    expect(asked).toHaveLength(2);
    expect(getFailureDetector(caller).suspects.size).toBe(0);
  });

  test("is asked all the same where it is the only one, and its reads fail in the time that they have", async () => {
    const { caller, workers } = await start("Fake");
    const stops = workers.map(({ broker }) => freeze(broker));
    thaw = () => stops.forEach((stop) => stop());
    const reads = Promise.all(
      [1, 2].map(() =>
        caller.call("shop.read", {}, { timeout: 4_000 }).then(String, ({ type }: { type: string }) => type),
      ),
    );
    await eventually(() => getFailureDetector(caller).suspects.size > 0);
    thaw();
    thaw = () => undefined;
    expect((await reads).sort()).toEqual(["worker-0", "worker-1"]);
  });
});

describe("a read that two nodes were asked for", () => {
  const code = (call: Promise<unknown>): Promise<unknown> =>
    call.then(String, (error: { code?: unknown; type?: unknown }) => error.code);
  /** Until both are asked, the second in place of the first, which is silent or slow. */
  const findTwice = async (
    given: Failures,
    isSilent: (id: string) => boolean,
  ): Promise<{ outcome: Promise<unknown>; sentAt: number }> => {
    failures = given;
    const { caller, workers } = await start("Fake");
    const stops = workers.map(({ broker }) => (isSilent(broker.nodeID) ? freeze(broker) : () => undefined));
    thaw = () => stops.forEach((stop) => stop());
    const sentAt = performance.now();
    // One after another, each node is asked first once.
    const outcome = Promise.all([code(caller.call("shop.find")), code(caller.call("shop.find"))]);
    return { outcome, sentAt };
  };

  test("is refused as the second refuses it, without waiting for the first that is silent", async () => {
    const { outcome, sentAt } = await findTwice({ "worker-1": { code: "NOT_FOUND" } }, (id) => id === "worker-0");
    expect(await outcome).toEqual(["NOT_FOUND", "NOT_FOUND"]);
    expect(performance.now() - sentAt).toBeLessThan(4_000);
    expect(asked).toEqual(["find worker-1", "find worker-1"]);
  });

  test("is refused as the first refuses it, late, without waiting for the second", async () => {
    const { outcome, sentAt } = await findTwice(
      { "worker-0": { code: "FORBIDDEN", ms: 3_500 }, "worker-1": { code: "FORBIDDEN", ms: 3_500 } },
      () => false,
    );
    expect(await outcome).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    expect(performance.now() - sentAt).toBeLessThan(5_000);
    expect(asked).toHaveLength(4);
  });

  test("fails as the one that says why, where the other is gone", async () => {
    const { outcome, sentAt } = await findTwice(
      { "worker-1": { code: "DATABASE_UNAVAILABLE" } },
      (id) => id === "worker-0",
    );
    expect(await outcome).toEqual(["DATABASE_UNAVAILABLE", "DATABASE_UNAVAILABLE"]);
    expect(performance.now() - sentAt).toBeLessThan(9_000);
  });
});

test("what a node refuses because it stops is called elsewhere, writes too; an error from farther on is not its own", async () => {
  const { caller, workers, refuse } = await start("Fake");
  await expect(caller.call("shop.pass")).rejects.toMatchObject({
    type: "SERVICE_NOT_FOUND",
    data: { action: "nobody.there" },
  });
  expect(asked).toHaveLength(1);
  asked.length = 0;
  await refuse(workers[0]!);
  expect(await Promise.all(Array.from({ length: 6 }, () => caller.call("shop.write")))).toEqual(
    Array<string>(6).fill("worker-1"),
  );
  expect(asked).toHaveLength(6);
  expect(await repeats(caller)).toEqual([[{ action: "shop.write", reason: "refused" }, 3]]);
});
