import type { NodeSample, ProviderFailures, QueueSample, RouteTraffic } from "../../broker/telemetry/sample.ts";
import { LEVELS, MINUTE_MS, type Account, type Answers, type TrafficAccount } from "./collections.ts";
import type { Level, State } from "./contract.ts";
import { deriveEntryPointState } from "./states.ts";
import { getRunId } from "./runs.ts";
import { BOUNDS_MS } from "./latency.ts";

export type NodeAccount = Omit<Account, "_id" | "node" | "at" | "expiresAt">;

/** Returns the account of one sample. A leaving node reports no state. */
export function toAccount({
  leaving,
  entryPoints,
  eventLoop,
  memory,
  queue,
  traffic,
  failures,
}: NodeSample): NodeAccount {
  return {
    samples: 1,
    entryPoints: (leaving ? [] : entryPoints).map((entryPoint) => {
      const count = (state: State): number => (deriveEntryPointState(entryPoint) === state ? 1 : 0);
      return { entry: entryPoint.entry, up: count("up"), degraded: count("degraded"), down: count("down") };
    }),
    eventLoop: { p99: eventLoop.p99, max: eventLoop.max },
    memory: { rss: memory.rss },
    queue,
    answers: sumAnswers(traffic),
    failures,
  };
}

/** Adds two accounts, in any order. */
export function addAccounts(a: NodeAccount, b: NodeAccount): NodeAccount {
  return {
    samples: a.samples + b.samples,
    entryPoints: sumEntryPoints([...a.entryPoints, ...b.entryPoints]),
    eventLoop: mergeMaxima(a.eventLoop, b.eventLoop),
    memory: mergeMaxima(a.memory, b.memory),
    queue: pickLargest(a.queue, b.queue),
    answers: sum(a.answers, b.answers),
    failures: mergeFailures([...a.failures, ...b.failures]),
  };
}

/** Returns the larger of each figure: nodes mostly report one and the same store. */
export function pickLargest(a: QueueSample | undefined, b: QueueSample | undefined): QueueSample | undefined {
  return a && b ? mergeMaxima(a, b) : (a ?? b);
}

function mergeMaxima<Figures extends { [name in keyof Figures]: number }>(a: Figures, b: Figures): Figures {
  const larger = { ...a };
  for (const name of Object.keys(a) as (keyof Figures)[]) if (b[name] > larger[name]) larger[name] = b[name];
  return larger;
}

type Counts = Readonly<Record<string, string | number | readonly number[]>>;

export function sumEntryPoints(counts: Account["entryPoints"]): Account["entryPoints"] {
  return joinBy(counts, ({ entry }) => entry, sum);
}

export function mergeTraffic(traffic: readonly RouteTraffic[]): RouteTraffic[] {
  return joinBy(traffic, ({ entry, method, route }) => `${entry} ${method} ${route}`, sum);
}

export function mergeFailures(failures: readonly ProviderFailures[]): ProviderFailures[] {
  return joinBy(failures, ({ provider, reason }) => `${provider} ${reason}`, sum);
}

/** Adds all numbers; texts are the first one's. */
function sum<T extends { [name in keyof T]: Counts[string] }>(a: T, b: T): T {
  const added = Object.entries<Counts[string]>(a).map(([name, value]) => {
    const more = (b as Counts)[name];
    if (typeof value === "string") return [name, value];
    if (typeof value === "number") return [name, value + (more as number)];
    return [name, value.map((count, index) => count + ((more as readonly number[])[index] ?? 0))];
  });
  return Object.fromEntries(added) as T;
}

function joinBy<T>(items: readonly T[], toKey: (item: T) => string, join: (a: T, b: T) => T): T[] {
  return [...Map.groupBy(items, toKey).values()].map((same) => same.reduce((a, b) => join(a, b)));
}

export function toMinute(sample: NodeSample) {
  const startsAt = roundDownTo(sample.at, MINUTE_MS);
  return { _id: `${getRunId(sample)}@${startsAt.getTime()}`, at: startsAt, expiresAt: getExpiry("minute", startsAt) };
}

export function addToMinute(minute: Account | null, sample: NodeSample): Account {
  const account = toAccount(sample);
  return { ...(minute ? addAccounts(minute, account) : account), ...toMinute(sample), node: sample.node };
}

/** Adds a sample's traffic to its minute; undefined when the sample has none. */
export function addToTrafficMinute(minute: TrafficAccount | null, sample: NodeSample): TrafficAccount | undefined {
  if (sample.traffic.length === 0) return undefined;
  return { ...toMinute(sample), routes: mergeTraffic([...(minute?.routes ?? []), ...sample.traffic]) };
}

/** Sums shorter accounts into the hour or day of each run. */
export function sumAccounts(level: Level, shorter: readonly Account[]): Account[] {
  const raised = shorter.map((account): Account => {
    const startsAt = roundDownTo(account.at, LEVELS[level].length);
    const run = account._id.slice(0, account._id.lastIndexOf("@"));
    return { ...account, _id: `${run}@${startsAt.getTime()}`, at: startsAt, expiresAt: getExpiry(level, startsAt) };
  });
  return joinBy(
    raised,
    ({ _id }) => _id,
    (a, b) => ({ ...a, ...addAccounts(a, b) }),
  );
}

export function sumTraffic(level: Level, startsAt: Date, shorter: readonly TrafficAccount[]): TrafficAccount {
  const routes = mergeTraffic(shorter.flatMap((account) => account.routes));
  return { _id: String(startsAt.getTime()), at: startsAt, routes, expiresAt: getExpiry(level, startsAt) };
}

function getExpiry(level: Level, startsAt: Date): Date {
  return new Date(startsAt.getTime() + LEVELS[level].keptMs);
}

export function roundDownTo(moment: Date, milliseconds: number): Date {
  return new Date(Math.floor(moment.getTime() / milliseconds) * milliseconds);
}

export function roundUpTo(moment: Date, milliseconds: number): Date {
  return new Date(Math.ceil(moment.getTime() / milliseconds) * milliseconds);
}

const NO_ANSWERS: Answers = { count: 0, errors: 0, sum: 0, buckets: Array<number>(BOUNDS_MS.length + 1).fill(0) };

/** Sums the answers of all routes into one histogram. */
export function sumAnswers(traffic: readonly Answers[]): Answers {
  const answers = traffic.map(({ count, errors, sum: took, buckets }) => ({ count, errors, sum: took, buckets }));
  return answers.reduce(sum, NO_ANSWERS);
}
