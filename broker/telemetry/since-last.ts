import type { Counter, Histogram } from "prom-client";
import type { ProviderFailures, RouteTraffic } from "./sample.ts";

/** Returns a function that returns the requests since its last call. */
export function trafficSinceLast(http: Histogram): () => Promise<RouteTraffic[]> {
  const seen = new Map<string, number[]>();
  return async () => {
    const routes = new Map<string, RouteTraffic>();
    const { values } = await http.get();
    const series = Map.groupBy(values, ({ labels: { entry, method, route, status } }) =>
      [entry, method, route, status].join(" "),
    );
    for (const [name, samples] of series) {
      // Cumulative buckets, then sum and count.
      const now = samples.map(({ value }) => value);
      const before = seen.get(name);
      const [count = 0, sum = 0, ...downwards] = now.map((value, index) => value - (before?.[index] ?? 0)).reverse();
      if (count === 0) continue;
      seen.set(name, now);
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
    // Series that differ only in status are one.
    return [...routes.values()];
  };
}

/** Adds two accounts of the same route. */
function addTraffic(one: RouteTraffic | undefined, other: RouteTraffic): RouteTraffic {
  if (!one) return other;
  return {
    ...other,
    count: one.count + other.count,
    errors: one.errors + other.errors,
    sum: one.sum + other.sum,
    buckets: other.buckets.map((count, index) => count + one.buckets[index]!),
  };
}

/** The same for failed requests to providers. */
export function failuresSinceLast(counter: Counter): () => Promise<ProviderFailures[]> {
  const seen = new Map<string, number>();
  return async () => {
    const { values } = await counter.get();
    return values.flatMap(({ labels, value }) => {
      const [provider, reason] = [String(labels.provider), String(labels.reason)];
      const key = `${provider} ${reason}`;
      const more = value - (seen.get(key) ?? 0);
      seen.set(key, value);
      return more > 0 ? [{ provider, reason, count: more }] : [];
    });
  };
}
