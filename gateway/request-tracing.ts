import type { ServiceBroker } from "moleculer";
import type { EntryPoint } from "../broker/contract/define.ts";
import { slowAfter, type SlowCalls } from "../broker/slow-calls.ts";
import { tracingOf } from "../broker/tracing/tracer.ts";
import type { Span } from "../mixins/tracing.ts";
import { knownMethod } from "../broker/metrics/http.ts";
import type { RequestObserver } from "./observers.ts";
import { exchangeOf, type EdgeRequest } from "./request/edge-request.ts";

/** Undefined if nothing is traced. */
export type SpanBeginner = (req: EdgeRequest) => Span | undefined;

/**
 * Begins a span for a request, in the caller's trace (`traceparent`). The template stands for paths and queries, which
 * hold ids and words.
 */
export function requestSpans(broker: ServiceBroker, entry: EntryPoint): SpanBeginner {
  const tracing = tracingOf(broker);
  return (req) => {
    const { traceparent } = req.headers;
    return tracing.tracer?.begin(spanMethod(req), {
      kind: "server",
      parent: typeof traceparent === "string" ? traceparent : undefined,
      attributes: {
        "http.request.method": knownMethod(req.method, "_OTHER"),
        "url.scheme": "http",
        "partline.entry_point": entry,
        "partline.request_id": exchangeOf(req).requestId,
      },
    });
  };
}

/** Names the span by its route and ends it. */
export const endRequestSpan: RequestObserver = (req, status) => {
  const { span, routeLabel } = exchangeOf(req);
  if (!span) return;
  span.rename(`${spanMethod(req)} ${routeLabel}`);
  span.set({ "http.route": routeLabel, "http.response.status_code": status });
  if (status >= 500) span.fail(String(status));
  span.end();
};

/** `HTTP` for an unknown method, by the conventions. */
function spanMethod({ method }: EdgeRequest): string {
  return knownMethod(method, "HTTP");
}

/** Logs slow requests, except uploads, files and streams, whose time is the client's. */
export function slowRequests(slowCalls: SlowCalls, slowCallMs: number): RequestObserver {
  return (req, status, milliseconds) => {
    const { route, requestId, routeLabel } = exchangeOf(req);
    if (!route || route.bodyKind === "stream" || route.streamed || (route.http.answer ?? "json") !== "json") return;
    if (milliseconds > slowAfter(slowCallMs, route.definition.timeout))
      slowCalls.tell("route", `${req.method} ${routeLabel}`, milliseconds, { status, request_id: requestId });
  };
}
