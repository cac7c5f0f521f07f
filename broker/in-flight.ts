import { finished, Readable } from "node:stream";
import type { Context, Middleware } from "moleculer";
import { perBroker } from "./per-broker.ts";
import { outerMiddleware } from "./moleculer/internals.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/** Calls of other nodes under way here, waiting ones and streaming answers included. */
class InFlight {
  count = 0;

  async during(work: () => Promise<unknown>): Promise<unknown> {
    this.count += 1;
    try {
      const result = await work();
      if (result instanceof Readable) this.#untilTold(result);
      return result;
    } finally {
      this.count -= 1;
    }
  }

  #untilTold(stream: Readable): void {
    this.count += 1;
    finished(stream, () => {
      this.count -= 1;
    });
  }
}

export const inFlightOf = perBroker(() => new InFlight());

export function inFlightMiddleware(): Middleware {
  return outerMiddleware("InFlight", (broker) => ({
    localAction:
      (next: Handler): Handler =>
      (ctx) =>
        ctx.nodeID === broker.nodeID ? next(ctx) : inFlightOf(broker).during(() => next(ctx)),
  }));
}
