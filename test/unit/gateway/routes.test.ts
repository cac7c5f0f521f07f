import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";
import {
  ENTRY_POINTS,
  type EntryPoint,
  type HttpRoute,
  type ServiceContract,
} from "../../../broker/contract/define.ts";
import { createRouter } from "../../../gateway/http/router.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { contracts } from "../../../services/all-contracts.ts";

const http = (method: HttpRoute["method"], path: string, more: Partial<HttpRoute> = {}): HttpRoute => ({
  method,
  path,
  entries: ["payment", "gateway"],
  access: "none",
  envelope: true,
  ...more,
});

const service = (
  actions: Record<string, { params?: ServiceContract["actions"][string]["params"]; http: HttpRoute[] }>,
): ServiceContract => ({
  name: "shop",
  summary: "Shop",
  actions: Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      { summary: name, result: { type: "any" }, errors: [], params: {}, ...action },
    ]),
  ),
});

const id = { id: { type: "string" } } as const;

describe("the route table", () => {
  test("of every entry point can be made of the contracts, and the gateway carries every /api/ path but what is kept off it", () => {
    const tables = new Map(ENTRY_POINTS.map((entry) => [entry, createRouteTable(contracts, entry)]));
    const gateway = tables.get("gateway")!;
    const onGateway = new Set([...gateway.routes, ...gateway.keptOff].map(({ method, path }) => `${method} ${path}`));
    for (const { routes } of tables.values()) {
      for (const { method, path } of routes.filter((route) => route.path.startsWith("/api/"))) {
        expect(onGateway).toContain(`${method} ${path}`);
      }
    }
    expect(gateway.routes.filter(({ path }) => path.startsWith("/webhooks/"))).toEqual([]);
    expect(gateway.keptOff.filter(({ path }) => !path.startsWith("/api/cart"))).toEqual([]);
  });

  test("has each route of the gateway as other addresses have it: the same action, access, params and answers", () => {
    const byPath = (entry: EntryPoint) =>
      new Map(createRouteTable(contracts, entry).routes.map((route) => [`${route.method} ${route.path}`, route]));
    const gateway = byPath("gateway");
    const shared = ENTRY_POINTS.filter((entry) => entry !== "gateway").flatMap((entry) =>
      [...byPath(entry)].flatMap(([path, route]) => (gateway.has(path) ? [[entry, path, route] as const] : [])),
    );
    expect(shared.length).toBeGreaterThan(150);
    const differing = shared.filter(([, path, route]) => !isDeepStrictEqual(route, gateway.get(path)));
    // There a cart stays, here it is for a checkout.
    expect(differing.map(([entry, path]) => `${entry}: ${path}`)).toEqual(["cart: POST /api/cart"]);
  });

  test("puts static paths before parametric ones", () => {
    const table = createRouteTable(
      [
        service({
          get: { params: id, http: [http("GET", "/api/a/{id}")] },
          stats: { http: [http("GET", "/api/a/stats")] },
        }),
      ],
      "payment",
    );
    expect(table.routes.map(({ path }) => path)).toEqual(["/api/a/stats", "/api/a/{id}"]);
  });

  test("refuses two actions on one method and path, also with other names of params", () => {
    const twins = service({
      one: { params: id, http: [http("GET", "/api/a/{id}")] },
      two: { params: { key: id.id }, http: [http("GET", "/api/a/{key}")] },
    });
    expect(() => createRouteTable([twins], "payment")).toThrow(
      "shop.one and shop.two both claim GET /api/a/{key} on payment",
    );
    expect(() => createRouteTable([twins], "cart")).not.toThrow();
  });

  test.each([
    [{ http: [http("GET", "/api/a/{id}")] }, 'there is no param "id"'],
    [{ http: [http("GET", "/api/a/")] }, "slash"],
    [
      { params: { filter: { type: "object", props: {} } } as const, http: [http("GET", "/api/a")] },
      'the object "filter" cannot travel in a query',
    ],
  ])("refuses what cannot be served: %j", (action, why) => {
    expect(() => createRouteTable([service({ one: action })], "payment")).toThrow(why);
  });

  test("gives each field one place to travel", () => {
    const params = {
      id: id.id,
      note: { type: "string" },
      contentType: { type: "string" },
      body: { type: "string" },
      headers: { type: "any" },
    } as const;
    const places = (route: HttpRoute) => {
      const [only] = createRouteTable([service({ one: { params, http: [route] } })], "payment").routes;
      return Object.fromEntries(Object.entries(only!.fields).map(([place, rules]) => [place, Object.keys(rules)]));
    };
    const rest = ["note", "contentType", "body", "headers"];
    expect(places(http("POST", "/a/{id}"))).toEqual({ path: ["id"], query: [], body: rest });
    const withQuery = { path: ["id"], query: ["note"], body: rest.slice(1) };
    expect(places(http("POST", "/a/{id}", { query: ["note"] }))).toEqual(withQuery);
    expect(places(http("DELETE", "/a/{id}", { body: "json" }))).toEqual({ path: ["id"], query: [], body: rest });
    const { headers: _, ...withoutAny } = params;
    const [stream] = createRouteTable(
      [service({ one: { params: withoutAny, http: [http("POST", "/a/{id}", { body: "stream" })] } })],
      "payment",
    ).routes;
    expect(Object.keys(stream!.fields.query)).toEqual(["note", "body"]);
    const [raw] = createRouteTable(
      [service({ one: { params, http: [http("POST", "/a/{id}", { body: "raw" })] } })],
      "payment",
    ).routes;
    expect(Object.keys(raw!.fields.query)).toEqual(["note", "contentType"]);
  });
});

