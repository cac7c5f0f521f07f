import type { NodeSample, ProviderFailures, QueueSample, RouteTraffic } from "../../broker/telemetry/sample.ts";
import { addTraffic } from "../../broker/telemetry/since-last.ts";
import { HOURS_KEPT_MS, MINUTES_KEPT_MS, type Account } from "./collections.ts";
import { runId } from "./runs.ts";
import { entryPointState } from "./states.ts";

type Told = Omit<Account, "_id" | "node" | "at" | "expiresAt">;

/** What one sample tells. A node that leaves tells no state. */
export function toldBy({ leaving, entryPoints, eventLoop, memory, queue, traffic, failures }: NodeSample): Told {
  const states = leaving ? [] : entryPoints.map((entryPoint) => ({ entry: entryPoint.entry, state: entryPointState(entryPoint) }));
  return {
    samples: 1,
    entryPoints: states.map(({ entry, state }) => ({
      entry, up: state === "up" ? 1 : 0, degraded: state === "degraded" ? 1 : 0, down: state === "down" ? 1 : 0,
    })),
    eventLoop: { p99: eventLoop.p99, max: eventLoop.max },
    memory: { rss: memory.rss },
    ...(queue ? { queue } : {}),
    traffic, failures,
  };
}

/** Two parts of what was told, in one; in any order. */
export function addUp(one: Told, other: Told): Told {
  const queue = largest(one.queue, other.queue);
  return {
    samples: one.samples + other.samples,
    entryPoints: joinBy([...one.entryPoints, ...other.entryPoints], ({ entry }) => entry, (a, b) => ({
      entry: a.entry, up: a.up + b.up, degraded: a.degraded + b.degraded, down: a.down + b.down,
    })),
    eventLoop: { p99: Math.max(one.eventLoop.p99, other.eventLoop.p99), max: Math.max(one.eventLoop.max, other.eventLoop.max) },
    memory: { rss: Math.max(one.memory.rss, other.memory.rss) },
    ...(queue ? { queue } : {}),
    traffic: addUpTraffic([...one.traffic, ...other.traffic]),
    failures: addUpFailures([...one.failures, ...other.failures]),
  };
}

export function addUpTraffic(traffic: readonly RouteTraffic[]): RouteTraffic[] {
  return joinBy(traffic, ({ entry, method, route }) => `${entry} ${method} ${route}`, addTraffic);
}

export function addUpFailures(failures: readonly ProviderFailures[]): ProviderFailures[] {
  return joinBy(failures, ({ provider, reason }) => `${provider} ${reason}`, (a, b) => ({ ...a, count: a.count + b.count }));
}

/** Each figure's largest: nodes tell of the store that they use, most often one and the same. */
export function largest(one: QueueSample | undefined, other: QueueSample | undefined): QueueSample | undefined {
  if (!one || !other) return one ?? other;
  return {
    outbox: Math.max(one.outbox, other.outbox),
    pending: Math.max(one.pending, other.pending),
    dead: Math.max(one.dead, other.dead),
    oldestAgeMs: Math.max(one.oldestAgeMs, other.oldestAgeMs),
  };
}

/** The id of what is kept of a run for the minute of the sample. */
export function minuteId(sample: NodeSample): string {
  return `${runId(sample)}@${floorTo(sample.at, MINUTE_MS).getTime()}`;
}

export function minuteWith(minute: Account | null, sample: NodeSample): Account {
  const at = floorTo(sample.at, MINUTE_MS);
  const told = toldBy(sample);
  return {
    ...(minute ? addUp(minute, told) : told),
    _id: minuteId(sample), node: sample.node, at, expiresAt: new Date(at.getTime() + MINUTES_KEPT_MS),
  };
}

/** The hour of each run that its minutes make. */
export function hoursOf(minutes: readonly Account[]): Account[] {
  const hourly = minutes.map((minute): Account => {
    const at = floorTo(minute.at, HOUR_MS);
    const run = minute._id.slice(0, minute._id.lastIndexOf("@"));
    return { ...minute, _id: `${run}@${at.getTime()}`, at, expiresAt: new Date(at.getTime() + HOURS_KEPT_MS) };
  });
  return joinBy(hourly, ({ _id }) => _id, ({ _id, node, at, expiresAt, ...told }, other) => ({ _id, node, at, expiresAt, ...addUp(told, other) }));
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

export function floorTo(moment: Date, milliseconds: number): Date {
  return new Date(Math.floor(moment.getTime() / milliseconds) * milliseconds);
}

function joinBy<T>(items: readonly T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  const joined = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = joined.get(key);
    joined.set(key, known === undefined ? item : join(known, item));
  }
  return [...joined.values()];
}
