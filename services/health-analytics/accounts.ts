import type { NodeSample, ProviderFailures, QueueSample, RouteTraffic } from "../../broker/telemetry/sample.ts";
import { LEVELS, MINUTE_MS, type Account, type Answers, type TrafficAccount } from "./collections.ts";
import type { Level, State } from "./contract.ts";
import { entryPointState } from "./states.ts";
import { runId } from "./runs.ts";
import { BOUNDS_MS } from "./latency.ts";

export type Told = Omit<Account, "_id" | "node" | "at" | "expiresAt">;

/** The account of one sample. A leaving node reports no state. */
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

/** Adds two accounts, in any order. */
export function addUp(one: Told, other: Told): Told {
  return {
    samples: one.samples + other.samples,
    entryPoints: addUpEntryPoints([...one.entryPoints, ...other.entryPoints]),
    eventLoop: maxima(one.eventLoop, other.eventLoop),
    memory: maxima(one.memory, other.memory),
    queue: largest(one.queue, other.queue),
    answers: sum(one.answers, other.answers),
    failures: addUpFailures([...one.failures, ...other.failures]),
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

export function addUpEntryPoints(counts: Account["entryPoints"]): Account["entryPoints"] {
  return joinBy(counts, ({ entry }) => entry, sum);
}

export function addUpTraffic(traffic: readonly RouteTraffic[]): RouteTraffic[] {
  return joinBy(traffic, ({ entry, method, route }) => `${entry} ${method} ${route}`, sum);
}

export function addUpFailures(failures: readonly ProviderFailures[]): ProviderFailures[] {
  return joinBy(failures, ({ provider, reason }) => `${provider} ${reason}`, sum);
}

/** Adds all numbers; texts are the first one's. */
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
  return { ...minuteOf(sample), routes: addUpTraffic([...(minute?.routes ?? []), ...sample.traffic]) };
}

/** The hour or day of each run, from shorter accounts. */
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
  const routes = addUpTraffic(shorter.flatMap((account) => account.routes));
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

const NO_ANSWERS: Answers = { count: 0, errors: 0, sum: 0, buckets: Array<number>(BOUNDS_MS.length + 1).fill(0) };

/** One histogram of all routes. */
export function inAll(traffic: readonly Answers[]): Answers {
  const answers = traffic.map(({ count, errors, sum: took, buckets }) => ({ count, errors, sum: took, buckets }));
  return answers.reduce(sum, NO_ANSWERS);
}
