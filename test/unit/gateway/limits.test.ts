import { describe, expect, test } from "@jest/globals";
import { requestLog } from "../../../gateway/observers.ts";
import { memoryRateLimitStore } from "../../../gateway/rate-limit.ts";
import type { EdgeRequest } from "../../../gateway/request/edge-request.ts";

describe("the rate limit's store", () => {
  test("counts each client in its own window, and begins anew when it is over", async () => {
    let now = 1_000;
    const store = memoryRateLimitStore(() => now);
    expect(await store.hit("a", 100)).toEqual({ count: 1, resetMs: 100 });
    now += 60;
    expect(await store.hit("a", 100)).toEqual({ count: 2, resetMs: 40 });
    expect(await store.hit("b", 100)).toEqual({ count: 1, resetMs: 100 });
    now += 40;
    expect(await store.hit("a", 100)).toEqual({ count: 1, resetMs: 100 });
    expect(await store.hit("b", 100)).toEqual({ count: 2, resetMs: 60 });
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
