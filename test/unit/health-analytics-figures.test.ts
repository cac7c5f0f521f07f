import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { RouteTraffic } from "../../broker/telemetry/sample.ts";
import {
  sumAccounts,
  addAccounts,
  mergeTraffic,
  addToMinute,
  toAccount,
  addToTrafficMinute,
  sumTraffic as systemTraffic,
  sumAnswers,
} from "../../services/health-analytics/accounts.ts";
import type { Account, NodeRun, TrafficAccount } from "../../services/health-analytics/collections.ts";
import {
  computeAvailabilities,
  splitSpan,
  widenToKept,
  resolveInterval,
  resolveSpan,
} from "../../services/health-analytics/history.ts";
import { BOUNDS_MS, toLatency, computePercentile } from "../../services/health-analytics/latency.ts";
import { deriveNodeState, deriveOverallState } from "../../services/health-analytics/states.ts";
import { toNodeViews } from "../../services/health-analytics/reports.ts";
import { degraded, hear, hearLeave, sampleOf, T0 } from "./health-analytics.support.ts";

const bucketOf = (value: number): number => {
  const index = BOUNDS_MS.findIndex((bound) => value <= bound);
  return index < 0 ? BOUNDS_MS.length : index;
};

/** As a node counts them. */
const trafficOf = (milliseconds: readonly number[], over: Partial<RouteTraffic> = {}): RouteTraffic => {
  const buckets = Array<number>(BOUNDS_MS.length + 1).fill(0);
  for (const value of milliseconds) buckets[bucketOf(value)]! += 1;
  return {
    entry: "payment",
    method: "GET",
    route: "/api/x",
    count: milliseconds.length,
    errors: 0,
    sum: milliseconds.reduce((sum, value) => sum + value, 0),
    buckets,
    ...over,
  };
};

