import type { Registry } from "prom-client";
import type { Handler } from "../moleculer/internals.ts";
import type { CallMetrics } from "./calls.ts";
import { readMetric, type Labels, type Reading } from "./read-metric.ts";

/** A waiting call is under way, not in flight. */
export function bulkheadMetrics(registry: Registry, requests: CallMetrics) {
  /** By action. */
  const calls = new Map<string, { inFlight: number; labels: Labels }>();
  const read = (name: string, help: string, value: (inFlight: number, labels: Labels) => number): void => {
    const reading = (): Reading =>
      [...calls].map(([action, { inFlight, labels }]) => [{ action }, value(inFlight, labels)]);
    readMetric(registry, `partline_bulkhead_${name}_calls`, help, reading, ["action"]);
  };
  read("in_flight", "Calls that a bulkhead has let in", (inFlight) => inFlight);
  read("queued", "Calls that wait for room in a bulkhead", (inFlight, labels) =>
    Math.max(0, requests.underWay(labels) - inFlight),
  );
  return {
    /** @param labels of the action's requests */
    admitted: (action: string, labels: Labels, next: Handler): Handler => {
      const counts = calls.get(action) ?? { inFlight: 0, labels };
      calls.set(action, counts);
      return (ctx) => {
        counts.inFlight += 1;
        return next(ctx).finally(() => {
          counts.inFlight -= 1;
        });
      };
    },
  };
}
