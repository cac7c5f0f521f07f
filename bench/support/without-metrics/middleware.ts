import type { Middleware, ServiceBroker } from "moleculer";
import { HttpMetrics } from "../../../broker/metrics/http.ts";
import { attachMetrics, Metrics } from "../../../broker/metrics/metrics.ts";

/** Stands in for broker/metrics/middleware.ts: a broker whose metrics are there to be read, and stay empty. */
export function metricsMiddleware(): Middleware {
  const silent = {
    name: "WithoutMetrics",
    created: (broker: ServiceBroker) =>
      attachMetrics(broker, Object.assign(new Metrics(), { http: new SilentHttpMetrics() })),
  };
  return silent as unknown as Middleware;
}

class SilentHttpMetrics extends HttpMetrics {
  override observe(): void {}
}
