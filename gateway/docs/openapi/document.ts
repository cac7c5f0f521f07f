import type { ServiceContract } from "../../../broker/contract/define.ts";
import { SCOPE_NAMES } from "../../../broker/contract/scopes.ts";
import { sessionIdRule } from "../../../broker/contract/common.ts";
import type { Settings } from "../../../broker/settings.ts";
import { toPlainAccess } from "../../auth/access.ts";
import { listDependencyContributors } from "../../http/health.ts";
import type { RouteTable } from "../../http/routes.ts";
import { toOperationId, createOperation } from "./operation.ts";
import { ERROR_EXAMPLES, ERROR_SCHEMAS, RESPONSE_HEADERS } from "./responses.ts";
import { SchemaWriter, type Json } from "@partline/api-contracts";
import { createPageOperations } from "./page-operations.ts";

interface DocumentInput {
  table: RouteTable;
  contracts: readonly ServiceContract[];
  settings: Pick<Settings, "version" | "loopback" | "production">;
}

/** Leniency toward requests that schemas cannot express. */
const LENIENCE =
  "In a JSON body, null counts as absent wherever a field is optional, unless the field may be null. A GET ignores query " +
  "parameters that it does not document, and empty optional ones; with `Prefer: handling=strict` (RFC 7240) it refuses them, as " +
  "other methods do.";

/** The OpenAPI 3.1 description of an entry point, from the contracts alone. */
export function openApiDocument({ table, contracts, settings }: DocumentInput): Json {
  const { entry, routes } = table;
  const schemas = new SchemaWriter();
  const ids = new Map<string, number>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const id = toOperationId(route.action);
    const count = (ids.get(id) ?? 0) + 1;
    ids.set(id, count);
    const access = toPlainAccess(route.http.access, entry, settings);
    const operation = createOperation(route, access, count === 1 ? id : `${id}${count}`, schemas);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation;
  }
  const reportedDependencies = listDependencyContributors(entry, contracts).flatMap(({ result }) =>
    result.type === "object" ? Object.entries(result.props) : [],
  );
  Object.assign(
    paths,
    createPageOperations(
      toPlainAccess("internal", entry, settings),
      Object.fromEntries(reportedDependencies.map(([name, rule]) => [name, schemas.of(rule, "output")])),
    ),
  );
  const served = new Set(routes.map(({ service }) => service));
  return {
    openapi: "3.1.1",
    info: {
      title: entry === "gateway" ? "Partline" : `Partline: ${entry}`,
      version: settings.version,
      summary: "Back end of a shop for equipment spare parts and tires",
      description: LENIENCE,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The address that this description came from" }],
    tags: [
      ...contracts.filter(({ name }) => served.has(name)).map(({ name, summary }) => ({ name, description: summary })),
      { name: "operations", description: "For operators and their tools" },
    ],
    paths,
    components: {
      schemas: { ...schemas.listComponents(), ...ERROR_SCHEMAS },
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
