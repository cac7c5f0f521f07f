import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, toPeriod } from "../../broker/contract/period.ts";
import type { RouteTraffic } from "../../broker/telemetry/sample.ts";
import type { DocumentStore, Filter } from "@partline/durable";
import { invalidField } from "../../mixins/errors.ts";
import {
  addAccounts,
  sumEntryPoints,
  mergeTraffic,
  roundUpTo,
  roundDownTo,
  pickLargest,
  type NodeAccount,
} from "./accounts.ts";
import { toLatency } from "./latency.ts";
import {
  DAY_MS,
  HOUR_MS,
  LEVELS,
  MINUTE_MS,
  MINUTES_KEPT_MS,
  WATCH,
  type Account,
  type TrafficAccount,
  type Watch,
} from "./collections.ts";
import type { Level } from "./contract.ts";

/** Longest period of an interval; days are not limited. */
const LONGEST_MS: Readonly<Record<Level, number>> = { minute: DAY_MS, hour: 31 * DAY_MS, day: Infinity };

export type PeriodParams = Parameters<typeof toPeriod>[0];

/** Period: `from` inclusive, `to` exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

/**
 * Resolves the period in whole minutes, of the years 1 to 9999: by default the last 24 hours until `to`, which is now.
 * @throws VALIDATION_FAILED
 */
export function resolveSpan(params: PeriodParams, now: Date): Span {
  const { start, end = now } = toPeriod(params);
  const from = start ?? new Date(Math.max(end.getTime() - DAY_MS, FIRST_MOMENT));
  assertInOrder(from, end);
  const to = roundUpTo(end, MINUTE_MS);
  return { from: roundDownTo(from, MINUTE_MS), to: to.getTime() > LAST_MOMENT ? new Date(LAST_MOMENT) : to };
}

/**
 * Resolves the interval of a history: by default a minute up to three hours, an hour up to four days, else a day.
 * @throws VALIDATION_FAILED
 */
export function resolveInterval(level: Level | undefined, { from, to }: Span): Level {
  const length = to.getTime() - from.getTime();
  if (level === undefined) return length <= 3 * HOUR_MS ? "minute" : length <= 4 * DAY_MS ? "hour" : "day";
  if (length > LONGEST_MS[level] + MINUTE_MS) {
    const days = LONGEST_MS[level] / DAY_MS;
    throw invalidField("interval", `must be longer for this period: ${level}s are available for at most ${days} days`);
  }
  return level;
}

/** Reads a period from the longest accounts inside it, and shorter ones at its ends. */
export function createHistory(documents: DocumentStore) {
  const watches = documents.collection<Watch>(WATCH);

  async function readPieces<T>(
    span: Span,
    longest: Level,
    readLevel: (level: Level, startsAt: Filter) => Promise<T[]>,
  ) {
    const watch = await watches.findOne({ _id: "watch" });
    const until = { hour: watch?.hoursUntil ?? span.from, day: watch?.daysUntil ?? span.from };
    const pieces = splitSpan(span, longest, until);
    const reads = pieces.map(({ level, from, to }) => readLevel(level, { at: { $gte: from, $lt: to } }));
    return (await Promise.all(reads)).flat();
  }

  return {
    read: (span: Span, interval: Level, filter: Filter = {}): Promise<Account[]> =>
      readPieces(span, interval, (level, startsAt) =>
        documents.collection<Account>(LEVELS[level].accounts).find({ ...filter, ...startsAt }),
      ),

    async readTraffic(span: Span): Promise<RouteTraffic[]> {
      const accounts = await readPieces(span, "day", (level, startsAt) =>
        documents.collection<TrafficAccount>(LEVELS[level].traffic).find(startsAt),
      );
      return mergeTraffic(accounts.flatMap(({ routes }) => routes));
    },
  };
}

/** Widens a span to what is kept: ends older than a week, when minutes go, move outwards to whole hours. */
export function widenToKept({ from, to }: Span, now: Date): Span {
  const isOld = (moment: Date): boolean => now.getTime() - moment.getTime() > MINUTES_KEPT_MS;
  return { from: isOld(from) ? roundDownTo(from, HOUR_MS) : from, to: isOld(to) ? roundUpTo(to, HOUR_MS) : to };
}

/** Splits a span into the longest accounts that it holds. @param until how far hours and days are added up */
export function splitSpan(span: Span, longest: Level, until: { hour: Date; day: Date }): (Span & { level: Level })[] {
  if (span.from >= span.to) return [];
  if (longest === "minute") return [{ level: "minute", ...span }];
  const shorter = longest === "day" ? "hour" : "minute";
  const { length } = LEVELS[longest];
  const first = roundUpTo(span.from, length);
  const last = roundDownTo(span.to < until[longest] ? span.to : until[longest], length);
  if (first >= last) return splitSpan(span, shorter, until);
  return [
    ...splitSpan({ from: span.from, to: first }, shorter, until),
    { level: longest, from: first, to: last },
    ...splitSpan({ from: last, to: span.to }, shorter, until),
  ];
}

/** Groups accounts by interval; empty intervals are left out. */
export function groupByInterval(accounts: readonly Account[], interval: Level): { at: Date; accounts: Account[] }[] {
  const grouped = Map.groupBy(accounts, ({ at: startsAt }) => roundDownTo(startsAt, LEVELS[interval].length).getTime());
  return [...grouped].sort(([a], [b]) => a - b).map(([startMs, group]) => ({ at: new Date(startMs), accounts: group }));
}

export function toQueuePoint({ at, accounts }: { at: Date; accounts: readonly Account[] }) {
  const queue = accounts.reduce<Account["queue"]>((largest, account) => pickLargest(largest, account.queue), undefined);
  return queue === undefined ? [] : [{ at, ...queue }];
}

export function toNodePoint({ at, accounts }: { at: Date; accounts: readonly Account[] }) {
  const { samples, entryPoints, eventLoop, memory, answers, failures } = (accounts as readonly NodeAccount[]).reduce(
    addAccounts,
  );
  const { p99: p99Ms, max: maxMs } = eventLoop;
  return { at, samples, entryPoints, eventLoop: { p99Ms, maxMs }, memory, traffic: toLatency(answers), failures };
}

/** Computes the share of samples in which each entry point was not down. */
export function computeAvailabilities(
  accounts: readonly Account[],
): Map<string, { samples: number; availability: number }> {
  const entryPoints = sumEntryPoints(accounts.flatMap(({ entryPoints }) => entryPoints));
  return new Map(
    entryPoints.flatMap(({ entry, up, degraded, down }) => {
      const samples = up + degraded + down;
      return samples === 0 ? [] : [[entry, { samples, availability: (up + degraded) / samples }]];
    }),
  );
}
