import { describe, expect, test } from "@jest/globals";
import { requestLog } from "../../../gateway/observers.ts";
import { createGuestLimiter, createMemoryRateLimitStore } from "../../../gateway/rate-limit.ts";
import type { EdgeRequest } from "../../../gateway/request/edge-request.ts";

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

describe("the limit of what guests send", () => {
  const request = (client: string, headers: Record<string, string>) => ({
    client,
    headers,
    exchange: { headers: {} as Record<string, string> },
  });
  const limit = createGuestLimiter(
    createMemoryRateLimitStore(),
    (req) => (req as unknown as { client: string }).client,
  );
  const ask = (req: ReturnType<typeof request>) => limit(req as unknown as EdgeRequest, 1_500_000);

  test("counts the bytes of each client, an unknown length as the largest, and says when to come back", async () => {
    await ask(request("a", { "content-length": "1000000" }));
    await ask(request("a", { "content-length": "500000" }));
    const over = request("a", { "content-length": "1" });
    await expect(ask(over)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(Number(over.exchange.headers["Retry-After"])).toBeGreaterThan(86_000);
    await ask(request("b", {}));
    await expect(ask(request("b", {}))).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("counts a body that is refused as too large as the largest, however long it says it is", async () => {
    await ask(request("c", { "content-length": "9223372036854775807" }));
    await ask(request("c", { "content-length": "500000" }));
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
