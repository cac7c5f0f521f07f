import { describe, expect, test } from "@jest/globals";
import { requestLog } from "../../../gateway/http/observers.ts";
import type { Caller } from "../../../broker/contract/context.ts";
import type { GuestStorage } from "@partline/api-contracts";
import { createGuestLimiter, findGuestStorage } from "../../../gateway/http/guest-storage.ts";
import { createMemoryRateLimitStore, type EdgeRequest } from "@partline/http-edge";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { ENTRY_POINTS } from "../../../broker/contract/define.ts";
import { contracts } from "../../../services/all-contracts.ts";

describe("the rate limit's store", () => {
  test("counts each client in its own window, and begins again when it is over", async () => {
    let now = 1_000;
    const store = createMemoryRateLimitStore(() => now);
    expect(await store.hit("a", 100)).toEqual({ count: 1, resetMs: 100 });
    now += 60;
    expect(await store.hit("a", 100)).toEqual({ count: 2, resetMs: 40 });
    expect(await store.hit("b", 100)).toEqual({ count: 1, resetMs: 100 });
    now += 40;
    expect(await store.hit("a", 100)).toEqual({ count: 1, resetMs: 100 });
    expect(await store.hit("b", 100)).toEqual({ count: 2, resetMs: 60 });
  });
});

describe("the guests' budget of storage", () => {
  const request = (client: string, headers: Record<string, string>) => ({
    client,
    headers,
    exchange: { headers: {} as Record<string, string> },
  });
  const limit = createGuestLimiter(
    createMemoryRateLimitStore(),
    (req) => (req as unknown as { client: string }).client,
    50,
  );
  const GUEST_BYTES_A_DAY = 50_000_000;
  const ask = (req: ReturnType<typeof request>, storage: GuestStorage = {}) =>
    limit(req as unknown as EdgeRequest, storage);
  const MOST_BODY = 1_000_000;
  const use = async (client: string, bytes: number): Promise<void> =>
    ask(request(client, { "content-length": "0" }), { bytes });

  test("counts what is kept of each client, an unknown length as the largest, and says when to come back", async () => {
    await use("a", GUEST_BYTES_A_DAY - 2_000_000);
    await ask(request("a", { "content-length": "500000" }), { copies: 3, bytes: 500_000 });
    const over = request("a", { "content-length": "1" });
    await expect(ask(over)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(Number(over.exchange.headers["Retry-After"])).toBeGreaterThan(86_000);
    await use("b", GUEST_BYTES_A_DAY - MOST_BODY);
    await ask(request("b", {}));
    await expect(ask(request("b", {}))).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("counts a body that is refused as too large as the largest, however long it says it is", async () => {
    await use("c", GUEST_BYTES_A_DAY - 2 * MOST_BODY);
    await ask(request("c", { "content-length": "9223372036854775807" }));
    await ask(request("c", { "content-length": "1000000" }));
  });

  const routes = ENTRY_POINTS.flatMap((entry) => [...createRouteTable(contracts, entry).routes]);
  const kept = (path: string, caller: Partial<Caller> = {}, headers: Record<string, string> = {}) => {
    const route = routes.find((each) => each.path === path && each.method === "POST")!;
    return findGuestStorage({ headers }, route, { admin: false, ...caller });
  };

  test("is for guests alone, and an Idempotency-Key is part of it", () => {
    const user = { sub: "user_1", role: "customer", aud: "a", azp: "b" } satisfies Caller["user"];
    for (const caller of [{ user }, { key: { keyId: "key_1", scopes: [] } }, { admin: true }])
      expect(kept("/api/checkout/session", caller, { "idempotency-key": "k" })).toBeUndefined();
    expect(kept("/api/cart", {}, { "idempotency-key": "k" })).toEqual({ copies: 2, bytes: 1_000 });
    expect(kept("/api/ai/query")).toBeUndefined();
    expect(kept("/api/ai/query", { sessionId: "8d1c1e2e-0000-4000-8000-000000000001" })).toBeDefined();
  });

  test("has every route by which a guest can make us keep something", () => {
    /** They read, change what is there already, or are for the holder of a signed link or a provider. */
    const KEEPS_NOTHING = new Set([
      "order.cancelByLink",
      "order.cancelReturnByLink",
      "order.setAddressByLink",
      "order.requestReturnByLink",
      "order.addReturnPhotoByLink",
      // Signed by the provider.
      "order.receiveParcelNews",
      "search.aiAvailability",
      "search.stock",
      "search.algoliaFacet",
      "search.algoliaObjects",
      "search.algoliaQueries",
      "search.algoliaQuery",
      "search.instantsearch",
      "user.receiveIdentityEvent",
      "user.redeemSignIn",
      "cart.remove",
      "cart.clear",
      "cart.setQuantity",
      "cart.replaceItem",
      "payment.quoteShipping",
      "payment.receiveWebhook",
    ]);
    const open = routes.filter(
      ({ method, http: { access, credentials, guestStorage } }) =>
        method !== "GET" &&
        (access === "none" || access === "optional") &&
        (!credentials || credentials.includes("sessionId")) &&
        !guestStorage,
    );
    expect(
      [...new Set(open.map(({ action }) => action))].filter((action) => !KEEPS_NOTHING.has(action)).sort(),
    ).toEqual([]);
  });
});

describe("the request log", () => {
  const req = {
    method: "GET",
    exchange: { requestId: "req-1", routeLabel: "/api/orders/{orderId}", path: "/api/orders/ord_1", query: "q=ada" },
  } as EdgeRequest;
  const logged = (level: "info" | "warn", status: number) => {
    const lines: [string, object][] = [];
    requestLog(
      { info: (fields) => lines.push(["info", fields]), warn: (fields) => lines.push(["warn", fields]) },
      { logLevel: level },
    )(req, status, 1.23456);
    return lines;
  };

  test("has a line a request with the path's template, and no id or query", () => {
    expect(logged("info", 200)).toEqual([
      ["info", { method: "GET", route: "/api/orders/{orderId}", status: 200, ms: 1.23, request_id: "req-1" }],
    ]);
  });

  test("warns of what failed on our side, also where the rest is not logged", () => {
    expect(logged("warn", 404)).toEqual([]);
    expect(logged("warn", 503).map(([level]) => level)).toEqual(["warn"]);
  });
});
