import { defineService } from "../../broker/contract/define.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { integer, oneOf, rules } from "../../broker/contract/rules.ts";
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
    description: `From the start of this date (a day of the shop) or from this time on, at most ${MOST_DAYS} days before \`to\`; 30 days unless given`,
  },
  to: {
    ...isoMomentRule,
    description: "Before this time, or until the end of this date (a day of the shop); now unless given",
  },
});

const timeline = rules({
  ...period,
  interval: oneOf(["hour", "day"], {
    default: "day",
    description: `Of \`series\`; hour for at most ${MOST_DAYS_BY_HOUR} days`,
  }),
});

const limitRule = integer({ min: 1, max: 100, default: 20 });

const entries = ["analytics", "gateway"] as const;
const route = createRoutes("analytics", { entries, access: "internal", envelope: false, base: "/api/analytics/" });
const report = (path: string) => ({ errors: ["VALIDATION_FAILED" as const], http: route("GET", path) });

const COUNTED = "Counted from the event store, with a short delay: `as_of` and `behind` say how far.";

export const analyticsContract = defineService({
  name: "analytics",
  summary: "Figures counted from the event store: orders, revenue, conversion, parts and searches",
  actions: {
    overview: {
      summary: "Read the figures of a period at a glance",
      description: `Each figure is what the endpoint of its own says of it; the lists have five entries. ${COUNTED}`,
      params: period,
      result: overviewRule,
      ...report("overview"),
    },
    orders: {
      summary: "Count orders by state, and by hour or day",
      description: `The words mean what they mean in /api/admin/orders/stats. ${COUNTED}`,
      params: timeline,
      result: ordersRule,
      ...report("orders"),
    },
    revenue: {
      summary: "Read revenue and average order value, and by hour or day",
      description: `The words mean what they mean in /api/admin/orders/stats. ${COUNTED}`,
      params: timeline,
      result: revenueRule,
      ...report("revenue"),
    },
    conversion: {
      summary: "Read how many carts are checked out and paid, and by hour or day",
      description: `Carts and checkouts count in the hour of their beginning, regardless of when they are paid. ${COUNTED}`,
      params: timeline,
      result: conversionRule,
      ...report("conversion"),
    },
    parts: {
      summary: "List the parts that sold best",
      description: COUNTED,
      params: { ...period, sort: oneOf(["revenue", "quantity"], { default: "revenue" }), limit: limitRule },
      result: partsRule,
      ...report("parts"),
    },
    searches: {
      summary: "Count searches, and list what was searched for most",
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
      order: "In the order in which the event store has them; `from` and `to` choose by when they were made.",
      scope: "analytics:read",
      entries,
      place: ["", "0"],
    }),
    rebuild: {
      summary: "Rebuild the figures from the first event, beside the live ones",
      description:
        "The live figures are replaced in one step when the rebuild has caught up. A second request while one " +
        "runs joins it.",
      params: { projection: { ...projectionNameRule, optional: true, description: "All of them unless given" } },
      result: projectionsRule,
      errors: [],
      idempotent: true,
      audit: { object: "projection", id: "projection" },
      http: route("POST", "rebuild", { access: "admin", status: 202 }),
    },
  },
});
