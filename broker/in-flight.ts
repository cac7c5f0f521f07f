import { finished, Readable } from "node:stream";
import type { Context, Middleware, ServiceBroker } from "moleculer";
import { perBroker } from "./per-broker.ts";
import { middlewareOf } from "./moleculer/internals.ts";

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
  const setup = {
    name: "InFlightSetup",
    created: (broker: ServiceBroker) => {
      const inFlight = inFlightOf(broker);
      const localAction =
        (next: Handler): Handler =>
        (ctx) =>
          ctx.nodeID === broker.nodeID ? next(ctx) : inFlight.during(() => next(ctx));
      // Added behind Moleculer's middlewares, and so outside its bulkhead: waiting calls count too.
      broker.middlewares.add(middlewareOf({ name: "InFlight", localAction }));
    },
  };
  return middlewareOf(setup);
}
