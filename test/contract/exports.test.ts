import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "csv-parse/sync";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../gateway/http/entry-point.ts";
import { call } from "../../services/contracts.ts";
import { newSigningKey, startJwksServer, type JwksServer, type SigningKey } from "../support/identity-provider.ts";
import { freePorts } from "../support/ports.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { payment } from "./order.support.ts";

const AUDIENCE = "shop-api";
const ORIGIN = "https://shop.example";
const ORDERS = 1_000;
const CARTS = 5;
const BUYER = "user_buyer";
type Refused = { error: { code: string } };
const FORMULA = '=HYPERLINK("http://evil.example","x")';

describe("Exports", () => {
  let system: TestBroker;
  let jwks: JwksServer;
  let signing: SigningKey;
  let port: number;
  const admin = { "x-admin-token": "test-admin-token" };

  beforeAll(async () => {
    signing = await newSigningKey("key");
    jwks = await startJwksServer(signing);
    port = await freePorts(1);
    system = await startTestBroker({
      transport: "fake",
      services: [
        ...["access", "user", "order", "cart", "customer", "payment"],
        (broker) => createEntryPointService(broker, "gateway"),
      ],
      settings: testSettings({
        [toPortSetting("gateway")]: String(port),
        ADMIN_TOKEN: "test-admin-token",
        IDENTITY_JWKS_URL: jwks.url,
        IDENTITY_AUDIENCE: AUDIENCE,
        IDENTITY_AUTHORIZED_PARTIES: ORIGIN,
        IDENTITY_WEBHOOK_SECRET: "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==",
      }),
    });
    const make = (index: number) =>
      call(
        system.broker,
        "order.createFromPayment",
        payment({
          ...{ paymentKey: `cs_export_${index}`, userId: BUYER, subtotal: 10_000, tax: 0, shipping: 0 },
          contact: { email: "buyer@shop.example", name: "Ada Buyer" },
          items: [
            { productId: "p1", partNumber: "900-001", name: FORMULA, quantity: 2, price: 2_000 },
            { productId: "p2", partNumber: "900-002", name: "Belt", quantity: 1, price: 6_000 },
          ],
        }),
      );
    for (let at = 0; at < ORDERS; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => make(at + index)));
    const line = { partNumber: "900-003", title: "Belt", quantity: 1, unitPrice: 2.5 };
    const items = Array.from({ length: 90 }, (_, index) => ({ ...line, productId: `p${index}` }));
    for (const [userId, count] of [
      [BUYER, CARTS],
      ["user_other", 1],
    ] as const) {
      const user = { sub: userId, role: "customer", aud: AUDIENCE, azp: ORIGIN } as const;
      for (let index = 0; index < count; index += 1)
        await call(system.as({ admin: false, user }), "cart.save", {
          cartId: `cart_export_${userId}_${index}`,
          userId,
          items,
        });
    }
  });
  afterAll(async () => {
    await system?.stop();
    await jwks.close();
  });

  const bearer = async (sub: string, claims: { role?: string } = {}) => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    return { authorization: `Bearer ${await signing.sign({ sub, aud: AUDIENCE, azp: ORIGIN, exp, ...claims })}` };
  };
  const ask = (path: string, headers: Record<string, string> = admin) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });

  /** Takes an answer until it has so many bytes, then leaves. */
  const begin = (path: string, bytes: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = get({ port, path, headers: admin }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          if (text.length < bytes) return;
          request.destroy();
          resolve(text);
        });
        response.on("end", () => resolve(text));
      });
      request.on("error", reject);
    });

  describe("of a person", () => {
    it("has all that is theirs, of 1,000 orders within ten seconds", async () => {
      const since = performance.now();
      const answer = await ask(`/api/users/${BUYER}/export`, await bearer(BUYER));
      const { data } = (await answer.json()) as { data: Record<string, unknown> };
      expect(performance.now() - since).toBeLessThan(10_000);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(data).toMatchObject({ profile: { userId: BUYER }, customer: null, cart: { items: [] }, checkouts: [] });
      const orders = data["orders"] as { orderId: string; contact: object; total: number }[];
      expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(ORDERS);
      expect(orders[0]).toMatchObject({ contact: { email: "buyer@shop.example", name: "Ada Buyer" }, total: 100 });
      const carts = data["savedCarts"] as { cartId: string; items: object[] }[];
      expect(carts.map(({ cartId, items }) => [cartId, items.length])).toEqual(
        Array.from({ length: CARTS }, (_, index) => [`cart_export_${BUYER}_${index}`, 90]),
      );
    });

    it("is for them, and for staff that may read users", async () => {
      const path = `/api/users/${BUYER}/export`;
      expect((await ask(path, {})).status).toBe(401);
      expect((await ask(path, await bearer("user_other"))).status).toBe(403);
      const { key } = await call(system.as({ admin: true }), "access.createKey", { name: "x", scopes: ["users:read"] });
      expect((await ask("/api/users/user_unknown/export", { authorization: `Bearer ${key}` })).status).toBe(404);
      expect((await ask("/api/users/user_unknown/export", admin)).status).toBe(404);
      const other = await call(system.as({ admin: true }), "access.createKey", { name: "x", scopes: ["orders:read"] });
      expect((await ask(path, { authorization: `Bearer ${other.key}` })).status).toBe(403);
    });

    it("ends with a whole document for somebody who has nothing", async () => {
      const { data } = (await (await ask("/api/users/user_new/export", await bearer("user_new"))).json()) as {
        data: object;
      };
      const none = { orders: [], checkouts: [], savedCarts: [], audit: [] };
      expect(data).toMatchObject({ profile: { userId: "user_new" }, ...none });
    });

    it("has what a member of staff did and from where, and not what they changed", async () => {
      const staff = await bearer("user_staff", { role: "owner" });
      const made = 120;
      await Promise.all(
        Array.from({ length: made }, async () => {
          const body = JSON.stringify({ name: "Theirs", scopes: ["orders:read"] });
          const headers = { ...staff, "content-type": "application/json" };
          const answer = await fetch(`http://127.0.0.1:${port}/api/admin/keys`, { method: "POST", headers, body });
          expect(answer.status).toBe(201);
        }),
      );
      const text = await (await ask("/api/users/user_staff/export", staff)).text();
      const { audit } = (JSON.parse(text) as { data: { audit: { requestId: string }[] } }).data;
      expect(audit[0]).toEqual({
        at: expect.any(String),
        action: "access.createKey",
        object: "key",
        outcome: "done",
        address: "127.0.0.1",
        requestId: expect.any(String),
      });
      expect(new Set(audit.map(({ requestId }) => requestId)).size).toBe(made);
      expect(audit).toHaveLength(made);
      expect(text).not.toContain("Theirs");
      const user = { sub: "user_staff", role: "owner", aud: AUDIENCE, azp: ORIGIN } as const;
      await call(system.as({ admin: false, user }), "user.updateMe", { name: "Sam Staff" });
      expect((await ask("/api/users/user_staff/export", admin)).status).toBe(200);
      const ofClerk = await ask("/api/users/user_staff/export", await bearer("user_clerk", { role: "clerk" }));
      const { data } = (await ofClerk.json()) as { data: object };
      expect(data).toMatchObject({ profile: { userId: "user_staff" }, savedCarts: [] });
      expect(data).not.toHaveProperty("audit");
      // Where the gateway goes on reading is not a client's to choose.
      const ofAudit = `/api/users/user_staff/export?position=${encodeURIComponent("audit:1@2100-01-01T00:00:00.000Z")}`;
      const chosen = await ask(ofAudit, await bearer("user_clerk", { role: "clerk" }));
      const ignoring = (await chosen.json()) as { data: object };
      expect(ignoring.data).toMatchObject({ profile: { userId: "user_staff" } });
      expect(ignoring.data).not.toHaveProperty("audit");
    });
  });

  describe("in bulk", () => {
    const idsOf = (text: string): string[] =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { orderId: string }).orderId);

    it("has every order once, also if it breaks off and goes on", async () => {
      const whole = await (await ask("/api/admin/export/orders")).text();
      expect(new Set(idsOf(whole)).size).toBe(ORDERS);
      expect(idsOf(whole)).toHaveLength(ORDERS);
      const cut = await begin("/api/admin/export/orders", Math.floor(whole.length / 3));
      const kept = cut.slice(0, cut.lastIndexOf("\n") + 1);
      const { cursor } = JSON.parse(kept.trim().split("\n").at(-1)!) as { cursor: string };
      const rest = await (await ask(`/api/admin/export/orders?cursor=${cursor}`)).text();
      expect(kept + rest).toBe(whole);
    });

    it("has lines as CSV, in which nothing runs", async () => {
      const answer = await ask("/api/admin/export/order-lines?format=csv");
      expect(answer.headers.get("content-type")).toContain("text/csv");
      expect(answer.headers.get("content-disposition")).toBe('attachment; filename="order-lines.csv"');
      const rows = parse(await answer.text(), { columns: true }) as Record<string, string>[];
      expect(rows).toHaveLength(2 * ORDERS);
      expect(rows[0]).toMatchObject({ partNumber: "900-001", name: `'${FORMULA}`, quantity: "2", price: "20" });
      const { cursor } = rows[10]!;
      const rest = await (await ask(`/api/admin/export/order-lines?format=csv&cursor=${cursor}`)).text();
      const after = parse(rest) as string[][];
      expect(after.map((cells) => cells.at(-1))).toEqual(rows.slice(11).map((row) => row["cursor"]));
    });

    it("chooses by the period", async () => {
      expect(await (await ask("/api/admin/export/orders?from=2100-01-01")).text()).toBe("");
      const [first] = (await (await ask("/api/admin/export/orders")).text()).split("\n");
      const { cursor } = JSON.parse(first!) as { cursor: string };
      expect(await (await ask(`/api/admin/export/orders?from=2100-01-01&cursor=${cursor}`)).text()).toBe("");
      expect(await (await ask("/api/admin/export/orders?to=2001-01-01&format=csv")).text()).toMatch(
        /^orderId,[^\n]*\n$/,
      );
      const today = new Date().toISOString().slice(0, 10);
      expect(idsOf(await (await ask(`/api/admin/export/orders?from=${today}`)).text()).length).toBeGreaterThan(0);
    });

    it("begins with the first order for an empty cursor, and goes on where it alone says", async () => {
      const whole = await (await ask("/api/admin/export/orders")).text();
      const { cursor } = JSON.parse(whole.split("\n")[0]!) as { cursor: string };
      for (const query of ["cursor=", `position=${cursor}`, "page=2"])
        expect(await (await ask(`/api/admin/export/orders?${query}`)).text()).toBe(whole);
    });

    it.each(["format=xlsx", "cursor=nonsense", "from=yesterday", "from=2026-02-02&to=2026-02-01"])(
      "refuses %s",
      async (query) => {
        const answer = await ask(`/api/admin/export/orders?${query}`);
        expect([answer.status, ((await answer.json()) as Refused).error.code]).toEqual([400, "VALIDATION_FAILED"]);
      },
    );
  });
});
