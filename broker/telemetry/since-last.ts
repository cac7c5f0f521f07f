import type { Counter, Histogram } from "prom-client";
import { byHttpBuckets } from "../metrics/http.ts";
import type { ProviderFailures, RouteTraffic } from "./sample.ts";

/** Requests since the last call. Metrics only grow, so it remembers each series. */
export class TrafficSinceLast {
  readonly #http: Histogram;
  readonly #seen = new Map<string, number[]>();

  constructor(http: Histogram) {
    this.#http = http;
  }

  /** Series that differ only in status are one. */
  async take(): Promise<RouteTraffic[]> {
    const routes = new Map<string, RouteTraffic>();
    const { values } = await this.#http.get();
    const series = Map.groupBy(values, ({ labels: { entry, method, route, status } }) =>
      [entry, method, route, status].join(" "),
    );
    for (const [name, samples] of series) {
      // Cumulative buckets, then sum and count.
      const now = samples.map(({ value }) => value);
      const before = this.#seen.get(name);
      const [count = 0, sum = 0, ...downwards] = now.map((value, index) => value - (before?.[index] ?? 0)).reverse();
      if (count === 0) continue;
      this.#seen.set(name, now);
      const { entry, method, route, status } = samples[0]!.labels;
      const traffic = {
        entry: String(entry),
        method: String(method),
        route: String(route),
        count,
        errors: Number(status) >= 500 ? count : 0,
        sum: sum * 1_000,
        buckets: downwards.map((upTo, index) => upTo - (downwards[index + 1] ?? 0)).reverse(),
      };
      const key = `${traffic.entry} ${traffic.method} ${traffic.route}`;
      routes.set(key, addTraffic(routes.get(key), traffic));
    }
    return [...routes.values()];
  }
}

/** Adds two accounts of the same route. */
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
  readonly #counter: Counter;
  readonly #seen = new Map<string, number>();

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  async take(): Promise<ProviderFailures[]> {
    const { values } = await this.#counter.get();
    return values.flatMap(({ labels, value }) => {
      const [provider, reason] = [String(labels.provider), String(labels.reason)];
      const key = `${provider} ${reason}`;
      const more = value - (this.#seen.get(key) ?? 0);
      this.#seen.set(key, value);
      return more > 0 ? [{ provider, reason, count: more }] : [];
    });
  }
}
