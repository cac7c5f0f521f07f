import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { rule } from "../../broker/contract/rules.ts";
import { STATES } from "./statuses.ts";

const count = { type: "number", integer: true } as const;
const names = { type: "array", items: { type: "string" } } as const;
const milliseconds = { type: "number", nullable: true, description: "Milliseconds; null without a request" } as const;

export const stateRule = rule({
  type: "enum",
  values: STATES,
  description:
    "`degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent " +
    "for three intervals of five seconds",
});
export const entryRule = rule({ type: "enum", values: ENTRY_POINTS });

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
  pending: { ...count, description: "Events that wait for a consumer group" },
  dead: { ...count, description: "Dead letters" },
  oldestAgeMs: { type: "number", description: "Age of the oldest event that waits" },
} as const;

const failuresRule = rule({
  type: "array",
  items: {
    type: "object",
    title: "ProviderFailures",
    props: { provider: { type: "string" }, reason: { type: "string" }, count },
  },
});

/** A start of a node, before or after another. */
const otherRunRule = rule({
  type: "object",
  nullable: true,
  props: { node: { type: "string" }, startedAt: { type: "date" }, state: stateRule },
});

export const nodeRule = rule({
  type: "object",
  title: "NodeHealth",
  props: {
    node: { type: "string" },
    host: { type: "string" },
    version: { type: "string" },
    state: stateRule,
    startedAt: { type: "date" },
    heardAt: { type: "date", description: "Time of its last report" },
    services: names,
    entryPoints: {
      type: "array",
      items: {
        type: "object",
        props: {
          entry: entryRule,
          state: stateRule,
          failing: { ...names, description: "Dependencies that are not ok" },
        },
      },
    },
    failing: { ...names, description: "Dependencies that the node needs and does not have" },
    eventLoop: {
      type: "object",
      props: { p99Ms: { type: "number" }, maxMs: { type: "number" }, utilization: { type: "number" } },
    },
    memory: { type: "object", props: { rss: count, heapUsed: count } },
    queue: { type: "object", nullable: true, props: queueProps },
    replaces: {
      ...otherRunRule,
      description: "The ended node with the same services that it replaced. Each such start is a restart",
    },
    replacedBy: { ...otherRunRule, description: "Who took its place" },
    restarts: { ...count, description: "Restarts before it, one after another, in the last 24 hours" },
  },
});

export const nodePointRule = rule({
  type: "object",
  title: "NodeHistoryPoint",
  props: {
    at: { type: "date", description: "Beginning of the interval" },
    samples: count,
    entryPoints: {
      type: "array",
      items: {
        type: "object",
        props: {
          entry: { type: "string" },
          up: count,
          degraded: count,
          down: { ...count, description: "Samples in this state" },
        },
      },
    },
    eventLoop: { type: "object", props: { p99Ms: { type: "number" }, maxMs: { type: "number" } } },
    memory: { type: "object", props: { rss: count } },
    traffic: { type: "object", props: latencyProps },
    failures: failuresRule,
  },
});

export const entryPointRule = rule({
  type: "object",
  title: "EntryPointHealth",
  props: {
    entry: entryRule,
    state: stateRule,
    nodes: {
      type: "array",
      items: { type: "object", props: { node: { type: "string" }, state: stateRule, failing: names } },
    },
    samples: { ...count, description: "Of the period, on all nodes" },
    availability: {
      type: "number",
      nullable: true,
      description: "Share of these samples in which it accepted requests; null without any",
    },
  },
});

export const incidentRule = rule({
  type: "object",
  title: "Incident",
  props: {
    id: { type: "string" },
    kind: { type: "enum", values: ["node", "dependency", "queue", "dead-letters", "sync"] },
    cause: { type: "string", description: "In words" },
    subject: { type: "string", description: "The dependency, what the lost node ran, or the vendor of the sync" },
    nodes: names,
    entryPoints: names,
    startedAt: { type: "date" },
    endedAt: { type: "date", nullable: true },
    open: { type: "boolean" },
    spells: {
      ...count,
      description: "Number of occurrences: a failure that returns within a minute is the same incident",
    },
  },
});

export const trafficOverviewRule = rule({
  type: "object",
  props: { ...latencyProps, failures: { ...failuresRule, description: "Failed requests to external providers" } },
});

export const spanProps = {
  from: { type: "date", description: "In whole minutes; in whole hours where it is more than a week ago" },
  to: { type: "date" },
} as const;
