import { getAt } from "@partline/toolkit";
import type { Counter, Histogram } from "prom-client";
import type { ProviderFailures, RouteTraffic } from "./sample.ts";

/** Returns a function that returns the requests since its last call. */
export function createTrafficDelta(http: Histogram): () => Promise<RouteTraffic[]> {
  const previousValues = new Map<string, number[]>();
  return async () => {
    const routes = new Map<string, RouteTraffic>();
    const { values } = await http.get();
    const series = Map.groupBy(values, ({ labels: { entry, method, route, status } }) =>
      [entry, method, route, status].join(" "),
    );
    for (const [name, samples] of series) {
      // Cumulative buckets, then sum and count.
      const now = samples.map(({ value }) => value);
      const previous = previousValues.get(name);
      const [count = 0, sum = 0, ...downwards] = now.map((value, index) => value - (previous?.[index] ?? 0)).reverse();
      if (count === 0) continue;
      previousValues.set(name, now);
      const { entry, method, route, status } = getAt(samples, 0).labels;
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
    // Series that differ only in status are one.
    return [...routes.values()];
  };
}

/** Adds two accounts of the same route. */
function addTraffic(first: RouteTraffic | undefined, second: RouteTraffic): RouteTraffic {
  if (!first) return second;
  return {
    ...second,
    count: first.count + second.count,
    errors: first.errors + second.errors,
    sum: first.sum + second.sum,
    buckets: second.buckets.map((count, index) => count + getAt(first.buckets, index)),
  };
}

/** The same for failed requests to providers. */
export function createFailuresDelta(counter: Counter): () => Promise<ProviderFailures[]> {
  const previousValues = new Map<string, number>();
  return async () => {
    const { values } = await counter.get();
    return values.flatMap(({ labels, value }) => {
      const [provider, reason] = [String(labels.provider), String(labels.reason)];
      const key = `${provider} ${reason}`;
      const more = value - (previousValues.get(key) ?? 0);
      previousValues.set(key, value);
      return more > 0 ? [{ provider, reason, count: more }] : [];
    });
  };
}
