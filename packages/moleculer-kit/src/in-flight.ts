import { finished, Readable } from "node:stream";
import type { Middleware } from "moleculer";
import { memoizeByBroker } from "./by-broker.ts";
import { createOuterMiddleware, type Handler } from "./internals.ts";

/** Calls of other nodes under way here, waiting ones and streaming answers included. */
export const getInFlight = memoizeByBroker(() => ({ count: 0 }));

export function createInFlightMiddleware(): Middleware {
  return createOuterMiddleware("InFlight", (broker) => ({
    localAction:
      (next: Handler): Handler =>
      async (ctx) => {
        if (ctx.nodeID === broker.nodeID) return next(ctx);
        const calls = getInFlight(broker);
        const end = (): void => void (calls.count -= 1);
        let result: unknown;
        calls.count += 1;
        try {
          result = await next(ctx);
          return result;
        } finally {
          if (result instanceof Readable) finished(result, end);
          else end();
        }
      },
  }));
}
