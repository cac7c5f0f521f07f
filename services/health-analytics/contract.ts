import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { INTERVALS } from "./statuses.ts";
import {
  entryPointRule,
  entryRule,
  incidentRule,
  latencyProps,
  nodePointRule,
  nodeRule,
  queueProps,
  spanProps,
  stateRule,
  trafficOverviewRule,
} from "./resources.ts";

const read = (path: string, ...others: "analytics"[]) =>
  ({
    idempotent: true,
    http: [
      {
        method: "GET",
        path: `/api/health-analytics/${path}`,
        entries: ["health-analytics", "gateway", ...others],
        access: "internal",
        envelope: false,
      },
    ],
  }) as const satisfies { idempotent: boolean; http: readonly HttpRoute[] };
const asOf = rule({ type: "date", description: "When this was so" });

const periodParams = rules({
  from: { ...isoMomentRule, description: "ISO 8601, inclusive; 24 hours before `to` unless given" },
  to: { ...isoMomentRule, description: "ISO 8601, exclusive, a date until its end; now unless given" },
});

const intervalParam = rule({
  type: "enum",
  values: INTERVALS,
  optional: true,
  description: "Minutes of at most a day, hours of at most 31 days; what suits the period unless given",
});

const count = { type: "number", integer: true } as const;

export const healthAnalyticsContract = defineService({
  name: "health-analytics",
  summary: "Health of every node and entry point, now and before: latency, queues, restarts, incidents",
  // The dashboard works without incidents, too.
  guestOf: ["analytics"],
  actions: {
    overview: {
      summary: "Get the health of the whole system at a glance",
      params: {},
      result: {
        type: "object",
        title: "HealthOverview",
        props: {
          asOf,
          state: {
            type: "enum",
            values: ["up", "degraded", "down"],
            description: "`down`: no node serves an entry point that was not stopped on request",
          },
          nodes: {
            type: "object",
            description: "Who was replaced does not count",
            props: { up: count, degraded: count, down: count, starting: count, stopped: count, gone: count },
          },
          entryPoints: { type: "array", items: { type: "object", props: { entry: entryRule, state: stateRule } } },
          incidents: { type: "array", items: incidentRule, description: "Those that are open" },
          queue: {
            type: "object",
            nullable: true,
            props: queueProps,
            description: "The largest figures that a node reports; null if none does",
          },
          traffic: { ...trafficOverviewRule, description: "Of the last 15 minutes" },
          restarts: { ...count, description: "In the last 24 hours" },
        },
      },
      errors: [],
      ...read("overview"),
    },

    nodes: {
      summary: "List the nodes of the last 24 hours, the newest first",
      params: {},
      result: { type: "object", props: { asOf, nodes: { type: "array", items: nodeRule } } },
      errors: [],
      ...read("nodes"),
    },

    node: {
      summary: "Get a node and its history",
      params: {
        nodeId: { type: "string", min: 1, max: 200, example: "shop-1-4711-1a2b3c4d" },
        ...periodParams,
        interval: intervalParam,
      },
      result: {
        type: "object",
        props: {
          asOf,
          node: nodeRule,
          ...spanProps,
          interval: { type: "enum", values: INTERVALS },
          history: {
            type: "array",
            items: nodePointRule,
            description: "Intervals without a report are left out",
          },
        },
      },
      errors: ["NOT_FOUND", "VALIDATION_FAILED"],
      ...read("nodes/{nodeId}"),
    },

    entryPoints: {
      summary: "List the entry points with their state on each node, and how available they were",
      params: periodParams,
      result: { type: "object", props: { asOf, ...spanProps, entryPoints: { type: "array", items: entryPointRule } } },
      errors: ["VALIDATION_FAILED"],
      ...read("entry-points"),
    },

    latency: {
      summary: "Get how long answers took, by entry point and route",
      description: "Percentiles of a period are those of all its requests: histograms are added up, never percentiles.",
      params: {
        ...periodParams,
        entry: { ...entryRule, optional: true },
        route: {
          type: "string",
          min: 1,
          max: 300,
          optional: true,
          description: "A path's template",
          example: "/api/orders/{orderId}",
        },
      },
      result: {
        type: "object",
        props: {
          ...spanProps,
          entryPoints: {
            type: "array",
            items: {
              type: "object",
              title: "EntryPointLatency",
              props: { entry: { type: "string" }, ...latencyProps },
            },
          },
          routes: {
            type: "array",
            description: "The most used first",
            items: {
              type: "object",
              title: "RouteLatency",
              props: {
                entry: { type: "string" },
                method: { type: "string" },
                route: { type: "string" },
                ...latencyProps,
              },
            },
          },
        },
      },
      errors: ["VALIDATION_FAILED"],
      ...read("latency"),
    },

    queues: {
      summary: "Get how much waited in the durable channels, and how many dead letters there were",
      description:
        "Each interval has the largest figures that a node reported. Intervals without a report are left out.",
      params: { ...periodParams, interval: intervalParam },
      result: {
        type: "object",
        props: {
          ...spanProps,
          interval: { type: "enum", values: INTERVALS },
          points: {
            type: "array",
            items: { type: "object", title: "QueuePoint", props: { at: { type: "date" }, ...queueProps } },
          },
        },
      },
      errors: ["VALIDATION_FAILED"],
      ...read("queues"),
    },

    incidents: {
      summary: "List incidents of a period, the newest first",
      description: "Those that began before its end and had not ended before its beginning.",
      params: {
        ...periodParams,
        open: {
          type: "boolean",
          optional: true,
          description: "true: only open ones; false: only ended ones",
        },
        limit: { type: "number", integer: true, min: 1, max: 1_000, default: 100 },
      },
      result: { type: "object", props: { ...spanProps, incidents: { type: "array", items: incidentRule } } },
      errors: ["VALIDATION_FAILED"],
      ...read("incidents", "analytics"),
    },
  },
});
