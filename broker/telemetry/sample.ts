import type { Counter, Histogram } from "prom-client";
import { ENTRY_POINTS } from "../contract/define.ts";
import {
  array,
  boolean,
  date,
  type InferRules,
  integer,
  number,
  object,
  oneOf,
  rules,
  string,
} from "../contract/rules.ts";

/** Plain event; a lost one is missed only in `traffic` and `failures`. */
export const SAMPLE_EVENT = "node.sample";
/** Between two samples of a node. */
export const SAMPLE_MS = 5_000;

const count = integer({ min: 0 });
const amount = number({ min: 0 });
const name = string({ max: 200 });
const names = array(name);

/** `traffic` and `failures` are since the sample before. */
export const sampleRules = rules({
  v: oneOf([1]),
  node: name,
  host: name,
  version: name,
  startedAt: date(),
  at: date(),
  leaving: boolean({ description: "The node is stopping; this is its last sample" }),
  services: names,
  entryPoints: array(
    object({
      entry: oneOf(ENTRY_POINTS),
      status: oneOf(["ok", "degraded", "starting", "draining"], { description: "As /health says it" }),
      ready: boolean({ description: "As /health/ready says it" }),
      failing: { ...names, description: "Dependencies that are not ok" },
    }),
  ),
  failing: { ...names, description: "Dependencies that the node needs and does not have" },
  eventLoop: object({
    p99: { ...amount, description: "How late, in milliseconds" },
    max: { ...amount, description: "How late, in milliseconds" },
    utilization: amount,
  }),
  memory: object({ rss: count, heapUsed: count }),
  queue: object({ outbox: count, pending: count, dead: count, oldestAgeMs: amount }, { optional: true }),
  traffic: array(
    object({
      entry: name,
      method: name,
      route: string({ max: 300, description: "The path's template" }),
      count,
      errors: { ...count, description: "Answered 5xx" },
      sum: { ...amount, description: "Milliseconds" },
      buckets: array(count, {
        description: "By the bounds of the HTTP metrics, not cumulative; the last is beyond them all",
      }),
    }),
  ),
  failures: array(object({ provider: name, reason: name, count })),
});

export type NodeSample = InferRules<typeof sampleRules>;
export type EntryPointSample = NodeSample["entryPoints"][number];
export type RouteTraffic = NodeSample["traffic"][number];
export type QueueSample = NonNullable<NodeSample["queue"]>;
export type ProviderFailures = NodeSample["failures"][number];

export function trafficSinceLast(http: Histogram): () => Promise<RouteTraffic[]> {
  const seen = new Map<string, number[]>();
  return async () => {
    const routes = new Map<string, RouteTraffic>();
    const { values } = await http.get();
    const series = Map.groupBy(values, ({ labels: { entry, method, route, status } }) =>
      [entry, method, route, status].join(" "),
    );
    for (const [name, samples] of series) {
      // Cumulative buckets, then sum and count.
      const now = samples.map(({ value }) => value);
      const before = seen.get(name);
      const [count = 0, sum = 0, ...downwards] = now.map((value, index) => value - (before?.[index] ?? 0)).reverse();
      if (count === 0) continue;
      seen.set(name, now);
      const { entry, method, route, status } = samples[0]!.labels;
      const traffic = {
        entry: String(entry),
        method: String(method),
        route: String(route),
        count,
        errors: Number(status) >= 500 ? count : 0,
        sum: sum * 1_000,
        buckets: downwards.map((upTo, index) => upTo - (downwards[index + 1] ?? 0)).reverse(),
      };
      const key = `${traffic.entry} ${traffic.method} ${traffic.route}`;
      routes.set(key, addTraffic(routes.get(key), traffic));
    }
    // Series that differ only in status are one.
    return [...routes.values()];
  };
}

/** Adds two accounts of the same route. */
export function addTraffic(one: RouteTraffic | undefined, other: RouteTraffic): RouteTraffic {
  if (!one) return other;
  return {
    ...other,
    count: one.count + other.count,
    errors: one.errors + other.errors,
    sum: one.sum + other.sum,
    buckets: other.buckets.map((count, index) => count + one.buckets[index]!),
  };
}

/** Returns a function that returns the failed requests to providers since its last call. */
export function failuresSinceLast(counter: Counter): () => Promise<ProviderFailures[]> {
  const seen = new Map<string, number>();
  return async () => {
    const { values } = await counter.get();
    return values.flatMap(({ labels, value }) => {
      const [provider, reason] = [String(labels.provider), String(labels.reason)];
      const key = `${provider} ${reason}`;
      const more = value - (seen.get(key) ?? 0);
      seen.set(key, value);
      return more > 0 ? [{ provider, reason, count: more }] : [];
    });
  };
}