describe("the router", () => {
  const match = createRouter(
    createRouteTable(
      [
        service({
          list: { http: [http("GET", "/api/o")] },
          get: { params: id, http: [http("GET", "/api/o/{id}")] },
          mine: { params: id, http: [http("GET", "/api/o/user/{id}")] },
          cancel: { params: id, http: [http("POST", "/api/o/{id}/cancel")] },
          sync: { http: [http("PUT", "/api/o/sync")] },
          picture: { params: id, http: [http("GET", "/api/o/{id}.webp")] },
          deep: { params: { a: id.id, b: id.id }, http: [http("GET", "/api/{a}/x/{b}")] },
        }),
      ],
      "payment",
    ),
  );
  const of = (method: string, path: string) => {
    const found = match(method, path);
    return found.kind === "route"
      ? [found.route.action, ...found.values]
      : found.kind === "wrong-method"
        ? found.allow
        : found.kind;
  };

  test.each([
    ["GET", "/api/o", ["shop.list"]],
    ["HEAD", "/api/o/7", ["shop.get", "7"]],
    ["GET", "/api/o/7.webp", ["shop.picture", "7"]],
    ["GET", "/api/o/7.txt", ["shop.get", "7.txt"]],
    ["GET", "/api/o/.webp", ["shop.get", ".webp"]],
    ["GET", "/api/o/user/7.webp", ["shop.mine", "7.webp"]],
    ["GET", "/api/o/user/7", ["shop.mine", "7"]],
    ["GET", "/api/o/user", ["shop.get", "user"]],
    ["POST", "/api/o/user/cancel", "GET, HEAD, OPTIONS"],
    ["POST", "/api/o/7/cancel", ["shop.cancel", "7"]],
    ["GET", "/api/o/x/7", ["shop.deep", "o", "7"]],
    ["GET", "/api/o/a%2Fb", ["shop.get", "a%2Fb"]],
    ["GET", "/api/o/sync", "PUT, OPTIONS"],
    ["GET", "/api/o/", "unknown"],
    ["GET", "/api/o/user/", "unknown"],
    ["GET", "/api/o/7/cancel/more", "unknown"],
    ["GET", "", "unknown"],
    ["GET", "/__proto__", "unknown"],
    ["GET", "/api/o/constructor", ["shop.get", "constructor"]],
  ])("%s %s", (method, path, expected) => {
    expect(of(method, path)).toEqual(expected);
  });
});
