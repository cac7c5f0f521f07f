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
} from "@partline/api-contracts";

/** Plain event; the next one makes up for a lost one, except for its `traffic` and `failures`. */
export const SAMPLE_EVENT = "node.sample";
/** Between two samples of a node. */
export const SAMPLE_MS = 5_000;

const count = integer({ min: 0 });
const amount = number({ min: 0 });
const name = string({ max: 200 });
const names = array(name);

/** `traffic` and `failures` are since the sample before; the rest is as of `at`. */
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
