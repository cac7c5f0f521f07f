import type { ServerResponse } from "node:http";
import type { ServiceBroker } from "moleculer";
import type { Histogram } from "prom-client";
import type { EntryPoint } from "../../broker/contract/define.ts";
import {
  type Metrics,
  toKnownMethod,
  getScopeFields,
  getSlowLimit,
  type SlowCalls,
  getTracing,
} from "@partline/moleculer-kit";
import type { Settings } from "../../broker/settings.ts";
import { ERROR_CATALOGUE } from "../../mixins/errors.ts";
import type { Span } from "@partline/toolkit";
import { type EdgeRequest } from "@partline/http-edge";
import { getExchange } from "./exchange.ts";

const CLIENT_LEFT = ERROR_CATALOGUE.CLIENT_CLOSED_REQUEST.status;

interface RequestLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export type RequestObserver = (req: EdgeRequest, status: number, milliseconds: number) => void;

export function observeRequest(req: EdgeRequest, res: ServerResponse, observers: readonly RequestObserver[]): void {
  res.on("close", () => {
    const { startedAt, answeredAt = performance.now(), brokenOffWith = CLIENT_LEFT } = getExchange(req);
    const milliseconds = answeredAt - startedAt;
    const status = res.writableFinished ? res.statusCode : brokenOffWith;
    for (const observe of observers) observe(req, status, milliseconds);
  });
}

/** Probes ask every few seconds. */
const PROBED = /^\/health(\/|$)/;

/** Logs method, path template (never the path, ids or query), status, time and request id. */
export function requestLog(logger: RequestLogger, { logLevel }: Pick<Settings, "logLevel">): RequestObserver {
  const informs = ["info", "debug", "trace"].includes(logLevel);
  return (req, status, milliseconds) => {
    const { requestId, routeLabel, span } = getExchange(req);
    const warns = status >= 500 && !PROBED.test(routeLabel);
    if (!warns && !informs) return;
    const fields = {
      method: req.method,
      route: routeLabel,
      status,
      ms: Math.round(milliseconds * 100) / 100,
      ...getScopeFields({ requestId, span }),
    };
    logger[warns ? "warn" : "info"](fields, "request");
  };
}

/**
 * Statuses of refusals, which say nothing about a route's time: otherwise a stranger could create a series of each for
 * every route.
 */
const REFUSALS = new Set([401, 403, 405, 413, 415, 429]);
const REFUSED = "(refused)";

export function createRequestMetrics(entry: EntryPoint, { http }: Metrics): RequestObserver {
  // A look-up by labels takes longer than an observation.
  const boundHistograms = new Map<string, Histogram.Internal<string>>();
  return (req, status, milliseconds) => {
    const method = toKnownMethod(req.method, "other");
    const route = REFUSALS.has(status) ? REFUSED : getExchange(req).routeLabel;
    const key = `${method} ${status} ${route}`;
    let series = boundHistograms.get(key);
    if (!series) boundHistograms.set(key, (series = http.labels({ entry, method, route, status })));
    series.observe(milliseconds / 1_000);
  };
}

export type SpanBeginner = (req: EdgeRequest) => Span | undefined;

/** Begins a span in the caller's trace (`traceparent`). The template stands for paths and queries, which hold ids. */
export function requestSpans(broker: ServiceBroker, entry: EntryPoint): SpanBeginner {
  const tracing = getTracing(broker);
  return (req) => {
    const { traceparent } = req.headers;
    return tracing.tracer?.begin(getSpanMethod(req), {
      kind: "server",
      parent: typeof traceparent === "string" ? traceparent : undefined,
      attributes: {
        "http.request.method": toKnownMethod(req.method, "_OTHER"),
        "url.scheme": "http",
        "partline.entry_point": entry,
        "partline.request_id": getExchange(req).requestId,
      },
    });
  };
}

export const endRequestSpan: RequestObserver = (req, status) => {
  const { span, routeLabel } = getExchange(req);
  if (!span) return;
  span.rename(`${getSpanMethod(req)} ${routeLabel}`);
  span.set({ "http.route": routeLabel, "http.response.status_code": status });
  if (status >= 500) span.fail(String(status));
  span.end();
};

function getSpanMethod({ method }: EdgeRequest): string {
  return toKnownMethod(method, "HTTP");
}

/** Logs slow requests, except uploads, files and streams, whose time is the client's. */
export function createSlowRequestObserver(slowCalls: SlowCalls, slowCallMs: number): RequestObserver {
  return (req, status, milliseconds) => {
    const { route, requestId, routeLabel } = getExchange(req);
    if (!route || route.bodyKind === "stream" || route.streamed || (route.http.answer ?? "json") !== "json") return;
    if (milliseconds > getSlowLimit(slowCallMs, route.definition.timeout))
      slowCalls.tell("route", `${req.method} ${routeLabel}`, milliseconds, { status, request_id: requestId });
  };
}
