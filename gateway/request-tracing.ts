import type { ServiceBroker } from "moleculer";
import type { EntryPoint } from "../broker/contract/define.ts";
import { slowAfter, type SlowCalls } from "../broker/slow-calls.ts";
import { tracingOf } from "../broker/tracing/tracer.ts";
import type { Span } from "../mixins/tracing.ts";
import { knownMethod } from "../broker/metrics/http.ts";
import type { RequestObserver } from "./observers.ts";
import { exchangeOf, type EdgeRequest } from "./request/edge-request.ts";

/** Begins the span of a request; none where nothing is traced. */
export type SpanBeginner = (req: EdgeRequest) => Span | undefined;

/**
 * A span a request, in the trace of who asks where they say (`traceparent`). Paths and queries hold ids and words: the
 * template stands for them.
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

/** Names the span by the route that was found meanwhile, and ends it. */
export const endRequestSpan: RequestObserver = (req, status) => {
  const { span, routeLabel } = exchangeOf(req);
  if (!span) return;
  span.rename(`${spanMethod(req)} ${routeLabel}`);
  span.set({ "http.route": routeLabel, "http.response.status_code": status });
  if (status >= 500) span.fail(String(status));
  span.end();
};

/** By the conventions `HTTP` where the method is one that nobody knows. */
function spanMethod({ method }: EdgeRequest): string {
  return knownMethod(method, "HTTP");
}

/** Requests that took long, but for those whose time is their client's: uploads, files and streams of events. */
export function slowRequests(slowCalls: SlowCalls, slowCallMs: number): RequestObserver {
  return (req, status, milliseconds) => {
    const { route, requestId, routeLabel } = exchangeOf(req);
    if (!route || route.bodyKind === "stream" || route.streamed || (route.http.answer ?? "json") !== "json") return;
    if (milliseconds > slowAfter(slowCallMs, route.definition.timeout))
      slowCalls.tell("route", `${req.method} ${routeLabel}`, milliseconds, { status, request_id: requestId });
  };
}
