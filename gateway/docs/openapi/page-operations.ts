import type { Scope } from "../../../broker/contract/scopes.ts";
import type { PlainAccess } from "../../auth/access.ts";
import { EXAMPLE_VERSION } from "./examples.ts";
import { securityOf } from "./operation.ts";
import { errorResponses, header, jsonResponse, REQUEST_ID } from "./responses.ts";
import { closed, type Json, type JsonSchema } from "./schema.ts";

const CHECKED = closed({
  status: { type: "string", enum: ["ok", "error"] },
  latencyMs: { type: "number", description: "Time that the check took" },
});

/** @param told schemas of reported dependencies by name; each is optional */
function healthSchema(told: Record<string, JsonSchema>, more: Record<string, JsonSchema> = {}): JsonSchema {
  const properties = {
    ...more,
    status: { type: "string", enum: ["ok", "degraded", "starting", "draining"] },
    version: { type: "string" },
    uptime: { type: "integer", description: "Of the process; seconds" },
    dependencies: { type: "object", properties: told, additionalProperties: CHECKED },
  };
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    description: "A service may add fields of its own",
  };
}

const HEALTH = {
  status: "ok",
  version: EXAMPLE_VERSION,
  uptime: 3_600,
  dependencies: { documents: { status: "ok", latencyMs: 0.4 } },
};

const LIVE = closed({ status: { const: "ok" } });

/** @param told schemas of reported dependencies by name */
export function pageOperations(metrics: PlainAccess, told: Record<string, JsonSchema>): Record<string, { get: Json }> {
  const ready = healthSchema(told, { ready: { type: "boolean" } });
  return {
    "/health": page("health", "The health of this entry point and of what it depends on", {
      200: jsonResponse("The process answers", healthSchema(told), HEALTH),
    }),
    "/health/ready": page("healthReady", "Whether requests can be served now", {
      200: jsonResponse("Ready", ready, { ready: true, ...HEALTH }),
      503: {
        ...jsonResponse("Starting, draining, or without something that it needs", ready, {
          ready: false,
          ...HEALTH,
          status: "starting",
        }),
        headers: { ...REQUEST_ID, "Retry-After": header("RetryAfter") },
      },
    }),
    "/health/live": page("healthLive", "Whether the process is alive", {
      200: jsonResponse("Alive", LIVE, { status: "ok" }),
    }),
    "/metrics": page(
      "metrics",
      "Metrics in Prometheus text format",
      {
        200: { description: "Metrics", headers: REQUEST_ID, content: { "text/plain": { schema: { type: "string" } } } },
        ...errorResponses(["UNAUTHORIZED", "FORBIDDEN", "PROVIDER_ERROR", "RATE_LIMITED"]),
      },
      metrics,
      "system:read",
    ),
    "/openapi.json": page("openapi", "This description", {
      200: jsonResponse("OpenAPI 3.1", { type: "object" }, { openapi: "3.1.1" }),
      ...errorResponses(["RATE_LIMITED"]),
    }),
  };
}

function page(
  operationId: string,
  summary: string,
  responses: Json,
  access: PlainAccess = "none",
  scope?: Scope,
): { get: Json } {
  return {
    get: {
      operationId,
      tags: ["operations"],
      summary,
      security: securityOf(access, { scope }),
      responses: { ...responses, ...errorResponses(["METHOD_NOT_ALLOWED", "INTERNAL_ERROR"]) },
    },
  };
}
