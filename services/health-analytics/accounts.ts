import {
  type NodeSample,
  type ProviderFailures,
  type QueueSample,
  type RouteTraffic,
  addTraffic,
} from "../../broker/telemetry/sample.ts";
import { LEVELS, MINUTE_MS, type Account, type TrafficAccount } from "./collections.ts";
import { inAll } from "./latency.ts";
import { runId } from "./runs.ts";
import { entryPointState } from "./states.ts";
import type { Level, State } from "./resources.ts";

type Told = Omit<Account, "_id" | "node" | "at" | "expiresAt">;

/** The account of one sample. A leaving node reports no state. */
export function toldBy({ leaving, entryPoints, eventLoop, memory, queue, traffic, failures }: NodeSample): Told {
  return {
    samples: 1,
    entryPoints: (leaving ? [] : entryPoints).map((entryPoint) => ({
      entry: entryPoint.entry,
      ...countOf(entryPointState(entryPoint)),
    })),
    eventLoop: { p99: eventLoop.p99, max: eventLoop.max },
    memory: { rss: memory.rss },
    queue,
    answers: inAll(traffic),
    failures,
  };
}

function countOf(state: State) {
  const none = { up: 0, degraded: 0, down: 0 };
  return Object.hasOwn(none, state) ? { ...none, [state]: 1 } : none;
}

/** Adds two accounts, in any order. */
export function addUp(one: Told, other: Told): Told {
  return {
    samples: one.samples + other.samples,
    entryPoints: addUpEntryPoints([...one.entryPoints, ...other.entryPoints]),
    eventLoop: maxima(one.eventLoop, other.eventLoop),
    memory: maxima(one.memory, other.memory),
    queue: largest(one.queue, other.queue),
    answers: inAll([one.answers, other.answers]),
    failures: addUpFailures([...one.failures, ...other.failures]),
  };
}

export function addUpEntryPoints(counts: Account["entryPoints"]): Account["entryPoints"] {
  return joinBy(
    counts,
    ({ entry }) => entry,
    (a, b) => ({ ...a, up: a.up + b.up, degraded: a.degraded + b.degraded, down: a.down + b.down }),
  );
}

export function addUpTraffic(traffic: readonly RouteTraffic[]): RouteTraffic[] {
  return joinBy(traffic, ({ entry, method, route }) => `${entry} ${method} ${route}`, addTraffic);
}

export function addUpFailures(failures: readonly ProviderFailures[]): ProviderFailures[] {
  return joinBy(
    failures,
    ({ provider, reason }) => `${provider} ${reason}`,
    (a, b) => ({ ...a, count: a.count + b.count }),
  );
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

export function minuteId(sample: NodeSample): string {
  return `${runId(sample)}@${floorTo(sample.at, MINUTE_MS).getTime()}`;
}

export function minuteWith(minute: Account | null, sample: NodeSample): Account {
  const at = floorTo(sample.at, MINUTE_MS);
  const told = toldBy(sample);
  return {
    ...(minute ? addUp(minute, told) : told),
    _id: minuteId(sample),
    node: sample.node,
    at,
    expiresAt: expiryOf("minute", at),
  };
}

/** Undefined when the sample has none. */
export function trafficMinuteWith(minute: TrafficAccount | null, sample: NodeSample): TrafficAccount | undefined {
  if (sample.traffic.length === 0) return undefined;
  const at = floorTo(sample.at, MINUTE_MS);
  return {
    _id: minuteId(sample),
    at,
    routes: addUpTraffic([...(minute?.routes ?? []), ...sample.traffic]),
    expiresAt: expiryOf("minute", at),
  };
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
    ({ _id, node, at, expiresAt, ...told }, other) => ({ _id, node, at, expiresAt, ...addUp(told, other) }),
  );
}

export function trafficOf(level: Level, at: Date, shorter: readonly TrafficAccount[]): TrafficAccount {
  return {
    _id: String(at.getTime()),
    at,
    routes: addUpTraffic(shorter.flatMap(({ routes }) => routes)),
    expiresAt: expiryOf(level, at),
  };
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

function joinBy<T>(items: readonly T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  return [...Map.groupBy(items, keyOf).values()].map((same) => same.reduce((one, other) => join(one, other)));
}
