import { type ErrorForm, createClosedSchema, type Json, type JsonSchema } from "@partline/api-contracts";
import { ERROR_CATALOGUE, type ErrorCode } from "../../../mixins/errors.ts";
import type { PlainAccess } from "../../auth/access.ts";
import { createErrorBody } from "../../http/errors.ts";
import { listPathParams, type Route } from "../../http/routes.ts";

/** Refers to a header of RESPONSE_HEADERS. */
export const refToHeader = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
/** The header of every answer. */
export const REQUEST_ID: Json = { "X-Request-Id": refToHeader("RequestId") };

const ANY_ROUTE: readonly ErrorCode[] = [
  "VALIDATION_FAILED",
  "METHOD_NOT_ALLOWED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "DATABASE_UNAVAILABLE",
  "SERVICE_UNAVAILABLE",
  "TIMEOUT",
];

/** Every error of a route: its action's, and the gateway's. */
export function listErrorCodes(route: Route, access: PlainAccess): ErrorCode[] {
  const codes = new Set<ErrorCode>([...route.definition.errors, ...ANY_ROUTE]);
  if (access !== "none") codes.add("UNAUTHORIZED").add("PROVIDER_ERROR");
  if (route.http.scope !== undefined && access !== "none") codes.add("FORBIDDEN");
  if (listPathParams(route.path).length > 0) codes.add("NOT_FOUND");
  if (route.bodyKind === "json") codes.add("INVALID_JSON");
  if (route.definition.once) codes.add("IDEMPOTENCY_KEY_REUSED").add("IDEMPOTENCY_KEY_IN_USE");
  if (route.http.answer === "file") codes.add("PRECONDITION_FAILED").add("RANGE_NOT_SATISFIABLE");
  if (route.bodyKind !== "none") codes.add("UNSUPPORTED_MEDIA_TYPE");
  if (route.bodyKind === "json" || route.bodyKind === "raw") codes.add("PAYLOAD_TOO_LARGE");
  return Object.keys(ERROR_CATALOGUE).filter((code): code is ErrorCode => codes.has(code as ErrorCode));
}

export function createErrorResponses(codes: readonly ErrorCode[], form: ErrorForm = "envelope"): Json {
  const codesByStatus = Map.groupBy(codes, (code) => ERROR_CATALOGUE[code].status);
  return Object.fromEntries(
    [...codesByStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        {
          description: list.map((code) => ERROR_CATALOGUE[code].meaning).join(". "),
          headers: { ...REQUEST_ID, ...HEADERS_OF[status] },
          content: {
            "application/json": {
              schema: { $ref: `#/components/schemas/${SCHEMA_OF[form]}` },
              examples: Object.fromEntries(
                list.map((code) => [
                  code,
                  form === "envelope" ? { $ref: `#/components/examples/${code}` } : createErrorExample(code, form),
                ]),
              ),
            },
          },
        },
      ]),
  );
}

export function createJsonResponse(
  description: string,
  schema: JsonSchema,
  example: unknown,
): Json & { headers: Json } {
  return {
    description,
    headers: REQUEST_ID,
    content: { "application/json": { schema, example } },
  };
}

export const wrapInEnvelope = (data: JsonSchema): JsonSchema => createClosedSchema({ success: { const: true }, data });

const SCHEMA_OF: Record<ErrorForm, string> = { envelope: "Error", message: "ErrorWithMessage", detail: "ErrorDetail" };

const ENVELOPE_PROPERTIES: Record<string, JsonSchema> = {
  success: { const: false },
  error: createClosedSchema(
    {
      code: { type: "string", enum: Object.keys(ERROR_CATALOGUE) },
      message: { type: "string" },
      details: { description: "More about the code; every refused field as `{ field, message }`, for example" },
    },
    ["code", "message"],
  ),
};

export const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Error: createClosedSchema(ENVELOPE_PROPERTIES),
  ErrorWithMessage: createClosedSchema({
    ...ENVELOPE_PROPERTIES,
    message: { type: "string", description: "The error's message again, where Algolia's clients look for it" },
    status: { type: "integer", description: "The status again" },
  }),
  ErrorDetail: createClosedSchema({ detail: { type: "string" } }),
};

export const ERROR_EXAMPLES: Json = Object.fromEntries(
  (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map((code) => [code, createErrorExample(code, "envelope")]),
);

function createErrorExample(code: ErrorCode, form: ErrorForm): Json {
  const { status, meaning } = ERROR_CATALOGUE[code];
  return { summary: meaning, value: createErrorBody({ status, code, message: meaning }, form) };
}

export const RESPONSE_HEADERS: Json = {
  RequestId: {
    description:
      "The request's id in logs and traces: the one that was sent, if it has 1 to 128 letters, digits, `.`, `_` and `-`",
    schema: { type: "string" },
  },
  RetryAfter: { description: "Seconds", schema: { type: "integer", minimum: 1 } },
  IdempotentReplayed: {
    description: "The answer is that of an earlier request with this Idempotency-Key",
    schema: { const: "true" },
  },
  Allow: { description: "The methods of this path", schema: { type: "string" } },
  Challenge: { description: "The scheme that is asked for", schema: { const: "Bearer" } },
  RateLimitLimit: { description: "Requests that a client has in a window", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Requests that are left in this window", schema: { type: "integer" } },
  RateLimitReset: { description: "Seconds until the next window", schema: { type: "integer" } },
};

const HEADERS_OF: Readonly<Record<number, Json>> = {
  401: { "WWW-Authenticate": refToHeader("Challenge") },
  405: { Allow: refToHeader("Allow") },
  429: {
    "Retry-After": refToHeader("RetryAfter"),
    "RateLimit-Limit": refToHeader("RateLimitLimit"),
    "RateLimit-Remaining": refToHeader("RateLimitRemaining"),
    "RateLimit-Reset": refToHeader("RateLimitReset"),
  },
  503: { "Retry-After": refToHeader("RetryAfter") },
};
