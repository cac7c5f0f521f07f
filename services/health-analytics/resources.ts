import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, number, object, oneOf, string } from "../../broker/contract/rules.ts";

export const STATES = ["up", "degraded", "down", "starting", "stopped", "gone"] as const;
export type State = (typeof STATES)[number];

export const INTERVALS = ["minute", "hour", "day"] as const;
export type Level = (typeof INTERVALS)[number];

const count = integer();
const names = array(string());
const milliseconds = number({ nullable: true, description: "Milliseconds; null without a request" });

export const stateRule = oneOf(STATES, {
  description:
    "`degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent " +
    "for three intervals of five seconds",
});
export const entryRule = oneOf(ENTRY_POINTS);

export const latencyProps = {
  requests: count,
  errors: { ...count, description: "Answered 5xx" },
  meanMs: milliseconds,
  p50Ms: {
    ...milliseconds,
    description: "As exact as the histogram's buckets; 10000 stands for that and more. Null without a request",
  },
  p95Ms: milliseconds,
  p99Ms: milliseconds,
} as const;

export const queueProps = {
  outbox: { ...count, description: "Events that are not relayed yet" },
  pending: { ...count, description: "Events that wait for a consumer group, and tasks that are due" },
  dead: { ...count, description: "Dead letters" },
  oldestAgeMs: number({ description: "Age of the oldest event that waits" }),
} as const;

const failuresRule = array(object("ProviderFailures", { provider: string(), reason: string(), count }));

/** A start of a node, before or after another. */
const otherRunRule = object({ node: string(), startedAt: date(), state: stateRule }, { nullable: true });

export const nodeRule = object("NodeHealth", {
  node: string(),
  host: string(),
  version: string(),
  state: stateRule,
  startedAt: date(),
  heardAt: date({ description: "Time of its last report" }),
  services: names,
  entryPoints: array(
    object({
      entry: entryRule,
      state: stateRule,
      failing: { ...names, description: "Dependencies that are not ok" },
    }),
  ),
  failing: { ...names, description: "Dependencies that the node needs and does not have" },
  eventLoop: object({ p99Ms: number(), maxMs: number(), utilization: number() }),
  memory: object({ rss: count, heapUsed: count }),
  queue: object(queueProps, { nullable: true }),
  replaces: {
    ...otherRunRule,
    description: "The ended node with the same services that it replaced. Each such start is a restart",
  },
  replacedBy: { ...otherRunRule, description: "Who took its place" },
  restarts: { ...count, description: "Restarts before it, one after another, in the last 24 hours" },
});

export const nodePointRule = object("NodeHistoryPoint", {
  at: date({ description: "Beginning of the interval" }),
  samples: count,
  entryPoints: array(
    object({
      entry: string(),
      up: count,
      degraded: count,
      down: { ...count, description: "Samples in this state" },
    }),
  ),
  eventLoop: object({ p99Ms: number(), maxMs: number() }),
  memory: object({ rss: count }),
  traffic: object(latencyProps),
  failures: failuresRule,
});

export const entryPointRule = object("EntryPointHealth", {
  entry: entryRule,
  state: stateRule,
  nodes: array(object({ node: string(), state: stateRule, failing: names })),
  samples: { ...count, description: "Of the period, on all nodes" },
  availability: number({
    nullable: true,
    description: "Share of these samples in which it accepted requests; null without any",
  }),
});

export const incidentRule = object("Incident", {
  id: string(),
  kind: oneOf(["node", "dependency", "queue", "dead-letters", "sync"]),
  cause: string({ description: "In words" }),
  subject: string({ description: "The dependency, what the lost node ran, or the vendor of the sync" }),
  nodes: names,
  entryPoints: names,
  startedAt: date(),
  endedAt: date({ nullable: true }),
  open: boolean(),
  spells: {
    ...count,
    description: "Number of occurrences: a failure that returns within a minute is the same incident",
  },
});

export const trafficOverviewRule = object({
  ...latencyProps,
  failures: { ...failuresRule, description: "Failed requests to external providers" },
});

export const spanProps = {
  from: date({ description: "In whole minutes; in whole hours where it is more than a week ago" }),
  to: date(),
} as const;
