import type { ServiceContract } from "../../broker/contract/define.ts";
import { SCOPE_NAMES, type Scope } from "../../broker/contract/scopes.ts";
import { sessionIdRule } from "../../broker/contract/common.ts";
import type { Settings } from "../../broker/settings.ts";
import { plainAccess, type PlainAccess } from "../auth/authenticator.ts";
import { dependencyContributors } from "../health.ts";
import type { RouteTable } from "../routes.ts";
import { operationIdOf, operationOf, securityOf } from "./operation.ts";
import {
  ERROR_EXAMPLES,
  ERROR_SCHEMAS,
  RESPONSE_HEADERS,
  errorResponses,
  header,
  jsonResponse,
  REQUEST_ID,
} from "./responses.ts";
import { SchemaWriter, type Json, closed, type JsonSchema } from "./schema.ts";
import { EXAMPLE_VERSION } from "./examples.ts";

interface DocumentInput {
  table: RouteTable;
  contracts: readonly ServiceContract[];
  settings: Pick<Settings, "version" | "loopback" | "production">;
}

/** The OpenAPI 3.1 description of an entry point, from the contracts alone. */
export function openApiDocument({ table, contracts, settings }: DocumentInput): Json {
  const { entry, routes } = table;
  const schemas = new SchemaWriter();
  const ids = new Map<string, number>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const id = operationIdOf(route.action);
    const count = (ids.get(id) ?? 0) + 1;
    ids.set(id, count);
    const access = plainAccess(route.http.access, entry, settings);
    const operation = operationOf(route, access, count === 1 ? id : `${id}${count}`, schemas);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation;
  }
  const told = dependencyContributors(entry, contracts).flatMap(({ result }) =>
    result.type === "object" ? Object.entries(result.props) : [],
  );
  Object.assign(
    paths,
    pageOperations(
      plainAccess("internal", entry, settings),
      Object.fromEntries(told.map(([name, rule]) => [name, schemas.of(rule, "output")])),
    ),
  );
  const served = new Set(routes.map(({ service }) => service));
  return {
    openapi: "3.1.1",
    info: {
      title: entry === "gateway" ? "Partline" : `Partline: ${entry}`,
      version: settings.version,
      summary: "Back end of a shop for equipment spare parts and tires",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The address that this description came from" }],
    tags: [
      ...contracts.filter(({ name }) => served.has(name)).map(({ name, summary }) => ({ name, description: summary })),
      { name: "operations", description: "For operators and their tools" },
    ],
    paths,
    components: {
      schemas: { ...schemas.components(), ...ERROR_SCHEMAS },
      examples: ERROR_EXAMPLES,
      headers: RESPONSE_HEADERS,
      parameters: {
        SessionId: {
          name: "X-Session-Id",
          in: "header",
          description: "Identifies a guest; a UUID, for example. An empty value counts as none",
          required: false,
          schema: { type: "string", pattern: "^([A-Za-z0-9_-]{8,128})?$", examples: [sessionIdRule.example] },
          // Guests' carts are refused without one.
          example: sessionIdRule.example,
        },
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description:
            "For 24 hours, the same request of the same caller with this key is run once: repeats get the same " +
            "answer, with `Idempotent-Replayed`. With another request, it is refused. A UUID, for example",
          required: false,
          schema: { type: "string", pattern: "^[!-~]{1,255}$", examples: ["9f1c2b1e-6a7d-4c53-8f0e-2b1d7c9a4e55"] },
        },
      },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "A token of the identity provider. For staff, its role must have the scopes that are named",
        },
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "pl_live_…",
          description: `A system's key, with the scopes that are named: ${SCOPE_NAMES.map((scope) => `\`${scope}\``).join(", ")}`,
        },
        adminToken: {
          type: "apiKey",
          in: "header",
          name: "X-Admin-Token",
          description: "Admin token. A token of the identity provider with the role admin or owner opens the same",
        },
        sessionId: {
          type: "apiKey",
          in: "header",
          name: "X-Session-Id",
          description: "A guest's id, made by the storefront; a UUID, for example",
        },
      },
    },
  };
}

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
