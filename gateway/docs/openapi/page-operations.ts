import type { Scope } from "../../../broker/contract/scopes.ts";
import type { PlainAccess } from "../../auth/access.ts";
import { createClosedSchema, type Json, type JsonSchema } from "@partline/api-contracts";
import { EXAMPLE_VERSION } from "../examples.ts";
import { createSecurity } from "./operation.ts";
import { createErrorResponses, refToHeader, createJsonResponse, REQUEST_ID } from "./responses.ts";

const CHECKED = createClosedSchema({
  status: { type: "string", enum: ["ok", "error"] },
  latencyMs: { type: "number", description: "Time that the check took" },
});

/** @param dependencySchemas schemas of reported dependencies by name; each is optional */
function createHealthSchema(
  dependencySchemas: Record<string, JsonSchema>,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  const properties = {
    ...more,
    status: { type: "string", enum: ["ok", "degraded", "starting", "draining"] },
    version: { type: "string" },
    uptime: { type: "integer", description: "Of the process; seconds" },
    dependencies: { type: "object", properties: dependencySchemas, additionalProperties: CHECKED },
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

const LIVE = createClosedSchema({ status: { const: "ok" } });

/** @param dependencySchemas schemas of reported dependencies by name */
export function createPageOperations(
  metrics: PlainAccess,
  dependencySchemas: Record<string, JsonSchema>,
): Record<string, { get: Json }> {
  const ready = createHealthSchema(dependencySchemas, { ready: { type: "boolean" } });
  return {
    "/health": page("health", "The health of this entry point and of what it depends on", {
      200: createJsonResponse("The process answers", createHealthSchema(dependencySchemas), HEALTH),
    }),
    "/health/ready": page("healthReady", "Whether requests can be served now", {
      200: createJsonResponse("Ready", ready, { ready: true, ...HEALTH }),
      503: {
        ...createJsonResponse("Starting, draining, or without something that it needs", ready, {
          ready: false,
          ...HEALTH,
          status: "starting",
        }),
        headers: { ...REQUEST_ID, "Retry-After": refToHeader("RetryAfter") },
      },
    }),
    "/health/live": page("healthLive", "Whether the process is alive", {
      200: createJsonResponse("Alive", LIVE, { status: "ok" }),
    }),
    "/metrics": page(
      "metrics",
      "Metrics in Prometheus text format",
      {
        200: { description: "Metrics", headers: REQUEST_ID, content: { "text/plain": { schema: { type: "string" } } } },
        ...createErrorResponses(["UNAUTHORIZED", "FORBIDDEN", "PROVIDER_ERROR", "RATE_LIMITED"]),
      },
      metrics,
      "system:read",
    ),
    "/openapi.json": page("openapi", "This description", {
      200: createJsonResponse("OpenAPI 3.1", { type: "object" }, { openapi: "3.1.1" }),
      ...createErrorResponses(["RATE_LIMITED"]),
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
      security: createSecurity(access, { scope }),
      responses: { ...responses, ...createErrorResponses(["METHOD_NOT_ALLOWED", "INTERNAL_ERROR"]) },
    },
  };
}
