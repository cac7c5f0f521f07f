import { defineService, ENTRY_POINTS } from "../../broker/contract/define.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { array, boolean, date, integer, number, object, oneOf, rules, string } from "@partline/api-contracts";
import { createRoutes } from "../shared/routes.ts";

export const STATES = ["up", "degraded", "down", "starting", "stopped", "gone"] as const;
export type State = (typeof STATES)[number];

export const INCIDENT_KINDS = [
  "node",
  "dependency",
  "queue",
  "dead-letters",
  "sync",
  "orders",
  "refunds",
  "mails",
  "shipping",
  "disk",
] as const;

export const INTERVALS = ["minute", "hour", "day"] as const;
export type Level = (typeof INTERVALS)[number];

const count = integer();
const createCountRule = (description: string) => integer({ description });
const names = array(string());
const milliseconds = number({ nullable: true, description: "Milliseconds; null without a request" });

const stateRule = oneOf(STATES, {
  description:
    "`degraded`: a dependency is missing; `down`: refuses requests; `stopped`: stopped on request; `gone`: silent " +
    "for three intervals of five seconds",
});
const entryRule = oneOf(ENTRY_POINTS);

const latencyProps = {
  requests: count,
  errors: createCountRule("Requests answered with 5xx"),
  meanMs: milliseconds,
  p50Ms: {
    ...milliseconds,
    description: "Milliseconds, as exact as the histogram's buckets; 10000 means 10000 or more. Null without a request",
  },
  p95Ms: milliseconds,
  p99Ms: milliseconds,
} as const;

const queueProps = {
  outbox: createCountRule("Events not yet relayed"),
  pending: createCountRule("Events that wait for consumers, and tasks that are due"),
  dead: createCountRule("Dead letters"),
  oldestAgeMs: number({ description: "Age of the oldest waiting event" }),
} as const;

const failuresRule = array(object("ProviderFailures", { provider: string(), reason: string(), count }));

/** Another start of the node: the one before or after. */
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
  failing: { ...names, description: "Dependencies that the node needs and cannot reach" },
  eventLoop: object({ p99Ms: number(), maxMs: number(), utilization: number() }),
  memory: object({ rss: count, heapUsed: count }),
  queue: object(queueProps, { nullable: true }),
  replaces: {
    ...otherRunRule,
    description: "The node with the same services that this one replaced, which counts as a restart",
  },
  replacedBy: { ...otherRunRule, description: "The node that replaced this one" },
  restarts: createCountRule("Consecutive restarts that led to this node, in the last 24 hours"),
});

const nodePointRule = object("NodeHistoryPoint", {
  at: date({ description: "Start of the interval" }),
  samples: count,
  entryPoints: array(
    object({
      entry: string(),
      up: count,
      degraded: count,
      down: createCountRule("Samples in which it was down"),
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
  samples: createCountRule("Samples of the period, on all nodes"),
  availability: number({
    nullable: true,
    description: "Share of the samples in which it accepted requests, 0 to 1; null without samples",
  }),
});

export const incidentRule = object("Incident", {
  id: string(),
  kind: oneOf(INCIDENT_KINDS, {
    description:
      "`orders`: none in hours that usually bring several; `refunds`: due for an hour; `mails`: several were refused " +
      "in a day, or one waits for 15 minutes; `disk`: less than a tenth is free",
  }),
  cause: string({ description: "A sentence" }),
  subject: string({ description: "The dependency, the services of the lost node, or the vendor of the sync" }),
  nodes: names,
  entryPoints: names,
  startedAt: date(),
  endedAt: date({ nullable: true }),
  open: boolean(),
  spells: createCountRule("Number of occurrences; a failure that returns within a minute continues the same incident"),
});

const trafficOverviewRule = object({
  ...latencyProps,
  failures: { ...failuresRule, description: "Failed requests to external providers" },
});

const spanProps = {
  from: date({ description: "Rounded to minutes, or to hours if more than a week ago" }),
  to: date(),
} as const;

const entries = ["health-analytics", "gateway"] as const;
const route = createRoutes("system", { entries, access: "internal", envelope: false, base: "/api/health-analytics/" });
const asOf = date({ description: "Time of the data" });

const periodParams = rules({
  from: { ...isoMomentRule, description: "ISO 8601, inclusive. Default: 24 hours before `to`" },
  to: { ...isoMomentRule, description: "ISO 8601, exclusive; a date includes that day. Default: now" },
});

const intervalParam = oneOf(INTERVALS, {
  optional: true,
  description: "`minute` for at most a day, `hour` for at most 31 days. Default: chosen by the length of the period",
});

export const healthAnalyticsContract = defineService({
  name: "health-analytics",
  summary: "Health of every node and entry point, now and in the past: latency, queues, restarts, incidents",
  actions: {
    overview: {
      summary: "Get an overview of the system's health",
      params: {},
      result: object("HealthOverview", {
        asOf,
        state: oneOf(["up", "degraded", "down"], {
          description: "`down`: an entry point that was not stopped on request has no node",
        }),
        nodes: object(
          { up: count, degraded: count, down: count, starting: count, stopped: count, gone: count },
          { description: "Nodes by state, without replaced ones" },
        ),
        entryPoints: array(object({ entry: entryRule, state: stateRule })),
        incidents: array(incidentRule, { description: "Open incidents" }),
        queue: object(queueProps, {
          nullable: true,
          description: "The largest figures that any node reports; null without a report",
        }),
        traffic: { ...trafficOverviewRule, description: "Requests of the last 15 minutes" },
        restarts: createCountRule("Restarts in the last 24 hours"),
      }),
      errors: [],
      http: route("GET", "overview"),
    },

    nodes: {
      summary: "List the nodes of the last 24 hours, newest first",
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
      summary: "List the entry points with their state on each node and their availability",
      params: periodParams,
      result: object({ asOf, ...spanProps, entryPoints: array(entryPointRule) }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "entry-points"),
    },

    latency: {
      summary: "Get response times by entry point and route",
      description: "Percentiles are computed over all requests of the period, not averaged.",
      params: {
        ...periodParams,
        entry: { ...entryRule, optional: true },
        route: string({
          min: 1,
          max: 300,
          optional: true,
          description: "Template of the path",
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
          { description: "Most requests first" },
        ),
      }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "latency"),
    },

    queues: {
      summary: "Get the numbers of waiting events and dead letters over time",
      description:
        "Each interval has the largest figures that any node reported. Intervals without a report are left out.",
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
      summary: "List the incidents of a period, newest first",
      description: "Includes every incident that was open at some time in the period.",
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
