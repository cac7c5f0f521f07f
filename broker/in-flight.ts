import { finished, Readable } from "node:stream";
import type { Middleware } from "moleculer";
import { perBroker } from "./runtime.ts";
import { outerMiddleware, type Handler } from "./moleculer/internals.ts";

/** Calls of other nodes under way here, waiting ones and streaming answers included. */
export const inFlightOf = perBroker(() => ({ count: 0 }));

export function inFlightMiddleware(): Middleware {
  return outerMiddleware("InFlight", (broker) => ({
    localAction:
      (next: Handler): Handler =>
      async (ctx) => {
        if (ctx.nodeID === broker.nodeID) return next(ctx);
        const calls = inFlightOf(broker);
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
