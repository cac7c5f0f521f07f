import { defineService } from "../../broker/contract/define.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { integer, oneOf, rules } from "@partline/api-contracts";
import { exportAction } from "../shared/export-rules.ts";
import { createRoutes } from "../shared/routes.ts";
import { MOST_DAYS, MOST_DAYS_BY_HOUR } from "./resources.ts";
import {
  conversionRule,
  ordersRule,
  overviewRule,
  partsRule,
  projectionNameRule,
  projectionsRule,
  revenueRule,
  searchesRule,
  zeroHitsRule,
} from "./resources.ts";

const period = rules({
  from: {
    ...isoMomentRule,
    description: `A time, or a date in the shop's time zone; at most ${MOST_DAYS} days before \`to\`. Default: 30 days`,
  },
  to: {
    ...isoMomentRule,
    description: "A time (exclusive), or a date (to its end, in the shop's time zone). Default: now",
  },
});

const timeline = rules({
  ...period,
  interval: oneOf(["hour", "day"], {
    default: "day",
    description: `Interval of \`series\`; \`hour\` for at most ${MOST_DAYS_BY_HOUR} days`,
  }),
});

const limitRule = integer({ min: 1, max: 100, default: 20 });

const entries = ["analytics", "gateway"] as const;
const route = createRoutes("analytics", { entries, access: "internal", envelope: false, base: "/api/analytics/" });
const report = (path: string) => ({ errors: ["VALIDATION_FAILED" as const], http: route("GET", path) });

const COUNTED = "Counted from the event store with a short delay, which `as_of` and `behind` report.";

export const analyticsContract = defineService({
  name: "analytics",
  summary: "Figures counted from the event store: orders, revenue, conversion, parts and searches",
  actions: {
    overview: {
      summary: "Get an overview of a period's figures",
      description: `Has the same figures as the other reports, and the first five entries of their lists. ${COUNTED}`,
      params: period,
      result: overviewRule,
      ...report("overview"),
    },
    orders: {
      summary: "Count orders by state, in total and by hour or day",
      description: `Terms are those of /api/admin/orders/stats. ${COUNTED}`,
      params: timeline,
      result: ordersRule,
      ...report("orders"),
    },
    revenue: {
      summary: "Get revenue and average order value, in total and by hour or day",
      description: `Terms are those of /api/admin/orders/stats. ${COUNTED}`,
      params: timeline,
      result: revenueRule,
      ...report("revenue"),
    },
    conversion: {
      summary: "Count the carts that are checked out and paid, in total and by hour or day",
      description: `Carts and checkouts count in the hour in which they began, even if they are paid later. ${COUNTED}`,
      params: timeline,
      result: conversionRule,
      ...report("conversion"),
    },
    parts: {
      summary: "List the best-selling parts",
      description: COUNTED,
      params: { ...period, sort: oneOf(["revenue", "quantity"], { default: "revenue" }), limit: limitRule },
      result: partsRule,
      ...report("parts"),
    },
    searches: {
      summary: "Count searches, and list the most frequent ones",
      description: COUNTED,
      params: { ...timeline, limit: limitRule },
      result: searchesRule,
      ...report("searches"),
    },
    zeroHits: {
      summary: "List the most frequent searches without a result",
      description: COUNTED,
      params: { ...period, limit: limitRule },
      result: zeroHitsRule,
      ...report("searches/zero-hits"),
    },

    projections: {
      summary: "List the projections and their progress",
      params: {},
      result: projectionsRule,
      errors: [],
      http: route("GET", "projections"),
    },
    exportSearches: exportAction("searches", {
      what: "searches",
      order: "Sorted as in the event store; `from` and `to` select by the time of the search.",
      scope: "analytics:read",
      entries,
      place: ["", "0"],
    }),
    rebuild: {
      summary: "Rebuild the figures from the first event",
      description:
        "The rebuild runs beside the live figures and replaces them in one step when it has caught up. A request " +
        "during a rebuild joins it.",
      params: { projection: { ...projectionNameRule, optional: true, description: "Default: all" } },
      result: projectionsRule,
      errors: [],
      idempotent: true,
      audit: { object: "projection", id: "projection" },
      http: route("POST", "rebuild", { access: "admin", status: 202 }),
    },
  },
});
