import { Errors, type Middleware, type ServiceBroker } from "moleculer";
import { createOuterMiddleware, findTransit, type Handler, type InternalContext, type Transit } from "../internals.ts";

/** Milliseconds that a call has left; Infinity without a limit. */
export function getRemainingMs({ startHrTime, options }: Pick<InternalContext, "startHrTime" | "options">): number {
  if (!startHrTime || !options.timeout) return Infinity;
  const [seconds, nanoseconds] = process.hrtime(startHrTime);
  return options.timeout - (seconds * 1e3 + nanoseconds / 1e6);
}

/**
 * Adds what Moleculer's deadlines lack: an action's own limit holds if the caller has more time, a call that waited in
 * a bulkhead beyond its time is not begun, and a late remote call is settled.
 */
export function createDeadlineMiddleware(): Middleware {
  const limitTimeout = (next: Handler, { timeout }: { timeout?: number }): Handler =>
    timeout === undefined
      ? next
      : (ctx) => {
          if ((ctx.options.timeout ?? 0) > timeout) ctx.options = { ...ctx.options, timeout };
          return next(ctx);
        };
  const skipIfLate = (next: Handler, { name, bulkhead }: { name: string; bulkhead?: object }): Handler =>
    bulkhead === undefined
      ? next
      : (ctx) =>
          getRemainingMs(ctx) > 0
            ? next(ctx)
            : Promise.reject(new Errors.RequestSkippedError({ action: name, nodeID: ctx.nodeID ?? "" }));
  const createOuterHooks = (broker: ServiceBroker) => {
    const transit = findTransit(broker);
    if (transit) settleForgotten(transit);
    return { localAction: limitTimeout, remoteAction: limitTimeout };
  };
  return createOuterMiddleware("Deadline", createOuterHooks, { localAction: skipIfLate });
}

/**
 * Fails a remote call that Moleculer's transit forgets unanswered: its tracker, spans and repeats would wait for ever.
 */
function settleForgotten(transit: Transit): void {
  const answer = transit.responseHandler.bind(transit);
  const forget = transit.removePendingRequest.bind(transit);
  let answeredId: unknown;
  transit.responseHandler = (packet) => {
    answeredId = packet.id;
    try {
      answer(packet);
    } finally {
      answeredId = undefined;
    }
  };
  transit.removePendingRequest = (id) => {
    const request = id === answeredId ? undefined : transit.pendingRequests.get(id);
    forget(id);
    request?.reject(new Errors.RequestTimeoutError({ action: request.ctx.action?.name, nodeID: request.nodeID }));
  };
}
