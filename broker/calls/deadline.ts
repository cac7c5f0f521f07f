import { Errors, type Middleware, type ServiceBroker } from "moleculer";
import { middlewareOf, transitOf, type InternalContext, type Transit } from "../moleculer/internals.ts";

type Handler = (ctx: InternalContext) => Promise<unknown>;

/** Milliseconds that a call has left; Infinity where it has no limit. */
export function remainingMs({ startHrTime, options }: Pick<InternalContext, "startHrTime" | "options">): number {
  if (!startHrTime || !options.timeout) return Infinity;
  const [seconds, nanoseconds] = process.hrtime(startHrTime);
  return options.timeout - (seconds * 1e3 + nanoseconds / 1e6);
}

/**
 * What Moleculer leaves open of deadlines. It hands a call what its caller has left, here and on other nodes, and
 * refuses to begin one that has none. But it lets a caller with more time override the callee's own limit, runs what
 * has waited in a bulkhead until nobody waits for it any more, and never settles a remote call whose time is over.
 */
export function deadlineMiddleware(): Middleware {
  const limited = (next: Handler, { timeout }: { timeout?: number }): Handler =>
    timeout === undefined
      ? next
      : (ctx) => {
          if ((ctx.options.timeout ?? 0) > timeout) ctx.options = { ...ctx.options, timeout };
          return next(ctx);
        };
  const setup = {
    name: "Deadline",
    created: (broker: ServiceBroker) => {
      // Behind Moleculer's own middlewares and so wrapped around the one that counts the time.
      broker.middlewares.add(
        middlewareOf({
          name: "ActionLimit",
          localAction: limited,
          remoteAction: limited,
        }),
      );
      const transit = transitOf(broker);
      if (transit) settleForgotten(transit);
    },
    localAction: (next: Handler, { name, bulkhead }: { name: string; bulkhead?: object }): Handler =>
      bulkhead === undefined
        ? next
        : (ctx) =>
            remainingMs(ctx) > 0
              ? next(ctx)
              : Promise.reject(new Errors.RequestSkippedError({ action: name, nodeID: ctx.nodeID ?? "" })),
  };
  return middlewareOf(setup);
}

/**
 * A remote call whose time is over is forgotten by Moleculer's transit, and whatever waits for it within the time limit
 * (its tracker, spans, what repeats it) would wait for ever. Here what is forgotten without an answer fails.
 */
function settleForgotten(transit: Transit): void {
  const answer = transit.responseHandler.bind(transit);
  const forget = transit.removePendingRequest.bind(transit);
  let answered: unknown;
  transit.responseHandler = (packet) => {
    answered = packet.id;
    try {
      answer(packet);
    } finally {
      answered = undefined;
    }
  };
  transit.removePendingRequest = (id) => {
    const request = id === answered ? undefined : transit.pendingRequests.get(id);
    forget(id);
    request?.reject(new Errors.RequestTimeoutError({ action: request.ctx.action?.name, nodeID: request.nodeID }));
  };
}
