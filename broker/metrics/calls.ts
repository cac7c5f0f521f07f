import { Family } from "./exposition.ts";
import { CallSeries, type Labels } from "./series.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Finds the series of whoever calls; null when the call comes from no service. */
export type SeriesOf = (caller: string | null) => CallSeries;

/** Series of actions, or of event handlers, under Moleculer's metric names, but that times are in seconds (docs/decisions/0025-watching-a-system.md). */
export class CallMetrics {
  readonly #prefix: string;
  readonly #what: string;
  readonly #bound = new Map<string, { labels: Labels; byCaller: Map<string | null, CallSeries> }>();

  /** @param prefix `moleculer_request` @param what in the plural: `requests` */
  constructor(prefix: string, what: string) {
    this.#prefix = prefix;
    this.#what = what;
  }

  /** The same labels are bound once for each node that has the action, and share their series. */
  bind(labels: Labels): SeriesOf {
    const key = JSON.stringify(labels);
    const bound = this.#bound.get(key) ?? { labels, byCaller: new Map<string | null, CallSeries>() };
    this.#bound.set(key, bound);
    const { byCaller } = bound;
    return (caller) => {
      const known = byCaller.get(caller);
      if (known) return known;
      const series = new CallSeries(SECONDS);
      byCaller.set(caller, series);
      return series;
    };
  }

  families(): Family[] {
    const total = new Family(`${this.#prefix}_total`, "counter", `Number of ${this.#what}`);
    const active = new Family(`${this.#prefix}_active`, "gauge", `Number of ${this.#what} under way`);
    const time = new Family(`${this.#prefix}_duration_seconds`, "histogram", `Times of ${this.#what}`);
    const errors = new Family(`${this.#prefix}_error_total`, "counter", `Number of ${this.#what} that failed`);
    for (const { labels, byCaller } of this.#bound.values()) {
      for (const [caller, series] of byCaller) {
        const all = { ...labels, caller: caller ?? "" };
        total.add(series.total, all);
        active.add(series.active, all);
        time.addHistogram(series.time, all);
        for (const failure of series.errors.values()) errors.add(failure.count, { ...all, ...failure.labels });
      }
    }
    return [total, active, time, errors];
  }
}
