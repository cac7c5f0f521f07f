import { setTimeout as pause } from "node:timers/promises";
import { median } from "../statistics.ts";
import { type ScaledSystem, startScaledSystem } from "./system.ts";
import {
  AT_ONCE,
  type StationCosts,
  computeCost,
  type Kind,
  type LayoutTimes,
  OPERATIONS,
  type Operation,
} from "./times.ts";

/** After an answer, seconds: what follows it is done then. An order's mails and events take longest. */
const GAPS: Record<Operation, number> = { search: 0.05, cart: 0.05, checkout: 0.2, webhook: 0.5 };
const VISITS = 10;
/** For each process. */
const WARMING_VISITS = 100;
/** Of a processor: a process that uses more is what all wait for, not the store. */
const FULL = 0.7;

interface Sample {
  seconds: number;
  foreground: StationCosts;
  following: StationCosts;
  storeCommands: number;
}

interface Visits {
  visits: number;
  seconds: number;
  used: StationCosts;
  webhooks: number[];
  /** Of a visit, between its requests: the shopper pays. */
  thinking: number;
}

/** Measures one client at a time on processes that nothing limits, then several at once. */
export async function measureLayout(kinds: readonly Kind[]): Promise<LayoutTimes> {
  const system = await startScaledSystem(kinds);
  try {
    await warmUp(system, kinds.length);
    await pause(1_000);
    const idle = await measureIdle(system);
    const samples = new Map(OPERATIONS.map((name) => [name, [] as Sample[]]));
    for (let visit = 0; visit < VISITS; visit++)
      await system.visit(async (operation, request) => {
        const commands = await system.countStoreCommands();
        const timesAtFirst = system.readTimes();
        const startedAt = performance.now();
        const result = await request();
        const seconds = (performance.now() - startedAt) / 1_000;
        const answered = system.readTimes();
        await pause(GAPS[operation] * 1_000);
        const [foreground, following] = [subtract(answered, timesAtFirst), subtract(system.readTimes(), answered)];
        // One is the count itself.
        const storeCommands = (await system.countStoreCommands()) - commands - 1;
        samples.get(operation)?.push({ seconds, foreground, following, storeCommands });
        return result;
      });
    const operations = Object.fromEntries(
      [...samples].map(([name, list]) => [name, summarize(list, idle, GAPS[name])]),
    ) as LayoutTimes["operations"];
    const { visits, seconds, used } = await visitFor(system, AT_ONCE, 6);
    const busy = mapValues(used, (total, name) => {
      const alone = Object.values(operations).reduce((sum, times) => sum + computeCost(times, name), 0);
      return Math.min(1, Math.max(0.3, (total - (idle[name] ?? 0) * seconds) / visits / alone));
    });
    const isStoreFull = kinds.every((kind) => (used[kind] ?? 0) / seconds < FULL);
    return { idle, busy, storeSpeed: isStoreFull ? (used.store ?? 0) / seconds : 1, operations };
  } finally {
    await system.stop();
  }
}

/** Measures the processor seconds of a visit in one process over embedded stores, once its code is compiled. */
export async function measureEmbedded(): Promise<number> {
  const system = await startScaledSystem([]);
  try {
    await warmUp(system, 1);
    const { visits, used } = await visitFor(system, AT_ONCE, 4);
    return (used.all ?? 0) / visits;
  } finally {
    await system.stop();
  }
}

/** Visits until the code of each process is compiled. */
export async function warmUp(system: ScaledSystem, processes: number): Promise<void> {
  await visitFor(system, AT_ONCE, 0, WARMING_VISITS * processes);
}

/** All clients at once, each with one visit after another, for so many seconds and visits at least. */
export async function visitFor(
  system: ScaledSystem,
  clients: number,
  leastSeconds: number,
  leastVisits = 0,
): Promise<Visits> {
  const webhooks: number[] = [];
  const timesAtFirst = system.readTimes();
  const startedAt = performance.now();
  const getSeconds = (): number => (performance.now() - startedAt) / 1_000;
  let [visits, visiting, answering] = [0, 0, 0];
  const visitRepeatedly = async (): Promise<void> => {
    while (getSeconds() < leastSeconds || visits < leastVisits) {
      const beganAt = getSeconds();
      await system.visit(async (operation, request) => {
        const sentAt = getSeconds();
        const result = await request();
        answering += getSeconds() - sentAt;
        if (operation === "webhook") webhooks.push(getSeconds() - sentAt);
        return result;
      });
      visiting += getSeconds() - beganAt;
      visits += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, visitRepeatedly));
  const used = subtract(system.readTimes(), timesAtFirst);
  return { visits, seconds: getSeconds(), used, webhooks, thinking: (visiting - answering) / visits };
}

/** Processors that are used at rest: the least of some seconds, since work may be left over from before. */
async function measureIdle(system: ScaledSystem): Promise<StationCosts> {
  const looks: StationCosts[] = [];
  for (let second = 0; second < 5; second++) {
    const timesAtFirst = system.readTimes();
    await pause(1_000);
    looks.push(subtract(system.readTimes(), timesAtFirst));
  }
  return mapValues(looks[0] ?? {}, (_, name) => Math.min(...looks.map((look) => look[name] ?? 0)));
}

function summarize(samples: readonly Sample[], idle: StationCosts, gap: number) {
  const computeMean = (readValue: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + readValue(sample), 0) / samples.length;
  const seconds = median(samples.map((sample) => sample.seconds));
  const subtractIdle = (part: "foreground" | "following", meanwhile: number): StationCosts =>
    mapValues(idle, (share, name) => Math.max(0, computeMean((sample) => sample[part][name] ?? 0) - share * meanwhile));
  return {
    seconds,
    foreground: subtractIdle("foreground", seconds),
    following: subtractIdle("following", gap),
    storeCommands: computeMean(({ storeCommands }) => storeCommands),
  };
}

function subtract(minuend: StationCosts, subtrahend: StationCosts): StationCosts {
  return mapValues(minuend, (value, name) => value - (subtrahend[name] ?? 0));
}

function mapValues(record: StationCosts, map: (value: number, name: string) => number): StationCosts {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
