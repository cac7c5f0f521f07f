import type { CallingOptions, Middleware, ServiceBroker } from "moleculer";
import { type Attributes, getCurrentScope, withScope, type Scope, endWithWork } from "@partline/toolkit";
import { getTracing } from "./tracer.ts";
import { createOuterMiddleware, type Handler, type InternalContext } from "../internals.ts";

type Definition = { name: string; bulkhead?: { enabled?: boolean } };
type Call = (action: string, params?: unknown, options?: CallingOptions) => Promise<unknown>;

const TRACEPARENT = "traceparent";
/** Stands in for the header in calls that are not traced, for example probes. */
const UNTRACED = "";

/**
 * Runs each action in the scope of its request, for the request id in log lines, and in a span if traces are wanted.
 * Across nodes Moleculer carries the id, and the call's headers the span. Moleculer's own tracing makes calls several
 * times as slow, also unsampled.
 */
export function createTracingMiddleware(): Middleware {
  // A call that waited in a bulkhead is begun by the one before it, in that one's scope.
  const waiting = new WeakMap<InternalContext, Scope | undefined>();
  return createOuterMiddleware("Tracing", (broker) => callHooks(broker, waiting), {
    localAction: (next: Handler, { bulkhead }: Definition): Handler =>
      bulkhead?.enabled ? (ctx) => runInScope(waiting.get(ctx), ctx, next) : next,
    call:
      (next: Call): Call =>
      (action, params, options) =>
        next(action, params, keepRequest(options)),
  });
}

/** A call on the broker itself belongs to the current request or event. */
function keepRequest(options: CallingOptions | undefined): CallingOptions | undefined {
  if (options?.parentCtx ?? options?.requestID ?? options?.ctx) return options;
  const scope = getCurrentScope();
  return scope ? { ...options, requestID: scope.requestId } : options;
}

function callHooks(broker: ServiceBroker, waiting: WeakMap<InternalContext, Scope | undefined>) {
  const tracing = getTracing(broker);

  const localAction = (handler: Handler, action: Definition): Handler => {
    const attributes = toAttributes(action.name);
    const next: Handler = action.bulkhead?.enabled
      ? (ctx) => {
          waiting.set(ctx, getCurrentScope());
          return handler(ctx);
        }
      : handler;
    return (ctx) => {
      const requestId = ctx.requestID ?? ctx.id;
      const outerScope = getCurrentScope();
      const parent = (ctx.headers as Record<string, unknown> | null)?.[TRACEPARENT];
      const isFromAfar = typeof parent === "string";
      if (!tracing.tracer || parent === UNTRACED || (!isFromAfar && isUntraced(outerScope))) {
        return runInScope(
          outerScope?.requestId === requestId ? outerScope : { requestId, span: outerScope?.span },
          ctx,
          next,
        );
      }
      const more = { ...attributes, "partline.request_id": requestId };
      const span =
        outerScope?.span && !isFromAfar
          ? outerScope.span.startChild(action.name, { kind: "internal", attributes: more })
          : tracing.tracer.begin(action.name, {
              kind: isFromAfar ? "server" : "internal",
              parent: isFromAfar ? parent : undefined,
              attributes: more,
            });
      return endWithWork(span, () => withScope({ requestId, span }, () => next(ctx)));
    };
  };

  const remoteAction = (next: Handler, action: Definition): Handler => {
    const attributes = toAttributes(action.name);
    return (ctx) => {
      if (!tracing.tracer) return next(ctx);
      const outerScope = getCurrentScope();
      if (isUntraced(outerScope)) {
        ctx.headers = { ...ctx.headers, [TRACEPARENT]: UNTRACED };
        return next(ctx);
      }
      const more = {
        ...attributes,
        "partline.request_id": ctx.requestID ?? ctx.id,
        ...(ctx.nodeID ? { "partline.node": ctx.nodeID } : {}),
      };
      const span =
        outerScope?.span?.startChild(action.name, { kind: "client", attributes: more }) ??
        tracing.tracer.begin(action.name, { kind: "client", attributes: more });
      ctx.headers = { ...ctx.headers, [TRACEPARENT]: span.traceparent };
      return endWithWork(span, () => next(ctx));
    };
  };

  const localEvent =
    (next: Handler): Handler =>
    (ctx) => {
      const requestId = ctx.requestID ?? ctx.id;
      const outerScope = getCurrentScope();
      return runInScope(outerScope?.requestId === requestId ? outerScope : { requestId }, ctx, next);
    };

  return { localAction, remoteAction, localEvent };
}

function runInScope(scope: Scope | undefined, ctx: InternalContext, next: Handler): Promise<unknown> {
  return getCurrentScope() === scope ? next(ctx) : withScope(scope, () => next(ctx));
}

/** A request without a span is not traced; work of no request begins a trace. */
function isUntraced(scope: Scope | undefined): boolean {
  return scope !== undefined && scope.span === undefined;
}

/** Attributes of a call, by the semantic conventions for RPC. */
function toAttributes(action: string): Attributes {
  const dot = action.lastIndexOf(".");
  return {
    "rpc.system": "moleculer",
    "rpc.service": action.slice(0, Math.max(0, dot)),
    "rpc.method": action.slice(dot + 1),
  };
}
