import { describe, expect, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { ENTRY_POINTS, type ServiceContract } from "../../../broker/contract/define.ts";
import { listDependencyContributors } from "../../../gateway/http/health.ts";
import { openApiDocument } from "../../../gateway/docs/openapi/document.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { contracts } from "../../../services/all-contracts.ts";
import { shopContract } from "../../contract/gateway/shop-contract.ts";

const PAGES = ["GET /health", "GET /health/ready", "GET /health/live", "GET /metrics", "GET /openapi.json"];
const settings = { version: "1.2.3", loopback: true, production: false };
/** It compiles OpenAPI's own schema once. */
const validator = new Validator();
/** Schemas of several entry points are compiled once. */
const compiled = new Set<string>();

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document of any shape is what is looked at
type AnyDocument = any;

const documentOf = (
  entry: (typeof ENTRY_POINTS)[number],
  list: Parameters<typeof createRouteTable>[0] = contracts,
): AnyDocument =>
  JSON.parse(JSON.stringify(openApiDocument({ table: createRouteTable(list, entry), contracts: list, settings })));

describe.each(ENTRY_POINTS)("the description of the %s entry point", (entry) => {
  const document = documentOf(entry);

  test("is valid OpenAPI 3.1", async () => {
    expect(await validator.validate(document)).toMatchObject({ valid: true });
  });

  test("has every route, and nothing else but the pages", () => {
    const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = createRouteTable(contracts, entry).routes.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...routes, ...PAGES].sort());
  });

  test("names each operation once, documents every error, and refers to nothing that is not there", () => {
    const operations = Object.values<Record<string, { operationId: string; responses: object }>>(
      document.paths,
    ).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { responses } of operations)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["405", "500"]));
    for (const [reference] of JSON.stringify(document).matchAll(/#\/components\/[^"]+/g)) {
      const found = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect([reference, typeof found]).toEqual([reference, "object"]);
    }
  });

  test("has schemas that compile, and components that are used", () => {
    const ajv = formats.default(new Ajv2020({ strict: false, validateFormats: true }));
    const schemas = document.components.schemas as Record<string, object>;
    const inlined = JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/$defs/");
    ajv.addSchema({ $id: "components", $defs: JSON.parse(inlined) as Record<string, object> });
    for (const [name, schema] of Object.entries(schemas)) {
      const definition = `${name} ${JSON.stringify(schema)}`;
      if (!compiled.has(definition)) expect(ajv.getSchema(`components#/$defs/${name}`)).toBeDefined();
      compiled.add(definition);
    }
    const text = JSON.stringify(document);
    for (const name of Object.keys(schemas).filter((candidate) => !candidate.startsWith("Error"))) {
      expect(text).toContain(`"#/components/schemas/${name}"`);
    }
  });
});

describe("the description of /health", () => {
  const dependencies = (entry: (typeof ENTRY_POINTS)[number]) =>
    ["/health", "/health/ready"].map(
      (path) =>
        documentOf(entry).paths[path].get.responses["200"].content["application/json"].schema.properties.dependencies,
    );

  test("has the dependencies that services report to the entry point, each as its contract has it", () => {
    for (const { properties } of [...dependencies("catalog"), ...dependencies("search")]) {
      expect(Object.keys(properties)).toEqual(["dis"]);
      expect(properties.dis.properties).toMatchObject({
        status: { enum: ["ok", "error", "unknown"] },
        askedAt: { type: ["string", "null"], format: "date-time" },
      });
    }
    for (const { properties } of dependencies("cart")) expect(properties).toEqual({});
  });

  test("is contributed by services that are there and have something to report", () => {
    for (const { name, asks = [] } of contracts as readonly ServiceContract[]) {
      expect(
        listDependencyContributors(name as (typeof ENTRY_POINTS)[number], contracts).map(({ action }) => action),
      ).toEqual(asks.map((asked) => `${asked}.health`));
    }
  });
});

