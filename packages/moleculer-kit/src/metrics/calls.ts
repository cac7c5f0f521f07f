import { Counter, Histogram, type Registry } from "prom-client";
import { readMetric, type Labels, type Reading } from "./read-metric.ts";
import type { Handler } from "../internals.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bounds the codes of outside libraries. */
const MAX_ERROR_SERIES = 50;

/** Finds a caller's series; null for a call from no service. */
export type SeriesOf = (caller: string | null) => CallSeries;

/** Figures of one action or event for one caller. */
class CallSeries {
  begun = 0;
  ended = 0;
  readonly labels: Labels;
  readonly #time: Histogram.Internal<string>;
  readonly #errors: Counter;
  readonly #seenErrors = new Set<string>();

  constructor(labels: Labels, time: Histogram, errors: Counter) {
    this.labels = labels;
    this.#time = time.labels(labels);
    this.#errors = errors;
  }

  end(milliseconds: number): void {
    this.ended += 1;
    this.#time.observe(milliseconds / 1_000);
  }

  fail(error: unknown): void {
    const { name, code, type } = (typeof error === "object" && error !== null ? error : {}) as Record<
      string,
      string | number | undefined
    >;
    let [error_name, error_code, error_type] = [name, code, type].map((part) => String(part ?? ""));
    const key = `${error_name}\n${error_code}\n${error_type}`;
    if (this.#seenErrors.size < MAX_ERROR_SERIES) this.#seenErrors.add(key);
    else if (!this.#seenErrors.has(key)) [error_name, error_code, error_type] = ["other", "", ""];
    this.#errors.inc({ ...this.labels, error_name: error_name!, error_code: error_code!, error_type: error_type! });
  }
}

/**
 * Series of actions or event handlers, with Moleculer's metric names but seconds
 * (docs/decisions/0025-watching-a-system.md). A call makes one expensive look-up by labels; the rest is read at the
 * scrape.
 */
export class CallMetrics {
  readonly #time: Histogram;
  readonly #errors: Counter;
  readonly #bound = new Map<string, Map<string | null, CallSeries>>();

  /** @param prefix `moleculer_request` @param what plural: `requests` */
  constructor(registry: Registry, prefix: string, what: string, labels: string[]) {
    const labelNames = [...labels, "caller"];
    const registers = [registry];
    const registerMetric = (name: string, help: string, value: (series: CallSeries) => number): void => {
      const readSeries = (): Reading =>
        [...this.#bound.values()].flatMap((seriesByCaller) =>
          [...seriesByCaller.values()].map((series): [Labels, number] => [series.labels, value(series)]),
        );
      readMetric(registry, `${prefix}_${name}`, `Number of ${what}${help}`, readSeries, labelNames);
    };
    registerMetric("total", "", (series) => series.begun);
    registerMetric("active", " under way", ({ begun, ended }) => begun - ended);
    this.#time = new Histogram({
      name: `${prefix}_duration_seconds`,
      help: `Times of ${what}`,
      labelNames,
      buckets: SECONDS,
      registers,
    });
    this.#errors = new Counter({
      name: `${prefix}_error_total`,
      help: `Number of ${what} that failed`,
      labelNames: [...labelNames, "error_name", "error_code", "error_type"],
      registers,
    });
  }

  /** Labels are bound once for each node with the action, and share their series. */
  bind(labels: Labels): SeriesOf {
    const seriesByCaller = this.#getSeries(labels);
    return (caller) => {
      const existing = seriesByCaller.get(caller);
      if (existing) return existing;
      const series = new CallSeries({ ...labels, caller: caller ?? "" }, this.#time, this.#errors);
      seriesByCaller.set(caller, series);
      return series;
    };
  }

  /** Calls of all callers with these labels that have begun and not ended. */
  countActive(labels: Labels): number {
    return [...this.#getSeries(labels).values()].reduce((sum, { begun, ended }) => sum + begun - ended, 0);
  }

  #getSeries(labels: Labels): Map<string | null, CallSeries> {
    const key = JSON.stringify(labels);
    const series = this.#bound.get(key) ?? new Map<string | null, CallSeries>();
    this.#bound.set(key, series);
    return series;
  }
}

/** Registers the running and waiting calls of actions with a bulkhead: a waiting one is under way, not in flight. */
export function createBulkheadMetrics(registry: Registry, requests: CallMetrics) {
  /** Calls by action. */
  const calls = new Map<string, { inFlight: number; labels: Labels }>();
  const registerMetric = (name: string, help: string, value: (inFlight: number, labels: Labels) => number): void => {
    const readCounts = (): Reading =>
      [...calls].map(([action, { inFlight, labels }]) => [{ action }, value(inFlight, labels)]);
    readMetric(registry, `partline_bulkhead_${name}_calls`, help, readCounts, ["action"]);
  };
  registerMetric("in_flight", "Calls running in a bulkhead", (inFlight) => inFlight);
  registerMetric("queued", "Calls that wait for room in a bulkhead", (inFlight, labels) =>
    Math.max(0, requests.countActive(labels) - inFlight),
  );
  return {
    /** For a handler inside the bulkhead. @param labels of the action's requests */
    watchAdmitted: (action: string, labels: Labels, next: Handler): Handler => {
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
