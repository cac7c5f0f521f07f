import type { ServerResponse } from "node:http";
import type { Histogram } from "prom-client";
import type { EntryPoint } from "../broker/contract/define.ts";
import type { Metrics } from "../broker/metrics/metrics.ts";
import { knownMethod } from "../broker/metrics/http.ts";
import { scopeFields } from "../broker/logging.ts";
import type { Settings } from "../broker/settings.ts";
import { ERROR_CATALOGUE } from "../mixins/errors.ts";
import { exchangeOf, type EdgeRequest } from "./request/edge-request.ts";

const CLIENT_LEFT = ERROR_CATALOGUE.CLIENT_CLOSED_REQUEST.status;

interface RequestLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Called for every request when it is over. */
export type RequestObserver = (req: EdgeRequest, status: number, milliseconds: number) => void;

/** Calls the observers when the answer is sent or the client is gone. */
export function observeRequest(req: EdgeRequest, res: ServerResponse, observers: readonly RequestObserver[]): void {
  res.on("close", () => {
    const { startedAt, answeredAt = performance.now(), brokenOffWith = CLIENT_LEFT } = exchangeOf(req);
    const milliseconds = answeredAt - startedAt;
    const status = res.writableFinished ? res.statusCode : brokenOffWith;
    for (const observe of observers) observe(req, status, milliseconds);
  });
}

/** Probes ask every few seconds: a missing part is logged once elsewhere. */
const PROBED = /^\/health(\/|$)/;

/** Logs method, path template (never the path, ids or query), status, time and request id. */
export function requestLog(logger: RequestLogger, { logLevel }: Pick<Settings, "logLevel">): RequestObserver {
  const informs = ["info", "debug", "trace"].includes(logLevel);
  return (req, status, milliseconds) => {
    const { requestId, routeLabel, span } = exchangeOf(req);
    const warns = status >= 500 && !PROBED.test(routeLabel);
    if (!warns && !informs) return;
    const fields = {
      method: req.method,
      route: routeLabel,
      status,
      ms: Math.round(milliseconds * 100) / 100,
      ...scopeFields({ requestId, span }),
    };
    if (warns) logger.warn(fields, "request");
    else logger.info(fields, "request");
  };
}

export function requestMetrics(entry: EntryPoint, { http }: Metrics): RequestObserver {
  // A look-up by labels takes longer than an observation. As many as there are series.
  const known = new Map<string, Histogram.Internal<string>>();
  return (req, status, milliseconds) => {
    const method = knownMethod(req.method, "other");
    const route = exchangeOf(req).routeLabel;
    const key = `${method} ${status} ${route}`;
    let series = known.get(key);
    if (!series) known.set(key, (series = http.labels({ entry, method, route, status })));
    series.observe(milliseconds / 1_000);
  };
}
