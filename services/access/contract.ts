import { oneLine, paginationRule, pagingParams } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { array, date, object, oneOf, string } from "../../broker/contract/rules.ts";
import { SCOPE_NAMES } from "../../broker/contract/scopes.ts";

const route = { entries: ["user", "gateway"], access: "admin", envelope: true } as const;

const keyIdRule = string({ max: 100, example: "key_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });
const scopesRule = array(oneOf(SCOPE_NAMES), { min: 1, max: SCOPE_NAMES.length, example: ["orders:read"] });

const keyRule = object("Key", {
  keyId: keyIdRule,
  name: string({ example: "ERP" }),
  scopes: scopesRule,
  createdBy: string({ example: "user:user_2k9XbQ", description: "As in the audit stream" }),
  createdAt: date(),
  expiresAt: date({ nullable: true }),
  revokedAt: date({ nullable: true }),
  lastUsedAt: date({ nullable: true, description: "To the minute" }),
});

export const accessContract = defineService({
  name: "access",
  summary: "Who may do what, and who did it: systems' keys and the audit stream",
  guestOf: ["user", "gateway"],
  actions: {
    createKey: {
      summary: "Make a key for a system",
      description:
        "The answer alone has the key, which is kept as a hash. It is sent as the bearer token. Nobody can give a scope " +
        "that they do not have.",
      params: {
        name: string({ min: 1, max: 100, ...oneLine, example: "ERP", description: "What uses it" }),
        scopes: scopesRule,
        expiresAt: date({ optional: true, description: "In the future; a key without it lives until it is revoked" }),
      },
      result: object("NewKey", {
        keyId: keyIdRule,
        key: string({ example: `pl_live_${"x".repeat(43)}` }),
      }),
      errors: ["VALIDATION_FAILED", "FORBIDDEN"],
      once: true,
      http: [{ ...route, scope: "keys:write", method: "POST", path: "/api/admin/keys", status: 201 }],
    },
    keys: {
      summary: "List keys",
      description: "Newest first, also those that are revoked.",
      params: pagingParams,
      result: object("KeyList", { keys: array(keyRule), pagination: paginationRule }),
      errors: [],
      idempotent: true,
      http: [{ ...route, scope: "keys:read", method: "GET", path: "/api/admin/keys" }],
    },
    key: {
      summary: "Get a key's name, scopes and last use",
      params: { keyId: keyIdRule },
      result: keyRule,
      errors: ["NOT_FOUND"],
      idempotent: true,
      http: [{ ...route, scope: "keys:read", method: "GET", path: "/api/admin/keys/{keyId}" }],
    },
    revokeKey: {
      summary: "Revoke a key",
      description: "It ends within five seconds on every node. A second revocation changes nothing.",
      params: { keyId: keyIdRule },
      result: keyRule,
      errors: ["NOT_FOUND"],
      http: [{ ...route, scope: "keys:write", method: "DELETE", path: "/api/admin/keys/{keyId}" }],
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
});