describe("A percentile", () => {
  const times = fc.array(fc.double({ min: 0.01, max: 30_000, noNaN: true }), { minLength: 1, maxLength: 80 });

  it("of what several nodes counted lies in the bucket of the exact one of all their requests", () => {
    fc.assert(
      fc.property(
        fc.array(times, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0.5, 0.95, 0.99, 1),
        (nodes, rank) => {
          const all = nodes.flat().sort((one, other) => one - other);
          const exact = all[Math.max(1, Math.ceil(rank * all.length)) - 1]!;
          const told = computePercentile(sumAnswers(mergeTraffic(nodes.map((node) => trafficOf(node)))).buckets, rank)!;
          if (bucketOf(exact) === BOUNDS_MS.length) expect(told).toBe(BOUNDS_MS.at(-1));
          else expect(bucketOf(told)).toBe(bucketOf(exact));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("grows with its rank", () => {
    fc.assert(
      fc.property(times, (values) => {
        const { buckets } = trafficOf(values);
        const told = [0.1, 0.5, 0.9, 0.95, 0.99, 1].map((rank) => computePercentile(buckets, rank)!);
        expect(told).toEqual([...told].sort((one, other) => one - other));
      }),
    );
  });

  it("is null of nothing", () => {
    const none = { meanMs: null, p50Ms: null, p95Ms: null, p99Ms: null };
    expect(toLatency(sumAnswers([]))).toEqual({ requests: 0, errors: 0, ...none });
  });

  it("is no mean of percentiles", () => {
    const fast = trafficOf(Array<number>(99).fill(4));
    const slow = trafficOf([4_000]);
    const figures = { requests: 100, p99Ms: 5, p50Ms: expect.closeTo(3.76, 2) };
    expect(toLatency(sumAnswers([fast, slow]))).toMatchObject(figures);
  });
});

describe("An account", () => {
  const traffic = fc.record({
    route: fc.constantFrom("/api/a", "/api/b"),
    times: fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 5 }),
  });
  const samples = fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 7_199 }),
      traffic: fc.array(traffic, { maxLength: 3 }),
      dead: fc.nat(5),
    }),
    { minLength: 1, maxLength: 30 },
  );

  it("of hours is that of their samples, whether these are added up by the minute first or not", () => {
    fc.assert(
      fc.property(samples, (drawn) => {
        const all = drawn.map(({ seconds, traffic: routes, dead }) =>
          sampleOf({
            at: new Date(T0 + seconds * 1_000),
            queue: { outbox: 0, pending: 0, dead, oldestAgeMs: 0 },
            traffic: mergeTraffic(
              routes.map(({ route, times }) =>
                trafficOf(times, { route, sum: times.reduce((sum, time) => sum + time, 0) }),
              ),
            ),
          }),
        );
        const minutes = new Map<number, Account>();
        const traffic = new Map<number, TrafficAccount>();
        for (const sample of all) {
          const minute = Math.floor(sample.at.getTime() / 60_000);
          minutes.set(minute, addToMinute(minutes.get(minute) ?? null, sample));
          const routes = addToTrafficMinute(traffic.get(minute) ?? null, sample);
          if (routes) traffic.set(minute, routes);
        }
        const hours = sumAccounts("hour", [...minutes.values()]);
        for (const hour of hours) {
          const isWithin = ({ at }: { at: Date }): boolean =>
            Math.floor((at.getTime() - hour.at.getTime()) / 3_600_000) === 0;
          const within = all.filter(isWithin);
          const { samples: count, queue, answers } = within.map(toAccount).reduce(addAccounts);
          expect({ count: hour.samples, queue: hour.queue, answers: hour.answers }).toEqual({ count, queue, answers });
          const sorted = (list: readonly RouteTraffic[]) =>
            [...list].sort((one, other) => one.route.localeCompare(other.route));
          expect(sorted(systemTraffic("hour", hour.at, [...traffic.values()].filter(isWithin)).routes)).toEqual(
            sorted(mergeTraffic(within.flatMap((sample) => sample.traffic))),
          );
        }
        expect(hours.reduce((sum, { samples: count }) => sum + count, 0)).toBe(all.length);
      }),
      { numRuns: 100 },
    );
  });

  it("reports how available an entry point was", () => {
    const minute = [
      {},
      degraded("order"),
      { entryPoints: [{ entry: "payment", status: "degraded", ready: false, failing: ["documents"] }] } as const,
      { leaving: true },
    ].reduce<Account | null>((account, over) => addToMinute(account, sampleOf({ ...over } as never)), null)!;
    expect(minute.entryPoints).toEqual([{ entry: "payment", up: 1, degraded: 1, down: 1 }]);
    expect(computeAvailabilities([minute]).get("payment")).toEqual({ samples: 3, availability: 2 / 3 });
  });
});

describe("A state", () => {
  const run = hear(undefined, 0);

  it("of a node is that of what it serves, until it is silent or stopping", () => {
    expect(deriveNodeState(run, T0 + 15_000)).toBe("up");
    expect(deriveNodeState(run, T0 + 15_001)).toBe("gone");
    expect(deriveNodeState(hearLeave(run, 1), T0 + 60_000)).toBe("stopped");
    expect(deriveNodeState(hear(run, 1, degraded("order")), T0 + 1)).toBe("degraded");
    expect(deriveNodeState(hear(run, 1, { failing: ["documents"] }), T0 + 1)).toBe("degraded");
  });

  it.each([
    [["up", "up"], "up"],
    [["up", "gone"], "degraded"],
    [["down", "degraded"], "degraded"],
    [["down", "gone"], "down"],
    [["gone"], "gone"],
    [["up", "stopped"], "up"],
    [["stopped"], "stopped"],
    [["starting", "gone"], "starting"],
  ] as const)("of an entry point that is %p on its nodes is %s", (states, overall) => {
    expect(deriveOverallState(states)).toBe(overall);
  });

  it("counts restarts along the chain of those who took each other's place", () => {
    const started = (seconds: number, over: Partial<NodeRun> = {}): NodeRun => {
      const ms = seconds * 1_000;
      return { ...hear(undefined, ms, { node: `shop-${seconds}`, startedAt: new Date(T0 + ms) }), ...over };
    };
    const views = toNodeViews(
      [started(0, { leftAt: new Date(T0) }), started(100), started(200), started(201)],
      T0 + 205_000,
    );
    const told = views.map((view) => [
      view.node,
      view.state,
      view.restarts,
      view.replaces?.node,
      view.replacedBy?.node,
    ]);
    expect(told).toEqual([
      ["shop-201", "up", 0, undefined, undefined],
      ["shop-200", "up", 2, "shop-100", undefined],
      ["shop-100", "gone", 1, "shop-0", "shop-200"],
      ["shop-0", "stopped", 0, undefined, "shop-100"],
    ]);
  });
});

