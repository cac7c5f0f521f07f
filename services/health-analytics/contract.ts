import { defineService, ENTRY_POINTS } from "../../broker/contract/define.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { array, boolean, date, integer, number, object, oneOf, rules, string } from "../../broker/contract/rules.ts";
import { createRoutes } from "../shared/routes.ts";

export const STATES = ["up", "degraded", "down", "starting", "stopped", "gone"] as const;
export type State = (typeof STATES)[number];

export const INTERVALS = ["minute", "hour", "day"] as const;
export type Level = (typeof INTERVALS)[number];

const count = integer();
const createCountRule = (description: string) => integer({ description });
const names = array(string());
const milliseconds = number({ nullable: true, description: "Milliseconds; null without a request" });

const stateRule = oneOf(STATES, {
  description:
    "`degraded`: something is missing; `down`: it refuses requests; `stopped`: on request; `gone`: silent " +
    "for three intervals of five seconds",
});
const entryRule = oneOf(ENTRY_POINTS);

const latencyProps = {
  requests: count,
  errors: createCountRule("Answered 5xx"),
  meanMs: milliseconds,
  p50Ms: {
    ...milliseconds,
    description: "As exact as the histogram's buckets; 10000 means 10000 or more. Null without a request",
  },
  p95Ms: milliseconds,
  p99Ms: milliseconds,
} as const;

const queueProps = {
  outbox: createCountRule("Events that are not relayed yet"),
  pending: createCountRule("Events that wait for a consumer group, and tasks that are due"),
  dead: createCountRule("Dead letters"),
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
  restarts: createCountRule("Restarts before it, one after another, in the last 24 hours"),
});

const nodePointRule = object("NodeHistoryPoint", {
  at: date({ description: "Beginning of the interval" }),
  samples: count,
  entryPoints: array(
    object({
      entry: string(),
      up: count,
      degraded: count,
      down: createCountRule("Samples in this state"),
    }),
  ),
  eventLoop: object({ p99Ms: number(), maxMs: number() }),
  memory: object({ rss: count }),
  traffic: object(latencyProps),
  failures: failuresRule,
});

const entryPointRule = object("EntryPointHealth", {
  entry: entryRule,
  state: stateRule,
  nodes: array(object({ node: string(), state: stateRule, failing: names })),
  samples: createCountRule("Of the period, on all nodes"),
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
  spells: createCountRule("Number of occurrences: a failure that returns within a minute is the same incident"),
});

const trafficOverviewRule = object({
  ...latencyProps,
  failures: { ...failuresRule, description: "Failed requests to external providers" },
});

const spanProps = {
  from: date({ description: "In whole minutes; in whole hours if it is more than a week ago" }),
  to: date(),
} as const;

const entries = ["health-analytics", "gateway"] as const;
const route = createRoutes("system", { entries, access: "internal", envelope: false, base: "/api/health-analytics/" });
const asOf = date({ description: "When this was so" });

const periodParams = rules({
  from: { ...isoMomentRule, description: "ISO 8601, inclusive; 24 hours before `to` unless given" },
  to: { ...isoMomentRule, description: "ISO 8601, exclusive, a date until its end; now unless given" },
});

const intervalParam = oneOf(INTERVALS, {
  optional: true,
  description: "Minutes of at most a day, hours of at most 31 days; what suits the period unless given",
});

export const healthAnalyticsContract = defineService({
  name: "health-analytics",
  summary: "Health of every node and entry point, now and before: latency, queues, restarts, incidents",
  actions: {
    overview: {
      summary: "Get the health of the whole system at a glance",
      params: {},
      result: object("HealthOverview", {
        asOf,
        state: oneOf(["up", "degraded", "down"], {
          description: "`down`: no node serves an entry point that was not stopped on request",
        }),
        nodes: object(
          { up: count, degraded: count, down: count, starting: count, stopped: count, gone: count },
          { description: "Replaced nodes do not count" },
        ),
        entryPoints: array(object({ entry: entryRule, state: stateRule })),
        incidents: array(incidentRule, { description: "Those that are open" }),
        queue: object(queueProps, {
          nullable: true,
          description: "The largest figures that a node reports; null if none does",
        }),
        traffic: { ...trafficOverviewRule, description: "Of the last 15 minutes" },
        restarts: createCountRule("In the last 24 hours"),
      }),
      errors: [],
      http: route("GET", "overview"),
    },

    nodes: {
      summary: "List the nodes of the last 24 hours, the newest first",
      params: {},
      result: object({ asOf, nodes: array(nodeRule) }),
      errors: [],
      http: route("GET", "nodes"),
    },

    node: {
      summary: "Get a node and its history",
      params: {
        nodeId: string({ min: 1, max: 200, example: "shop-1-4711-1a2b3c4d" }),
        ...periodParams,
        interval: intervalParam,
      },
      result: object({
        asOf,
        node: nodeRule,
        ...spanProps,
        interval: oneOf(INTERVALS),
        history: array(nodePointRule, { description: "Intervals without a report are left out" }),
      }),
      errors: ["NOT_FOUND", "VALIDATION_FAILED"],
      http: route("GET", "nodes/{nodeId}"),
    },

    entryPoints: {
      summary: "List the entry points with their state on each node, and how available they were",
      params: periodParams,
      result: object({ asOf, ...spanProps, entryPoints: array(entryPointRule) }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "entry-points"),
    },

    latency: {
      summary: "Get how long answers took, by entry point and route",
      description: "Percentiles of a period are those of all its requests: histograms are added up, never percentiles.",
      params: {
        ...periodParams,
        entry: { ...entryRule, optional: true },
        route: string({
          min: 1,
          max: 300,
          optional: true,
          description: "A path's template",
          example: "/api/orders/{orderId}",
        }),
      },
      result: object({
        ...spanProps,
        entryPoints: array(object("EntryPointLatency", { entry: string(), ...latencyProps })),
        routes: array(
          object("RouteLatency", {
            entry: string(),
            method: string(),
            route: string(),
            ...latencyProps,
          }),
          { description: "The most used first" },
        ),
      }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "latency"),
    },

    queues: {
      summary: "Get how much waited in the durable channels, and how many dead letters there were",
      description:
        "Each interval has the largest figures that a node reported. Intervals without a report are left out.",
      params: { ...periodParams, interval: intervalParam },
      result: object({
        ...spanProps,
        interval: oneOf(INTERVALS),
        points: array(object("QueuePoint", { at: date(), ...queueProps })),
      }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "queues"),
    },

    incidents: {
      summary: "List incidents of a period, the newest first",
      description: "Incidents that began before the end of the period and had not ended before its beginning.",
      params: {
        ...periodParams,
        open: boolean({ optional: true, description: "true: only open ones; false: only ended ones" }),
        limit: integer({ min: 1, max: 1_000, default: 100 }),
      },
      result: object({ ...spanProps, incidents: array(incidentRule) }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "incidents"),
    },
  },
});
