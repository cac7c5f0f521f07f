import { defineService } from "../../broker/contract/define.ts";
import { any, array, boolean, integer, object, oneOf, sentBack, string } from "@partline/api-contracts";
import { createRoutes } from "../shared/routes.ts";
import { newOrderMailsRule, settingChanges, shopFields, workFields } from "../shared/shop-rules.ts";

const entries = ["user", "gateway"] as const;
const route = createRoutes("settings", { entries, access: "admin", envelope: true, base: "/api/admin/" });

export const shopRule = object("Shop", shopFields);

const settingsRule = object("Settings", {
  version: integer({ description: "Grows by one when a setting changes" }),
  pinned: array(string(), {
    description: "Settings that the environment sets (`SHOP_NAME`, `SHOP_SETTINGS`). They cannot be changed here",
    example: ["timeZone"],
  }),
  ...shopFields,
  newOrderMails: newOrderMailsRule,
  ...workFields,
});

/** What a new shop does before it opens, in this order. */
export const FIRST_STEPS = ["shop", "policies", "logo", "parts", "stock", "shipping", "sender", "payment"] as const;

export const settingsContract = defineService({
  name: "settings",
  summary: "What a shop says of itself, changed while the system runs",
  guestOf: entries,
  actions: {
    get: {
      summary: "Get the shop's settings",
      params: {},
      result: settingsRule,
      errors: [],
      http: route("GET", "settings"),
    },
    change: {
      summary: "Change the shop's settings",
      description:
        "Send only what changes; null restores the default, and a list replaces the whole list. Every node uses the " +
        "change within five seconds. With `version`, the change is refused if somebody else was faster. All settings " +
        "together have at most 300,000 bytes as JSON.",
      params: sentBack(settingsRule.props, {
        version: integer({ min: 0, optional: true, description: "The version that you have read" }),
        ...settingChanges,
      }),
      result: settingsRule,
      errors: ["VALIDATION_FAILED", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      audit: { object: "settings", read: "get" },
      http: route("PATCH", "settings"),
    },
    firstSteps: {
      summary: "List what a new shop does before it opens",
      description:
        "A step is done by what the stores and the environment have: nobody ticks it. Left out are `stock` where the " +
        "dealer's system counts, and `payment` outside of production.",
      params: {},
      result: object("FirstSteps", {
        steps: array(object("FirstStep", { step: oneOf(FIRST_STEPS), done: boolean() })),
      }),
      errors: ["SERVICE_UNAVAILABLE"],
      http: route("GET", "settings/first-steps"),
    },
    shop: {
      summary: "Get what the shop says of itself",
      params: {},
      result: shopRule,
      errors: [],
      http: [{ method: "GET", path: "/api/shop", entries, access: "none", envelope: true }],
    },
    stored: {
      summary: "What people have set, for every node; null if that is still this version",
      params: { version: integer({ min: 0 }) },
      result: object({ version: integer(), values: any({ nullable: true }) }),
      errors: [],
      idempotent: true,
    },
  },
});
