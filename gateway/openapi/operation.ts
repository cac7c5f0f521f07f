import { streamedEvent } from "../../broker/contract/event-stream.ts";
import type { Rules } from "../../broker/contract/rules.ts";
import type { PlainAccess } from "../auth/access.ts";
import type { Route } from "../routes.ts";
import { EVENT_STREAM_HEADERS, eventStreamResponse, withStream } from "./event-stream.ts";
import { FILE_REQUEST_HEADERS, fileResponses } from "./file.ts";
import { enveloped, errorCodesOf, errorResponses, jsonResponse } from "./responses.ts";
import { isRequired, type JsonSchema, type SchemaWriter } from "./schema.ts";

type Json = Record<string, unknown>;

/** The OpenAPI operation of a route. `access` is what the route asks for at this entry point. */
export function operationOf(route: Route, access: PlainAccess, id: string, schemas: SchemaWriter): Json {
  const { definition, http } = route;
  const parameters = parametersOf(route, schemas);
  const requestBody = requestBodyOf(route, schemas);
  return {
    operationId: id,
    tags: [route.service],
    summary: definition.summary,
    ...(definition.description ? { description: definition.description } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    security: http.credentials?.map((scheme) => ({ [scheme]: [] })) ?? securityOf(access, http.session),
    responses: {
      ...successResponses(route, schemas),
      ...errorResponses(errorCodesOf(route, access), http.errors),
    },
  };
}

/** The result of a file or a stream is how it travels between services, not what a client gets. */
function successResponses({ definition: { result }, http }: Route, schemas: SchemaWriter): Json {
  switch (http.answer) {
    case "file":
      return fileResponses(http.produces ?? []);
    case "event-stream":
      return { 200: eventStreamResponse(schemas.of(streamedEvent(result)!, "output")) };
    case "json":
    case undefined: {
      const schema = schemas.of(result, "output");
      const answer = jsonResponse(descriptionOf(http.status), http.envelope ? enveloped(schema) : schema);
      return {
        [String(http.status ?? 200)]: http.streamed === undefined ? answer : withStream(answer, http.streamed, schemas),
      };
    }
  }
}

/** `cart.saveForCheckout` is cartSaveForCheckout; codes are generated from it. */
export function operationIdOf(action: string): string {
  return action.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Any one of the alternatives will do; `{}` is none at all. */
export function securityOf(access: PlainAccess, session?: true): Json[] {
  const bearer = { bearer: [] };
  const adminToken = { adminToken: [] };
  const guest = session ? [{ sessionId: [] }] : [];
  switch (access) {
    case "none":
      return [];
    case "optional":
      return [{}, bearer, adminToken, ...guest];
    case "local":
      return [{}, adminToken, bearer];
    case "user":
      return [bearer];
    case "admin":
    case "admin-token":
      return [adminToken, bearer];
  }
}

function parametersOf({ fields, http }: Route, schemas: SchemaWriter): Json[] {
  return [
    ...parameters("path", fields.path, schemas),
    ...parameters("query", fields.query, schemas),
    ...(http.session ? [{ $ref: "#/components/parameters/SessionId" }] : []),
    ...(http.answer === "file" ? FILE_REQUEST_HEADERS : []),
    ...(http.answer === "event-stream" ? EVENT_STREAM_HEADERS : []),
    ...(http.headers ?? []).map((name) => ({ name, in: "header", required: true, schema: { type: "string" } })),
  ];
}

function parameters(place: "path" | "query", rules: Rules, schemas: SchemaWriter): Json[] {
  return Object.entries(rules).map(([name, rule]) => {
    // A parameter has these words itself.
    const { description, examples, ...schema } = schemas.of(rule, "input");
    return {
      name,
      in: place,
      required: place === "path" || isRequired(rule, "input"),
      ...(description ? { description } : {}),
      schema: Array.isArray(examples) ? { ...schema, examples } : schema,
    };
  });
}

function requestBodyOf({ bodyKind, fields, http }: Route, schemas: SchemaWriter): Json | undefined {
  switch (bodyKind) {
    case "none":
      return undefined;
    case "json": {
      const required = Object.values(fields.body).some((rule) => isRequired(rule, "input"));
      return {
        required,
        content: contentOf(http.consumes ?? ["application/json"], schemas.ofFields(fields.body, "input")),
      };
    }
    case "raw":
      return { required: true, content: contentOf(http.consumes ?? ["application/json"], { type: "object" }) };
    case "stream":
      return {
        required: true,
        content: http.form
          ? formContent(http.form, schemas)
          : contentOf(http.consumes ?? ["application/json"], { type: "string" }),
      };
  }
}

/** A file is a part without a schema of its own: what it holds is told by its type (OpenAPI 3.1, section 4.8.15.3). */
function formContent({ fields, file }: NonNullable<Route["http"]["form"]>, schemas: SchemaWriter): Json {
  const { properties, required = [], ...form } = schemas.ofFields(fields, "input");
  const schema = {
    ...form,
    properties: { [file.name]: { contentMediaType: file.type }, ...(properties as Json) },
    required: [file.name, ...(required as string[])],
  };
  return { "multipart/form-data": { schema, encoding: { [file.name]: { contentType: file.type } } } };
}

function contentOf(types: readonly string[], schema: JsonSchema): Json {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function descriptionOf(status: Route["http"]["status"]): string {
  if (status === 201) return "Created";
  return status === 202 ? "Accepted: the work goes on in the background" : "Success";
}
