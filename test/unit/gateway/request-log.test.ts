import { expect, test } from "@jest/globals";
import { requestLog } from "../../../gateway/http/observers.ts";
import type { EdgeRequest, Exchange } from "@partline/http-edge";

test.each([
  ["/api/search", 503, "warn", ["warn"]],
  ["/api/search", 200, "warn", []],
  ["/health/ready", 503, "warn", []],
  ["/health", 503, "warn", []],
  ["/health", 503, "info", ["info"]],
  ["/healthy", 500, "warn", ["warn"]],
] as const)(
  "a request for %s that is answered %d is logged at the level %s: %j",
  (routeLabel, status, logLevel, told) => {
    const levels: string[] = [];
    const log = requestLog({ info: () => levels.push("info"), warn: () => levels.push("warn") }, { logLevel });
    log({ method: "GET", exchange: { requestId: "r", routeLabel } as Exchange } as EdgeRequest, status, 1);
    expect(levels).toEqual(told);
  },
);
