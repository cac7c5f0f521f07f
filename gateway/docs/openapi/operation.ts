import { pageSizeNames } from "../../../broker/contract/common.ts";
import {
  type Rule,
  type Rules,
  isRequired,
  type Json,
  type JsonSchema,
  type SchemaWriter,
} from "@partline/api-contracts";
import { createExample, createFieldsExample } from "../examples.ts";
import type { PlainAccess } from "../../auth/access.ts";
import type { Route } from "../../http/routes.ts";
import { EVENT_STREAM_HEADERS, FILE_REQUEST_HEADERS, createSuccessResponses } from "./answers.ts";
import { listErrorCodes, createErrorResponses } from "./responses.ts";

const JSON_TYPE = "application/json";

export function createOperation(route: Route, access: PlainAccess, id: string, schemas: SchemaWriter): Json {
  const { definition, http } = route;
  const parameters = createParameters(route, schemas);
  const requestBody = createRequestBody(route, schemas);
  return {
    operationId: id,
    tags: [route.service],
    summary: definition.summary,
    description: definition.description,
    ...(parameters.length > 0 ? { parameters } : {}),
    requestBody,
    security: createSecurity(access, http),
    responses: {
      ...createSuccessResponses(route, schemas),
      ...createErrorResponses(listErrorCodes(route, access), http.errors),
    },
  };
}

/** `cart.saveForCheckout` becomes cartSaveForCheckout; client code is generated from it. */
export function toOperationId(action: string): string {
  return action.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Alternatives; `{}` is no credential. What staff and keys need is a role of OpenAPI 3.1, section 4.8.30. */
export function createSecurity(
  access: PlainAccess,
  { scope, session, credentials }: Pick<Route["http"], "scope" | "session" | "credentials">,
): Json[] {
  const bearer = { bearer: [] };
  const adminToken = { adminToken: [] };
  const guest = session ? [{ sessionId: [] }] : [];
  const key = scope ? [{ key: [scope] }] : [];
  if (credentials) return [...credentials.map((scheme) => ({ [scheme]: [] })), ...key];
  switch (access) {
    case "none":
      return [];
    case "optional":
      return [{}, bearer, adminToken, ...guest, ...key];
    case "local":
      return [{}, adminToken, { bearer: [scope] }, ...key];
    case "user":
      return [bearer, ...key];
    case "admin":
    case "admin-token":
      return [adminToken, { bearer: [scope] }, ...key];
  }
}

function createParameters({ fields, http, definition }: Route, schemas: SchemaWriter): Json[] {
  return [
    ...createParametersIn("path", fields.path, schemas),
    ...createParametersIn("query", fields.query, schemas, http.examples),
    ...(http.session ? [{ $ref: "#/components/parameters/SessionId" }] : []),
    ...(definition.once ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(http.answer === "file" ? FILE_REQUEST_HEADERS : []),
    ...(http.answer === "event-stream" ? EVENT_STREAM_HEADERS : []),
    ...(http.headers ?? []).map((name) => {
      const example = http.examples?.[name];
      return { name, in: "header", required: true, ...withExample({ type: "string" }, example, true) };
    }),
  ];
}

function withExample(schema: JsonSchema, example: unknown, isFilledIn: boolean): Json {
  if (example === undefined) return { schema };
  return { schema: { ...schema, examples: [example] }, ...(isFilledIn ? { example } : {}) };
}

function createParametersIn(
  place: "path" | "query",
  rules: Rules,
  schemas: SchemaWriter,
  filledIn: Route["http"]["examples"] = {},
): Json[] {
  const size = place === "query" ? pageSizeNames(rules) : undefined;
  return Object.entries(rules).map(([name, rule]) => {
    // The parameter has the description itself.
    const { description: ruleDescription, ...schema } = schemas.of(rule, "input");
    const description = [ruleDescription, ...(name === size?.name ? [`\`${size.alias}\` is taken for it too`] : [])]
      .filter(Boolean)
      .join(". ");
    const required = place === "path" || isRequired(rule, "input");
    const example = filledIn[name] ?? createExample(rule, "input", name);
    return {
      name,
      in: place,
      required,
      description: description || undefined,
      // Swagger UI sends an `example` unless it is replaced: a filter would get in the way.
      ...withExample(schema, example, required || name in filledIn),
    };
  });
}

function createRequestBody({ bodyKind, fields, http }: Route, schemas: SchemaWriter): Json | undefined {
  const types = http.consumes ?? [JSON_TYPE];
  const findExample = (type: string): unknown => http.examples?.[type];
  switch (bodyKind) {
    case "none":
      return undefined;
    case "json":
      return {
        required: Object.values(fields.body).some((rule) => isRequired(rule, "input")),
        content: createContent(types, schemas.writeFields(fields.body, "input"), () =>
          createFieldsExample(fields.body, "input"),
        ),
      };
    case "raw":
      return { required: true, content: createContent(types, { type: "object" }, findExample) };
    case "stream":
      return {
        required: true,
        content: http.form
          ? createFormContent(http.form, schemas)
          : createContent(types, { type: "string" }, findExample),
      };
  }
}

/** A file is a part without a schema: its type describes it (OpenAPI 3.1, section 4.8.15.3). */
function createFormContent({ fields, file }: NonNullable<Route["http"]["form"]>, schemas: SchemaWriter): Json {
  const rules = Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, clearExample(rule)]));
  const { properties, required = [], ...form } = schemas.writeFields(rules, "input");
  const schema = {
    ...form,
    properties: { [file.name]: { contentMediaType: file.type }, ...(properties as Json) },
    required: [file.name, ...(required as string[])],
  };
  return { "multipart/form-data": { schema, encoding: { [file.name]: { contentType: file.type } } } };
}

/** Swagger UI fills a form's fields from their examples, or with noise. */
function clearExample(rule: Rule): Rule {
  return rule.type === "array"
    ? { ...rule, items: { ...rule.items, example: undefined }, example: [] }
    : { ...rule, example: "" };
}

/** Builds the content of a body; under a type other than JSON's, it is a text that contains JSON. */
function createContent(types: readonly string[], schema: JsonSchema, findExample: (type: string) => unknown): Json {
  return Object.fromEntries(
    types.map((type) => {
      const isText = type !== JSON_TYPE && schema["type"] === "object";
      const example = findExample(type);
      return [
        type,
        {
          schema: isText ? { type: "string", contentMediaType: JSON_TYPE, contentSchema: schema } : schema,
          ...(example === undefined ? {} : { example: isText ? JSON.stringify(example) : example }),
        },
      ];
    }),
  );
}
