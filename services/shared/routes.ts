import { object, type HttpMethod } from "@partline/api-contracts";
import type { HttpRoute } from "../../broker/contract/define.ts";

/** Owners of a scope for GET, `OWNER:read`, and one for all other methods, `OWNER:write`. */
type Owner = "analytics" | "events" | "keys" | "orders" | "settings" | "system" | "users" | "webhooks";

/** Returns what makes the one route of an action; paths begin with `base`. */
export function createRoutes(
  owner: Owner,
  common: Omit<HttpRoute, "method" | "path" | "scope"> & { base?: string },
): (method: HttpMethod, path: string, more?: Partial<HttpRoute>) => HttpRoute[] {
  const { base = "", ...kind } = common;
  return (method, path, more) => [
    { method, path: base + path, scope: `${owner}:${method === "GET" ? "read" : "write"}`, ...kind, ...more },
  ];
}

/** The action by which a service that keeps files says that it can. */
export const readyWithObjects = {
  summary: "Check that the object store can be used",
  params: {},
  result: object({}),
  errors: ["SERVICE_UNAVAILABLE"],
  idempotent: true,
} as const;
