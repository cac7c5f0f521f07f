import { describe, expect, test } from "@jest/globals";
import { Registry } from "prom-client";
import { CallMetrics } from "../src/metrics/calls.ts";
import { readMetric } from "../src/metrics/read-metric.ts";
import { parseExposition } from "../../../test/contract/metrics/exposition-parser.ts";

const samplesOf = async (registry: Registry, name: string) =>
  parseExposition(await registry.metrics()).get(name)!.samples;

describe("metrics of calls", () => {
  test("report calls that began, that are under way, and how long those took that ended", async () => {
    const registry = new Registry();
    const seriesOf = new CallMetrics(registry, "moleculer_request", "requests", ["action"]).bind({
      action: "cart.get",
    });
    seriesOf("http-cart").begun += 3;
    seriesOf("http-cart").end(20);
    seriesOf(null).begun += 1;
    const valuesOf = async (name: string): Promise<unknown[]> =>
      (await samplesOf(registry, name)).map(({ labels, value }) => [labels.caller, value]);
    expect(await valuesOf("moleculer_request_total")).toEqual([
      ["http-cart", 3],
      ["", 1],
    ]);
    expect(await valuesOf("moleculer_request_active")).toEqual([
      ["http-cart", 2],
      ["", 1],
    ]);
    const times = (await samplesOf(registry, "moleculer_request_duration_seconds")).map(({ name, labels, value }) => [
      `${name.slice("moleculer_request_duration_seconds".length)} ${labels.le ?? ""}`,
      value,
    ]);
    expect(Object.fromEntries(times)).toMatchObject({
      "_bucket 0.01": 0,
      "_bucket 0.025": 1,
      "_bucket +Inf": 1,
      "_count ": 1,
      "_sum ": 0.02,
    });
  });

  test("errors of endless kinds do not make endless series", async () => {
    const registry = new Registry();
    const series = new CallMetrics(registry, "moleculer_request", "requests", ["action"]).bind({ action: "a.b" })(null);
    for (let code = 0; code < 1_000; code++) series.fail({ name: "Error", code });
    const errors = await samplesOf(registry, "moleculer_request_error_total");
    expect(errors.length).toBeLessThanOrEqual(51);
    expect(errors.reduce((sum, { value }) => sum + value, 0)).toBe(1_000);
  });
});

test("a metric that is read leaves out what it cannot know, and is replaced by one of its name", async () => {
  const registry = new Registry();
  let depth: number | undefined = 4;
  const first = (): number => 1;
  readMetric(registry, "queue_depth", "Depth", first);
  readMetric(registry, "queue_depth", "Depth", () => depth);
  expect(await samplesOf(registry, "queue_depth")).toEqual([{ name: "queue_depth", labels: {}, value: 4 }]);
  depth = undefined;
  expect(await samplesOf(registry, "queue_depth")).toEqual([]);
  depth = 2;
  expect(await samplesOf(registry, "queue_depth")).toEqual([{ name: "queue_depth", labels: {}, value: 2 }]);
});
