import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { ENTRY_POINTS, isApp, type EntryPoint, type ServiceContract } from "../../../broker/contract/define.ts";
import { hashKey } from "../../../broker/contract/keys.ts";
import { ROLES, SCOPE_NAMES } from "../../../broker/contract/scopes.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { contracts } from "../../../services/all-contracts.ts";
import { newSigningKey, startJwksServer, type JwksServer } from "../../support/identity-provider.ts";
import { freePorts } from "../../support/ports.ts";
import { readPage } from "../../support/reference/page.ts";
import { accessMatrix, ASKING } from "../../support/reference/access.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";

const AUDIENCE = "shop-api";
const ORIGIN = "https://shop.example";
const keyOf = (scope: string): string => `pl_live_${scope.replace(":", "-")}`;
const scopeOf = new Map(SCOPE_NAMES.map((scope) => [hashKey(keyOf(scope)), scope]));

/** Every service, without its work: a call that reaches an action gets 409, or 400 for params that do not fit. */
const stubOf = ({ name, actions }: ServiceContract): ServiceSchema => ({
  name,
  actions: Object.fromEntries(
    Object.keys(actions).map((action) => [
      action,
      (ctx: { params: { hash: string } }) => {
        if (name === "access" && action === "findKey") {
          const scope = scopeOf.get(ctx.params.hash);
          return { key: scope ? { keyId: `key_${scope}`, scopes: [scope], expiresAt: null } : null };
        }
        throw new PartlineError("VERSION_CONFLICT", "Reached");
      },
    ]),
  ),
});

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let jwks: JwksServer;
let system: TestBroker;
let first: number;
const headers: Record<string, Record<string, string>> = {
  nobody: {},
  ADMIN_TOKEN: { "x-admin-token": "test-admin-token" },
};

beforeAll(async () => {
  const signing = await newSigningKey("key");
  jwks = await startJwksServer(signing);
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  for (const role of ROLES) {
    const token = await signing.sign({ sub: `user_${role}`, role, aud: AUDIENCE, azp: ORIGIN, exp });
    headers[role] = { authorization: `Bearer ${token}` };
  }
  for (const scope of SCOPE_NAMES) headers[scope] = { authorization: `Bearer ${keyOf(scope)}` };
  first = await freePorts(ENTRY_POINTS.length);
  const ports = ENTRY_POINTS.map((entry, index) => [toPortSetting(entry), String(first + index)]);
  system = await startTestBroker({
    services: [
      ...(contracts as readonly ServiceContract[]).map((contract) => () => stubOf(contract)),
      ...ENTRY_POINTS.map((entry) => (broker: TestBroker["broker"]) => createEntryPointService(broker, entry)),
    ],
    settings: testSettings({
      ...Object.fromEntries(ports),
      ADMIN_TOKEN: "test-admin-token",
      IDENTITY_JWKS_URL: jwks.url,
      IDENTITY_AUDIENCE: AUDIENCE,
      IDENTITY_AUTHORIZED_PARTIES: ORIGIN,
      IDENTITY_WEBHOOK_SECRET: "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==",
    }),
  });
});
afterAll(async () => {
  await system?.stop();
  await jwks.close();
  agent.destroy();
});

/** Whether a request passes the door: neither 401 nor 403. */
function passes(
  entry: EntryPoint,
  method: string,
  path: string,
  sent: Record<string, string>,
  host = "shop.example",
): Promise<boolean> {
  const port = first + ENTRY_POINTS.indexOf(entry);
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, method, path, agent, headers: { ...sent, host } }, (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(incoming.statusCode !== 401 && incoming.statusCode !== 403));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** The page's own words, which a person has read: `| GET \`/api/orders/{orderId}\` | scope | no | own | … |`. */
const printed = new Map(
  [...readPage("access.md").matchAll(/^\| ([A-Z]+) `([^`]+)` \| (?:`([^`]+)`)? ?\| (.*) \|$/gm)].map(
    ([, method, path, scope, cells]) => [`${method} ${path}`, { scope, cells: cells!.split(" | ") }],
  ),
);
const rows = accessMatrix().map(({ method, path, route }) => [`${method} ${path}`, route] as const);

/** The entry points of each route; the apps have those of others. */
const served = new Map<string, EntryPoint[]>();
for (const entry of ENTRY_POINTS)
  for (const { method, path } of createRouteTable(contracts as readonly ServiceContract[], entry).routes) {
    const name = `${method} ${path}`;
    served.set(name, [...(served.get(name) ?? []), entry]);
  }

describe("the printed matrix", () => {
  test("has every route", () => {
    expect([...printed.keys()].sort()).toEqual([...new Set(rows.map(([name]) => name))].sort());
  });

  test("has `here` where the contract has `internal`, and nowhere else", () => {
    const here = [...printed].filter(([, { cells }]) => cells.includes("here")).map(([name]) => name);
    expect(here).toEqual(rows.filter(([, { access }]) => access === "internal").map(([name]) => name));
  });

  test.each(rows)("is held at %s", async (name, { method, path, access, entries }) => {
    const { scope, cells } = printed.get(name)!;
    const target = path.replace(/\{[^}]+\}/g, "x");
    const cellOf = (who: string): string => {
      const isKey = (SCOPE_NAMES as string[]).includes(who);
      return cells[
        (ASKING as readonly string[]).indexOf(isKey ? (who === scope ? "key with the scope" : "other key") : who)
      ]!;
    };
    const ask = async (entry: EntryPoint, who: string, host?: string) => {
      const isHere = host !== undefined && entry !== "gateway" && !isApp(entry);
      const cell = cellOf(who);
      const passed = await passes(entry, method, target, headers[who]!, host);
      return { entry, who, host, passed, expected: cell === "here" ? isHere : cell !== "no" };
    };
    const everybody = Object.keys(headers);
    const [one, ...others] = [...new Set([entries[0]!, ...served.get(name)!])];
    // Of keys without the scope, one stands for all at the other places.
    const other = SCOPE_NAMES.find((known) => known !== scope)!;
    const some = everybody.filter((who) => who === scope || who === other || !(SCOPE_NAMES as string[]).includes(who));
    const asked = [
      ...everybody.map((who) => ask(one!, who)),
      ...others.flatMap((entry) => some.map((who) => ask(entry, who))),
      ...(access === "internal"
        ? [one!, ...others].flatMap((entry) => some.map((who) => ask(entry, who, "localhost")))
        : []),
    ];
    expect((await Promise.all(asked)).filter(({ expected, passed }) => expected !== passed)).toEqual([]);
  });

  test("the entry points of a process fetch the identity provider's keys once", () => {
    expect(jwks.requests).toBe(1);
  });

  test("no key is let in by a form alone", async () => {
    for (const key of ["pl_live_", "pl_live_unknown", `pl_live_${"x".repeat(5_000)}`])
      expect(await passes("gateway", "GET", "/api/admin/orders", { authorization: `Bearer ${key}` })).toBe(false);
  });
});
