import type { PlainAccess } from "../auth/access.ts";
import { securityOf } from "./operation.ts";
import { errorResponses, jsonResponse } from "./responses.ts";
import type { JsonSchema } from "./schema.ts";

type Json = Record<string, unknown>;

const HEALTH: JsonSchema = {
  type: "object",
  properties: {
    status: { type: "string", enum: ["ok", "degraded", "starting", "draining"] },
    version: { type: "string" },
    uptime: { type: "integer", description: "Of the process; seconds" },
    dependencies: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { status: { type: "string", enum: ["ok", "error"] }, latencyMs: { type: "number", description: "Time that the check took" } },
        required: ["status", "latencyMs"],
        additionalProperties: false,
      },
    },
  },
  required: ["status", "version", "uptime", "dependencies"],
  description: "A service may add fields of its own",
};

const READY: JsonSchema = {
  ...HEALTH,
  properties: { ready: { type: "boolean" }, ...(HEALTH.properties as Json) },
  required: ["ready", ...(HEALTH.required as string[])],
};

const LIVE: JsonSchema = { type: "object", properties: { status: { const: "ok" } }, required: ["status"], additionalProperties: false };

/** What an entry point answers itself; `metrics` is what /metrics asks for here. */
export function pageOperations(metrics: PlainAccess): Record<string, { get: Json }> {
  return {
    "/health": page("health", "The health of this entry point and of what it depends on", { 200: jsonResponse("The process answers", HEALTH) }),
    "/health/ready": page("healthReady", "Whether requests can be served now", {
      200: jsonResponse("Ready", READY),
      503: { ...jsonResponse("Starting, draining, or without something that it needs", READY), headers: retryLater },
    }),
    "/health/live": page("healthLive", "Whether the process is alive", { 200: jsonResponse("Alive", LIVE) }),
    "/metrics": page(
      "metrics",
      "Metrics in Prometheus text format",
      {
        200: { description: "Metrics", headers: requestId, content: { "text/plain": { schema: { type: "string" } } } },
        ...(metrics === "none" ? {} : errorResponses(["UNAUTHORIZED", "FORBIDDEN", "PROVIDER_ERROR"])),
        ...errorResponses(["RATE_LIMITED"]),
      },
      metrics,
    ),
    "/openapi.json": page("openapi", "This description", {
      200: jsonResponse("OpenAPI 3.1", { type: "object" }),
      ...errorResponses(["RATE_LIMITED"]),
    }),
  };
}

const requestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
const retryLater = { ...requestId, "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

function page(operationId: string, summary: string, responses: Json, access: PlainAccess = "none"): { get: Json } {
  return {
    get: { operationId, tags: ["operations"], summary, security: securityOf(access), responses: { ...responses, ...errorResponses(["METHOD_NOT_ALLOWED", "INTERNAL_ERROR"]) } },
  };
}