describe("A period", () => {
  const now = new Date("2026-11-21T10:00:30Z");

  it("is the last 24 hours in whole minutes unless given, a date until its end", () => {
    const span = (from: string, to: string) => ({ from: new Date(`${from}:00Z`), to: new Date(`${to}:00Z`) });
    expect(resolveSpan({}, now)).toEqual(span("2026-11-20T10:00", "2026-11-21T10:01"));
    const day = { from: "2026-11-01", to: "2026-11-01" };
    expect(resolveSpan(day, now)).toEqual(span("2026-11-01T00:00", "2026-11-02T00:00"));
    expect(() => resolveSpan({ from: "2026-11-22" }, now)).toThrow("'from'");
  });

  it("stays in the years 1 to 9999, for any dates", () => {
    for (const asked of [
      { to: "9999-12-31" },
      { to: "0001-01-01" },
      { from: "0001-01-01", to: "9999-12-31T23:59:59.999Z" },
    ]) {
      const { from, to } = resolveSpan(asked, now);
      const written = [from, to].map((end) => end.toISOString());
      for (const end of written) expect(end).toMatch(/^\d{4}-/);
      expect(written[0]! >= "0001-01-01" && from < to).toBe(true);
    }
    expect(() => resolveSpan({ to: "0001-01-01T00:00:00Z" }, now)).toThrow("'from'");
  });

  it("has the interval that suits it, and refuses one that is too fine", () => {
    const of = (hours: number) => ({ from: new Date(now.getTime() - hours * 3_600_000), to: now });
    const intervals = [3, 4, 96, 97].map((hours) => resolveInterval(undefined, of(hours)));
    expect(intervals).toEqual(["minute", "hour", "hour", "day"]);
    expect(resolveInterval("minute", resolveSpan({}, now))).toBe("minute");
    expect(() => resolveInterval("minute", of(25))).toThrow("'interval'");
    expect(() => resolveInterval("hour", of(32 * 24))).toThrow("'interval'");
    expect(resolveInterval("day", of(80 * 24))).toBe("day");
  });

  it("is read in pieces that cover it once, the longest that are added up and lie in it whole", () => {
    const minute = fc.nat(5_000).map((minutes) => new Date(T0 + minutes * 60_000));
    fc.assert(
      fc.property(
        minute,
        minute,
        minute,
        minute,
        fc.constantFrom("minute", "hour", "day"),
        (one, other, hour, day, longest) => {
          const [from, to] = one < other ? [one, other] : [other, one];
          const pieces = splitSpan({ from, to }, longest, { hour, day });
          let reached = from;
          for (const piece of pieces) {
            expect(piece.from).toEqual(reached);
            expect(piece.to > piece.from).toBe(true);
            const length = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }[piece.level];
            expect([piece.from.getTime() % length, piece.to.getTime() % length]).toEqual([0, 0]);
            if (piece.level !== "minute") expect(piece.to <= { hour, day }[piece.level]).toBe(true);
            reached = piece.to;
          }
          expect(reached).toEqual(to);
        },
      ),
    );
  });

  it("has its ends moved outwards to whole hours where minutes are not kept any more", () => {
    const ago = (days: number, seconds: number): Date => new Date(T0 - days * 86_400_000 + seconds * 1_000);
    const widened = { from: ago(9, 0), to: ago(8, 3_600) };
    expect(widenToKept({ from: ago(9, 61), to: ago(8, 61) }, new Date(T0))).toEqual(widened);
    const kept = { from: ago(6, 60), to: ago(5, 60) };
    expect(widenToKept(kept, new Date(T0))).toEqual(kept);
  });
});
