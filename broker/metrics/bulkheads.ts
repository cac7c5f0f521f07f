import type { Context } from "moleculer";
import { Family } from "./exposition.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/** Calls of the actions that a bulkhead protects: those that run, and those that wait to. */
export class BulkheadMetrics {
  /** By action; a call that waits is under way, and not yet in flight. */
  readonly #counts = new Map<string, { underWay: number; inFlight: number }>();

  /** Round the bulkhead. */
  called(action: string, next: Handler): Handler {
    return this.#during(action, "underWay", next);
  }

  /** Within it. */
  admitted(action: string, next: Handler): Handler {
    return this.#during(action, "inFlight", next);
  }

  families(): Family[] {
    const running = new Family("partline_bulkhead_in_flight_calls", "gauge", "Calls that a bulkhead has let in");
    const waiting = new Family("partline_bulkhead_queued_calls", "gauge", "Calls that wait for room in a bulkhead");
    for (const [action, { underWay, inFlight }] of this.#counts) {
      running.add(inFlight, { action });
      waiting.add(Math.max(0, underWay - inFlight), { action });
    }
    return [running, waiting];
  }

  #during(action: string, which: "underWay" | "inFlight", next: Handler): Handler {
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
