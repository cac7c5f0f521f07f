import { paginationRule, pagingParams, writtenLine } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { exportPageParams, exportPageRule } from "../../broker/contract/export-page.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { any, array, boolean, date, object, oneOf, string } from "@partline/api-contracts";
import { SCOPE_NAMES } from "../../broker/contract/scopes.ts";
import { createRoutes } from "../shared/routes.ts";

const entries = ["user", "gateway"] as const;
const route = createRoutes("keys", { entries, access: "admin", envelope: true, base: "/api/admin/" });

const keyIdRule = string({ max: 100, example: "key_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });
const scopesRule = array(oneOf(SCOPE_NAMES), { min: 1, max: SCOPE_NAMES.length, example: ["orders:read"] });

export const keyRule = object("Key", {
  keyId: keyIdRule,
  name: string({ example: "ERP" }),
  scopes: scopesRule,
  createdBy: string({ example: "user:user_2k9XbQ", description: "As in the audit stream" }),
  createdAt: date(),
  expiresAt: date({ nullable: true }),
  revokedAt: date({ nullable: true }),
  lastUsedAt: date({ nullable: true, description: "To the minute" }),
  webhookEndpoints: array(string({ example: "we_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }), {
    optional: true,
    description: "What the key created, which ends with it. Absent in lists, and while webhooks are unavailable",
  }),
});

const auditEntryRule = object("AuditEntry", {
  id: string(),
  at: date(),
  actor: string({
    description:
      "`user:…`, `key:…`, `admin` (the admin token), `system`, `payment-provider`, `identity-provider` or " +
      "`shipping-provider`",
  }),
  adminToken: boolean({ description: "The admin token was used" }),
  address: string({
    personal: true,
    nullable: true,
    description: "The client's address; for IPv6, the first 64 bits",
  }),
  requestId: string({ description: "As in `X-Request-Id`, logs and traces" }),
  action: string({ example: "order.adminShip" }),
  object: string({ nullable: true, example: "order" }),
  objectId: string({ nullable: true }),
  outcome: string({
    nullable: true,
    description: "`done`, `waiting` (`waitsFor` says for what), or the code of the refusal",
  }),
  changes: array(
    object("FieldChange", {
      field: string({ example: "shipments.0.carrier" }),
      before: any({ nullable: true, description: "A person's data is `***`" }),
      after: any({ nullable: true }),
    }),
    { nullable: true, description: "At most 200 changes; null if the action's object cannot be read" },
  ),
});

export const accessContract = defineService({
  name: "access",
  summary: "Who may do what, and who did it: keys of systems, and the audit stream",
  guestOf: entries,
  actions: {
    createKey: {
      summary: "Make a key for a system",
      description: "The answer alone has the key, a bearer token. Nobody can give a scope that they do not have.",
      params: {
        name: string({ ...writtenLine, max: 100, example: "ERP", description: "What uses it" }),
        scopes: scopesRule,
        expiresAt: date({
          optional: true,
          description: "Must be in the future. Without it, the key is valid until it is revoked",
        }),
      },
      result: object("NewKey", {
        keyId: keyIdRule,
        key: string({ example: `pl_live_${"x".repeat(43)}` }),
      }),
      errors: ["VALIDATION_FAILED", "FORBIDDEN"],
      once: true,
      audit: { object: "key", id: "keyId", read: "key" },
      http: route("POST", "keys", { status: 201, refusesKeys: true }),
    },
    keys: {
      summary: "List keys",
      description: "Newest first, including revoked ones.",
      params: pagingParams,
      result: object("KeyList", { keys: array(keyRule), pagination: paginationRule }),
      errors: [],
      http: route("GET", "keys"),
    },
    key: {
      summary: "Get a key's name, scopes and last use",
      params: { keyId: keyIdRule },
      result: keyRule,
      errors: ["NOT_FOUND"],
      http: route("GET", "keys/{keyId}"),
    },
    revokeKey: {
      summary: "Revoke a key",
      description: "Within five seconds on every node. Webhook endpoints that it created are disabled.",
      params: { keyId: keyIdRule },
      result: keyRule,
      errors: ["NOT_FOUND"],
      audit: { object: "key", id: "keyId", read: "key" },
      http: route("DELETE", "keys/{keyId}"),
    },
    audit: {
      summary: "List who did what",
      description:
        "Lists, newest first, what staff, keys and webhooks changed, and every use of the admin token. An entry is " +
        "written before its action runs: if it has no `outcome`, it is a read, or the process died during the action.",
      params: {
        ...pagingParams,
        actor: string({ min: 1, max: 300, optional: true, example: "user:user_2k9XbQ" }),
        action: string({ min: 1, max: 100, optional: true, example: "order.adminShip" }),
        object: string({ min: 1, max: 100, optional: true, example: "order", description: "Kind of the object" }),
        objectId: string({ min: 1, max: 500, optional: true, example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }),
        from: { ...isoMomentRule, description: "At or after the start of this date (a day of the shop) or this time" },
        to: { ...isoMomentRule, description: "Before this time, or until the end of this date (a day of the shop)" },
      },
      result: object("AuditList", { entries: array(auditEntryRule), pagination: paginationRule }),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "audit", { scope: "audit:read" }),
    },
    exportUser: {
      summary: "Export everything that is stored about a user",
      description:
        "For the user and for staff: profile, addresses, customer with saved cards, cart, saved carts, all orders, and what " +
        "checkouts hold; of a member of staff also their entries of the audit stream, with the client's address, without " +
        "what they changed (for others only with `audit:read`). The document is sent as it is read. Once the account is " +
        "deleted there is none.",
      params: {
        id: string({ example: "user_sandbox_customer", description: "The identity provider's user id" }),
        ...exportPageParams,
      },
      result: exportPageRule,
      errors: ["FORBIDDEN", "NOT_FOUND", "PROVIDER_ERROR"],
      timeout: 30_000,
      http: route("GET", "", {
        path: "/api/users/{id}/export",
        access: "optional",
        credentials: ["bearer", "adminToken"],
        scope: "users:read",
        answer: "pages",
        produces: ["application/json"],
      }),
    },
    usePage: {
      summary: "A page of an entry point, such as /metrics, was read with the admin token",
      params: { page: string() },
      result: object({ page: string() }),
      errors: [],
      audit: { object: "page", id: "page" },
    },
    findKey: {
      summary: "The key of a hash, for entry points; null if there is none, or it is revoked",
      params: { hash: string() },
      result: object({
        key: object({ keyId: string(), scopes: scopesRule, expiresAt: date({ nullable: true }) }, { nullable: true }),
      }),
      errors: [],
      idempotent: true,
    },
  },
  channels: {
    "key.revoked": {
      summary: "A key was revoked; what it created ends",
      recorded: null,
      payload: { keyId: string() },
    },
  },
});
