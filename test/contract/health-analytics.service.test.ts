import { describe, expect, it } from "@jest/globals";
import { SAMPLE_EVENT, type NodeSample } from "../../broker/telemetry/sample.ts";
import { call, outbox } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { sampleOf } from "../unit/health-analytics.support.ts";
import { useStarted } from "../support/use-started.ts";

describe("Health analytics", () => {
  const test = useStarted(() =>
    startTestBroker({
      services: ["health-analytics", "health-analytics", "cart"],
      transport: "fake",
    }),
  );

  const begun = new Date();
  const startedAt = new Date(begun.getTime() - 3_600_000);
  let sent = 0;
  /** A sample of a made-up node, a little later than the one before. */
  const tell = async (over: Partial<NodeSample> = {}): Promise<void> => {
    sent += 1;
    await test.broker.broadcast(SAMPLE_EVENT, sampleOf({ startedAt, at: new Date(begun.getTime() + sent), ...over }));
  };
  const traffic = (counts: readonly number[], errors = 0): NodeSample["traffic"][number] => ({
    entry: "payment",
    method: "GET",
    route: "/api/orders/{orderId}",
    errors,
    sum: 100,
    count: counts.reduce((sum, count) => sum + count, 0),
    buckets: [...counts, ...Array<number>(18 - counts.length).fill(0)],
  });
  const node = (nodeId: string, more: object = {}) => call(test.broker, "health-analytics.node", { nodeId, ...more });
  const heard = (count: number, nodeId = "shop-1") =>
    eventually(async () => {
      const { history } = await node(nodeId);
      return history.reduce((sum, { samples }) => sum + samples, 0) === count;
    });

  it("hears the nodes of the system themselves, with what they run", async () => {
    const found = await eventually(async () => {
      const { nodes } = await call(test.broker, "health-analytics.nodes", {});
      return (
        nodes.some(({ services }) => services.includes("cart")) &&
        nodes.some(({ services }) => services.includes("health-analytics")) &&
        nodes
      );
    });
    expect(found.filter(({ state }) => state !== "up")).toEqual([]);
    expect(found[0]).toMatchObject({
      version: "0.0.0-test",
      replaces: null,
      replacedBy: null,
      restarts: 0,
      queue: { dead: 0 },
    });
    expect(found[0]!.memory.rss).toBeGreaterThan(10_000_000);
    // Who calls runs nothing, and does not count.
    expect(found).toHaveLength(3);
  });

  it("keeps each sample once, however many hear it, and adds histograms up", async () => {
    await tell({ traffic: [traffic([90])] });
    await tell({ traffic: [traffic([0, 0, 0, 0, 0, 0, 0, 0, 9, 1], 2)] });
    await tell({ node: "shop-2", traffic: [traffic([900])] });
    await heard(2);
    await heard(1, "shop-2");
    const period = { entry: "payment", route: "/api/orders/{orderId}" } as const;
    const { routes, entryPoints, from, to } = await call(test.broker, "health-analytics.latency", period);
    expect(routes).toEqual([
      {
        entry: "payment",
        method: "GET",
        route: "/api/orders/{orderId}",
        requests: 1_000,
        errors: 2,
        meanMs: 0.3,
        p50Ms: expect.closeTo(0.25, 1),
        p95Ms: expect.closeTo(0.48, 1),
        p99Ms: 0.5,
      },
    ]);
    expect(entryPoints).toMatchObject([{ entry: "payment", requests: 1_000 }]);
    expect([from, to].every((moment) => moment instanceof Date && moment.getTime() % 60_000 === 0)).toBe(true);
    expect(
      (
        await call(test.broker, "health-analytics.latency", {
          ...period,
          to: new Date(from.getTime() + 60_000).toISOString(),
        })
      ).routes,
    ).toEqual([]);
    const { history } = await node("shop-1", {
      from: new Date(begun.getTime() - 60_000).toISOString(),
      interval: "minute",
    });
    expect(history.flatMap(({ traffic: told }) => told.requests).reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  it("opens one incident of what is wrong on several nodes, and ends it when it is right again", async () => {
    const queue = { outbox: 3, pending: 5, dead: 0, oldestAgeMs: 90_000 };
    await tell({ queue });
    await tell({ node: "shop-2", queue });
    const [open, ...more] = await eventually(async () => {
      const { incidents } = await call(test.broker, "health-analytics.incidents", { open: true });
      const found = incidents.filter(({ kind }) => kind === "queue");
      return found.length > 0 && found[0]!.nodes.length === 2 && found;
    });
    expect(more).toEqual([]);
    expect(open).toMatchObject({
      kind: "queue",
      cause: "The oldest waiting event is older than a minute",
      nodes: ["shop-1", "shop-2"],
      endedAt: null,
      open: true,
      spells: 1,
    });
    const { points } = await call(test.broker, "health-analytics.queues", { interval: "minute" });
    expect(points.reduce((most, { oldestAgeMs }) => Math.max(most, oldestAgeMs), 0)).toBe(90_000);
    await tell();
    await tell({ node: "shop-2" });
    const ended = await eventually(async () => {
      const { incidents } = await call(test.broker, "health-analytics.incidents", { open: false });
      return incidents.find(({ id }) => id === open!.id);
    });
    expect(ended).toMatchObject({ open: false, endedAt: expect.any(Date), spells: 1 });
  }, 60_000);

  it("opens one incident when a sync fails in part, and ends it when one of that vendor completes", async () => {
    const end = async (status: "completed" | "partially_failed", vendor = "KMT"): Promise<void> => {
      await test.documents.atomically([outbox("sync.ended", { vendor, syncId: "sync_x", status })]);
      test.channels.wake();
    };
    const syncs = async (open: boolean) =>
      (await call(test.broker, "health-analytics.incidents", { open })).incidents.filter(({ kind }) => kind === "sync");
    await end("partially_failed");
    const [open, ...more] = await eventually(async () => {
      const found = await syncs(true);
      return found.length > 0 && found;
    });
    expect(more).toEqual([]);
    const cause = "The latest sync or refresh of KMT failed, or did in part";
    expect(open).toMatchObject({ subject: "KMT", cause, endedAt: null, spells: 1 });
    await end("completed", "BNS");
    await end("completed");
    const ended = await eventually(async () => (await syncs(false)).find(({ id }) => id === open!.id));
    expect(ended).toMatchObject({ endedAt: expect.any(Date), spells: 1 });
    expect(await syncs(true)).toEqual([]);
  }, 60_000);
});