describe("an operation", () => {
  const document = documentOf("payment", [shopContract]);
  const { paths } = document;

  test("says where each field travels", () => {
    const query = paths["/api/things"].get.parameters;
    expect(query).toMatchObject(
      ["limit", "tag", "exact", "since", "sort"].map((name) => ({ name, in: "query", required: false })),
    );
    expect(query[0].schema).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 20, examples: [20] });
    expect(query[3].schema).toEqual({
      type: "string",
      anyOf: [{ format: "date" }, { format: "date-time" }],
      examples: ["2026-11-21T09:30:00.000Z"],
    });
    const make = paths["/api/things/{id}"].post;
    const schema = { type: "string", minLength: 3, maxLength: 20, pattern: "^[a-z0-9_-]+$" };
    expect(make.parameters).toEqual([{ name: "id", in: "path", required: true, schema }]);
    expect(make.requestBody.required).toBe(false);
    const { properties, additionalProperties } = make.requestBody.content["application/json"].schema;
    expect([Object.keys(properties), additionalProperties]).toEqual([["amount", "at", "line", "mode", "lines"], false]);
  });

  test("answers with the status, the envelope and the errors of its kind", () => {
    const make = paths["/api/things/{id}"].post.responses;
    expect(Object.keys(make)).toEqual(["201", "400", "404", "405", "413", "415", "429", "500", "503", "504"]);
    expect(make["201"].content["application/json"].schema.required).toEqual(["success", "data"]);
    const { examples } = make["400"].content["application/json"];
    expect(Object.keys(examples)).toEqual(["VALIDATION_FAILED", "INVALID_JSON"]);
    const mine = Object.keys(paths["/api/mine"].get.responses);
    expect(mine).toEqual(["200", "400", "401", "405", "429", "500", "502", "503", "504"]);
    expect(paths["/api/mine"].get.responses["401"].headers).toHaveProperty("WWW-Authenticate");
    expect(paths["/api/ask"].post.responses["400"].content["application/json"].schema.$ref).toBe(
      "#/components/schemas/ErrorDetail",
    );
  });

  test("says which credentials open it", () => {
    expect(paths["/api/mine"].get.security).toEqual([{ bearer: [] }]);
    expect(paths["/api/things"].get.security).toEqual([]);
    const system = [{ adminToken: [] }, { bearer: ["system:read"] }, { key: ["system:read"] }];
    expect(paths["/metrics"].get.security).toEqual([{}, ...system]);
    expect(documentOf("gateway", [shopContract]).paths["/metrics"].get.security).toEqual(system);
  });

  test("names a guest's X-Session-Id as a credential where the route reads it, and nowhere else", () => {
    const cart = documentOf("cart");
    const header = { type: "apiKey", in: "header", name: "X-Session-Id" };
    expect(cart.components.securitySchemes.sessionId).toMatchObject(header);
    const users = [{ bearer: [] }, { adminToken: [] }];
    const guests = [{}, ...users, { sessionId: [] }, { key: ["users:read"] }];
    expect(cart.paths["/api/cart/{cartId}"].get.security).toEqual(guests);
    const own = [{ bearer: [] }, { sessionId: [] }];
    expect([cart.paths["/api/cart"].get.security, cart.paths["/api/cart/items"].post.security]).toEqual([own, own]);
    const payment = documentOf("payment");
    expect(payment.paths["/api/orders/{orderId}/cancel"].post.security).toEqual([...users, { key: ["orders:refund"] }]);
    expect(cart.paths["/api/cart/user/{userId}"].delete.security).toEqual([...users, { key: ["users:write"] }]);
    expect(payment.paths["/api/orders/{orderId}"].get.security).toEqual([{ bearer: [] }, { key: ["orders:read"] }]);
  });

  test("takes a webhook's text and a stream as their content types", () => {
    expect(Object.keys(paths["/webhooks/shop"].post.requestBody.content)).toEqual(["application/json"]);
    expect(paths["/webhooks/shop"].post.parameters).toEqual([
      { name: "x-signature", in: "header", required: true, schema: { type: "string" } },
    ]);
    expect(Object.keys(paths["/api/load/{vendor}"].post.requestBody.content)).toEqual(["text/csv"]);
    expect(paths["/api/load/{vendor}"].post.parameters).toMatchObject([{ name: "vendor" }, { name: "dry" }]);
  });
});
