import { afterEach, expect, it } from "@jest/globals";
import type { Context } from "moleculer";
import { implement } from "../../broker/contract/implement.ts";
import { defineService } from "../../broker/contract/define.ts";
import { getMetrics } from "@partline/moleculer-kit";
import { SAMPLE_EVENT, sampleRules, type NodeSample } from "../../broker/telemetry/sample.ts";
import { getTelemetry } from "../../broker/telemetry/telemetry.ts";
import { eventually } from "../support/eventually.ts";
import { startEdge, type Edge } from "./gateway/edge-client.ts";
import { shopService } from "./gateway/shop-contract.ts";

let edge: Edge | undefined;
afterEach(async () => {
  await edge?.stop();
  edge = undefined;
});

const listenerContract = defineService({ name: "listener", summary: "Hears every sample", actions: {} });

/**
 * The made-up shop behind the payment entry point, with somebody who listens; each on a node of its own where there are
 * several.
 */
async function listen(heard: NodeSample[]): Promise<Edge> {
  const listener = () =>
    implement(listenerContract, {
      actions: {},
      events: {
        [SAMPLE_EVENT]: {
          params: sampleRules,
          handler: (ctx: Context) => void heard.push(ctx.params as NodeSample),
        },
      },
    });
  edge = await startEdge(["payment"], { transport: "fake", services: [listener, shopService] });
  await eventually(async () => (await edge!.ask("payment", "GET", "/health/ready")).status === 200);
  return edge;
}

it("reports what a node runs, how its entry points are, and what came since the sample before", async () => {
  const heard: NodeSample[] = [];
  const { ask } = await listen(heard);
  const serving = () => heard.filter(({ entryPoints }) => entryPoints.length > 0);
  const first = await eventually(() => serving()[0]);
  expect(first.entryPoints).toEqual([
    {
      entry: "payment",
      status: expect.stringMatching(/^(ok|degraded|starting)$/),
      ready: expect.any(Boolean),
      failing: expect.any(Array),
    },
  ]);
  expect([first.startedAt, first.at].every((date) => date instanceof Date)).toBe(true);
  await eventually(() => heard.find(({ services }) => services.join() === "shop"));

  for (const id of ["abc", "def", "gone"]) await ask("payment", "GET", `/api/things/${id}`);
  const told = await eventually(() =>
    serving().find(({ traffic }) => traffic.some(({ route }) => route === "/api/things/{id}")),
  );
  const traffic = told.traffic.find(({ route }) => route === "/api/things/{id}")!;
  expect(traffic).toMatchObject({ entry: "payment", method: "GET", count: 3, errors: 0 });
  expect(traffic.buckets.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(traffic.sum).toBeGreaterThan(0);
  expect(told.entryPoints).toEqual([{ entry: "payment", status: "ok", ready: true, failing: [] }]);
  expect(told.queue).toEqual({ outbox: 0, pending: 0, dead: 0, oldestAgeMs: 0 });
  expect(JSON.stringify(heard)).not.toMatch(/abc|gone/);
  expect(JSON.stringify(told).length).toBeLessThan(4_000);

  const later = await eventually(() => serving().find(({ at }) => at > told.at));
  expect(later.traffic.filter(({ route }) => route === "/api/things/{id}")).toEqual([]);
});

it("a node that stops says goodbye, and one that nobody hears looks at nothing", async () => {
  const heard: NodeSample[] = [];
  const { broker, stop } = await listen(heard);
  getMetrics(broker).providerFailures.inc({ provider: "dis", reason: "refused" });
  await getTelemetry(broker).tell();
  expect(heard.at(-1)).toMatchObject({ leaving: false, failures: [{ provider: "dis", reason: "refused", count: 1 }] });
  await stop();
  edge = undefined;
  expect(heard.at(-1)).toMatchObject({ leaving: true, entryPoints: [], traffic: [], failures: [] });
  expect(heard.filter(({ leaving }) => leaving)).toHaveLength(1);

  edge = await startEdge(["payment"]);
  let looked = 0;
  getTelemetry(edge.broker).watch("payment", async () => {
    looked += 1;
    return { status: "ok", ready: true, failing: [] };
  });
  await getTelemetry(edge.broker).tell();
  expect(looked).toBe(0);
});
