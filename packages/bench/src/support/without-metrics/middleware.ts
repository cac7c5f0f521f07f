import type { Middleware, ServiceBroker } from "moleculer";
import { attachMetrics, Metrics } from "../../../../../broker/metrics/metrics.ts";

/** Stands in for broker/metrics/middleware.ts: a broker whose metrics are there to be read, and stay empty. */
export function metricsMiddleware(): Middleware {
  const silent = {
    name: "WithoutMetrics",
    created: (broker: ServiceBroker) => {
      const metrics = new Metrics();
      metrics.http.observe = () => undefined;
      attachMetrics(broker, metrics);
    },
  };
  return silent;
}
