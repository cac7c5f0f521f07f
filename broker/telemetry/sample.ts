import { ENTRY_POINTS } from "../contract/define.ts";
import { rule, rules, type InferRules } from "../contract/rules.ts";

/** Plain event with a node's state; the next one makes up for a lost one, except for its `traffic` and `failures`. */
export const SAMPLE_EVENT = "node.sample";
export const SAMPLE_MS = 5_000;

const count = { type: "number", integer: true, min: 0 } as const;
const amount = { type: "number", min: 0 } as const;
const name = { type: "string", max: 200 } as const;
const names = { type: "array", items: name } as const;

const entryPointRule = rule({
  type: "object",
  props: {
    entry: { type: "enum", values: ENTRY_POINTS },
    status: { type: "enum", values: ["ok", "degraded", "starting", "draining"], description: "As /health says it" },
    ready: { type: "boolean", description: "As /health/ready says it" },
    failing: { ...names, description: "Dependencies that are not ok" },
  },
});

const trafficRule = rule({
  type: "object",
  props: {
    entry: name,
    method: name,
    route: { ...name, max: 300, description: "The path's template" },
    count,
    errors: { ...count, description: "Answered 5xx" },
    sum: { ...amount, description: "Milliseconds" },
    buckets: {
      type: "array",
      items: count,
      description: "By the bounds of the HTTP metrics, not cumulative; the last is beyond them all",
    },
  },
});

const queueRule = rule({
  type: "object",
  props: {
    outbox: count,
    pending: count,
    dead: count,
    oldestAgeMs: amount,
  },
});

const failureRule = rule({ type: "object", props: { provider: name, reason: name, count } });

/** `traffic` and `failures` are since the sample before; the rest is as of `at`. */
export const sampleRules = rules({
  v: { type: "enum", values: [1] },
  node: name,
  host: name,
  version: name,
  startedAt: { type: "date" },
  at: { type: "date" },
  leaving: { type: "boolean", description: "The last one: the node was told to stop" },
  services: names,
  entryPoints: { type: "array", items: entryPointRule },
  failing: { ...names, description: "Dependencies that the node needs and does not have" },
  eventLoop: {
    type: "object",
    props: {
      p99: { ...amount, description: "How late, in milliseconds" },
      max: { ...amount, description: "How late, in milliseconds" },
      utilization: amount,
    },
  },
  memory: { type: "object", props: { rss: count, heapUsed: count } },
  queue: { ...queueRule, optional: true },
  traffic: { type: "array", items: trafficRule },
  failures: { type: "array", items: failureRule },
});

export type NodeSample = InferRules<typeof sampleRules>;
export type EntryPointSample = NodeSample["entryPoints"][number];
export type RouteTraffic = NodeSample["traffic"][number];
export type QueueSample = NonNullable<NodeSample["queue"]>;
export type ProviderFailures = NodeSample["failures"][number];
