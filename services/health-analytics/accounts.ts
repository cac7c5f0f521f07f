import { HTTP_SECONDS } from "../../broker/metrics/metrics.ts";
import type { NodeSample, QueueSample } from "../../broker/telemetry/sample.ts";
import { LEVELS, MINUTE_MS, type Account, type Answers, type TrafficAccount } from "./collections.ts";
import type { Level, State } from "./contract.ts";
import { entryPointState, runId } from "./runs.ts";

export type Told = Omit<Account, "_id" | "node" | "at" | "expiresAt">;

/** A leaving node reports no state. */
export function toldBy({ leaving, entryPoints, eventLoop, memory, queue, traffic, failures }: NodeSample): Told {
  return {
    samples: 1,
    entryPoints: (leaving ? [] : entryPoints).map((entryPoint) => {
      const count = (state: State): number => (entryPointState(entryPoint) === state ? 1 : 0);
      return { entry: entryPoint.entry, up: count("up"), degraded: count("degraded"), down: count("down") };
    }),
    eventLoop: { p99: eventLoop.p99, max: eventLoop.max },
    memory: { rss: memory.rss },
    queue,
    answers: inAll(traffic),
    failures,
  };
}

/** In any order. */
export function addUp(one: Told, other: Told): Told {
  return {
    samples: one.samples + other.samples,
    entryPoints: joined([...one.entryPoints, ...other.entryPoints]),
    eventLoop: maxima(one.eventLoop, other.eventLoop),
    memory: maxima(one.memory, other.memory),
    queue: largest(one.queue, other.queue),
    answers: sum(one.answers, other.answers),
    failures: joined([...one.failures, ...other.failures]),
  };
}

/** The larger of each figure: nodes mostly report one and the same store. */
export function largest(one: QueueSample | undefined, other: QueueSample | undefined): QueueSample | undefined {
  return one && other ? maxima(one, other) : (one ?? other);
}

function maxima<Figures extends { [name in keyof Figures]: number }>(one: Figures, other: Figures): Figures {
  const larger = { ...one };
  for (const name of Object.keys(one) as (keyof Figures)[]) if (other[name] > larger[name]) larger[name] = other[name];
  return larger;
}

type Counts = Readonly<Record<string, string | number | readonly number[]>>;

/** Adds the numbers of items with the same texts. */
export function joined<T extends { [name in keyof T]: Counts[string] }>(items: readonly T[]): T[] {
  const textsOf = (item: T): string =>
    Object.values(item)
      .filter((value) => typeof value === "string")
      .join(" ");
  return joinBy(items, textsOf, sum);
}

function sum<T extends { [name in keyof T]: Counts[string] }>(one: T, other: T): T {
  const added = Object.entries<Counts[string]>(one).map(([name, value]) => {
    const more = (other as Counts)[name];
    if (typeof value === "string") return [name, value];
    if (typeof value === "number") return [name, value + (more as number)];
    return [name, value.map((count, index) => count + ((more as readonly number[])[index] ?? 0))];
  });
  return Object.fromEntries(added) as T;
}

function joinBy<T>(items: readonly T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  return [...Map.groupBy(items, keyOf).values()].map((same) => same.reduce((one, other) => join(one, other)));
}

export function minuteOf(sample: NodeSample) {
  const at = floorTo(sample.at, MINUTE_MS);
  return { _id: `${runId(sample)}@${at.getTime()}`, at, expiresAt: expiryOf("minute", at) };
}

export function minuteWith(minute: Account | null, sample: NodeSample): Account {
  const told = toldBy(sample);
  return { ...(minute ? addUp(minute, told) : told), ...minuteOf(sample), node: sample.node };
}

/** Undefined when the sample has none. */
export function trafficMinuteWith(minute: TrafficAccount | null, sample: NodeSample): TrafficAccount | undefined {
  if (sample.traffic.length === 0) return undefined;
  return { ...minuteOf(sample), routes: joined([...(minute?.routes ?? []), ...sample.traffic]) };
}

/** Of each run. */
export function accountsOf(level: Level, shorter: readonly Account[]): Account[] {
  const raised = shorter.map((account): Account => {
    const at = floorTo(account.at, LEVELS[level].length);
    const run = account._id.slice(0, account._id.lastIndexOf("@"));
    return { ...account, _id: `${run}@${at.getTime()}`, at, expiresAt: expiryOf(level, at) };
  });
  return joinBy(
    raised,
    ({ _id }) => _id,
    (one, other) => ({ ...one, ...addUp(one, other) }),
  );
}

export function trafficOf(level: Level, at: Date, shorter: readonly TrafficAccount[]): TrafficAccount {
  const routes = joined(shorter.flatMap((account) => account.routes));
  return { _id: String(at.getTime()), at, routes, expiresAt: expiryOf(level, at) };
}

function expiryOf(level: Level, at: Date): Date {
  return new Date(at.getTime() + LEVELS[level].keptMs);
}

export function floorTo(moment: Date, milliseconds: number): Date {
  return new Date(Math.floor(moment.getTime() / milliseconds) * milliseconds);
}

export function ceilTo(moment: Date, milliseconds: number): Date {
  return new Date(Math.ceil(moment.getTime() / milliseconds) * milliseconds);
}

export const BOUNDS_MS: readonly number[] = HTTP_SECONDS.map((seconds) => seconds * 1_000);

const NO_ANSWERS: Answers = { count: 0, errors: 0, sum: 0, buckets: Array<number>(BOUNDS_MS.length + 1).fill(0) };

export function inAll(traffic: readonly Answers[]): Answers {
  const answers = traffic.map(({ count, errors, sum: took, buckets }) => ({ count, errors, sum: took, buckets }));
  return answers.reduce(sum, NO_ANSWERS);
}

/**
 * `rank` is 0 to 1. A bucket's values count as evenly spread; beyond the last bound it is that bound. Null without a
 * value.
 */
export function percentile(buckets: readonly number[], rank: number): number | null {
  const total = buckets.reduce((all, count) => all + count, 0);
  if (total === 0) return null;
  const place = Math.max(1, Math.ceil(rank * total));
  let before = 0;
  for (const [index, count] of buckets.entries()) {
    if (before + count >= place) {
      const lower = index === 0 ? 0 : BOUNDS_MS[index - 1]!;
      const upper = BOUNDS_MS[index] ?? lower;
      return lower + ((upper - lower) * (place - before)) / count;
    }
    before += count;
  }
  return BOUNDS_MS.at(-1)!;
}

export function latencyOf({ count, errors, sum: took, buckets }: Answers) {
  const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
  const at = (rank: number): number | null => rounded(percentile(buckets, rank));
  const meanMs = rounded(count === 0 ? null : took / count);
  return { requests: count, errors, meanMs, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
