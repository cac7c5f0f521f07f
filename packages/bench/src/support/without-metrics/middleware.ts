import { attachMetrics, Metrics, type WatchedNode } from "../../../../moleculer-kit/src/metrics/metrics.ts";
import type { Middleware, ServiceBroker } from "moleculer";

/** Stands in for the kit's src/metrics/middleware.ts: a broker whose metrics are there to be read, and stay empty. */
export function createMetricsMiddleware(
  _settings: unknown,
  getNode: (broker: ServiceBroker) => WatchedNode,
): Middleware {
  const silent = {
    name: "WithoutMetrics",
    created: (broker: ServiceBroker) => {
      const metrics = new Metrics();
      metrics.http.observe = () => undefined;
      attachMetrics(broker, metrics, () => getNode(broker));
    },
  };
  return silent;
}
