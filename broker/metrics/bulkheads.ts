import type { Context } from "moleculer";
import type { Registry } from "prom-client";
import { readMetric, type Reading } from "./read-metric.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/** A waiting call is under way and not in flight. */
interface Counts {
  underWay: number;
  inFlight: number;
}

/** Running and waiting calls of actions with a bulkhead. */
export class BulkheadMetrics {
  readonly #counts = new Map<string, Counts>();

  constructor(registry: Registry) {
    const read = (name: string, help: string, value: (counts: Counts) => number): void => {
      const reading = (): Reading => [...this.#counts].map(([action, counts]) => [{ action }, value(counts)]);
      readMetric(registry, `partline_bulkhead_${name}_calls`, help, reading, ["action"]);
    };
    read("in_flight", "Calls that a bulkhead has let in", ({ inFlight }) => inFlight);
    read("queued", "Calls that wait for room in a bulkhead", ({ underWay, inFlight }) =>
      Math.max(0, underWay - inFlight),
    );
  }

  /** Outside the bulkhead. */
  called(action: string, next: Handler): Handler {
    return this.#during(action, "underWay", next);
  }

  /** Inside it. */
  admitted(action: string, next: Handler): Handler {
    return this.#during(action, "inFlight", next);
  }

  #during(action: string, which: keyof Counts, next: Handler): Handler {
    const counts = this.#counts.get(action) ?? { underWay: 0, inFlight: 0 };
    this.#counts.set(action, counts);
    return (ctx) => {
      counts[which] += 1;
      return next(ctx).finally(() => {
        counts[which] -= 1;
      });
    };
  }
}
