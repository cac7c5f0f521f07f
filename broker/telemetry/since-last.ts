import { byHttpBuckets, type HttpMetrics } from "../metrics/http.ts";
import type { LabelledCounter } from "../metrics/labelled-counter.ts";
import type { ProviderFailures, RouteTraffic } from "./sample.ts";

/** Answers of the metrics since this was last asked. Metrics only grow, so it remembers what it has seen of each series. */
export class TrafficSinceLast {
  readonly #http: HttpMetrics;
  readonly #seen = new WeakMap<object, { counts: readonly number[]; sum: number }>();

  constructor(http: HttpMetrics) {
    this.#http = http;
  }

  /** Series that differ in their status alone are one. */
  take(): RouteTraffic[] {
    const routes = new Map<string, RouteTraffic>();
    for (const { labels, time } of this.#http.series()) {
      const before = this.#seen.get(time);
      const buckets = time.counts.map((count, index) => count - (before?.counts[index] ?? 0));
      const count = buckets.reduce((total, each) => total + each, 0);
      if (count === 0) continue;
      this.#seen.set(time, { counts: [...time.counts], sum: time.sum });
      const { entry, method, route, status } = labels;
      const traffic = {
        entry,
        method,
        route,
        count,
        errors: Number(status) >= 500 ? count : 0,
        sum: (time.sum - (before?.sum ?? 0)) * 1_000,
        buckets,
      };
      const key = `${entry} ${method} ${route}`;
      routes.set(key, addTraffic(routes.get(key), traffic));
    }
    return [...routes.values()];
  }
}

/** Two accounts of the same route, as one. */
export function addTraffic(one: RouteTraffic | undefined, other: RouteTraffic): RouteTraffic {
  if (!one) return other;
  const before = byHttpBuckets(one.buckets);
  return {
    ...other,
    count: one.count + other.count,
    errors: one.errors + other.errors,
    sum: one.sum + other.sum,
    buckets: byHttpBuckets(other.buckets).map((count, index) => count + before[index]!),
  };
}

export class FailuresSinceLast {
  readonly #counter: LabelledCounter;
  readonly #seen = new Map<string, number>();

  constructor(counter: LabelledCounter) {
    this.#counter = counter;
  }

  take(): ProviderFailures[] {
    return [...this.#counter.counts()].flatMap(({ labels, count }) => {
      const { provider = "", reason = "" } = labels;
      const key = `${provider} ${reason}`;
      const more = count - (this.#seen.get(key) ?? 0);
      this.#seen.set(key, count);
      return more > 0 ? [{ provider, reason, count: more }] : [];
    });
  }
}
