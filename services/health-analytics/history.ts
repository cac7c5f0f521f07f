import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, toPeriod } from "../../broker/contract/period.ts";
import type { RouteTraffic } from "../../broker/telemetry/sample.ts";
import type { DocumentStore, Filter } from "@partline/durable";
import { invalidField } from "../../mixins/errors.ts";
import { addUp, addUpEntryPoints, addUpTraffic, ceilTo, floorTo, largest, type Told } from "./accounts.ts";
import { latencyOf } from "./latency.ts";
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

export type Asked = Parameters<typeof toPeriod>[0];

/** From inclusive, to exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

/**
 * The period in whole minutes, of the years 1 to 9999: by default the last 24 hours until `to`, which is now. @throws
 * VALIDATION_FAILED
 */
export function spanOf(asked: Asked, now: Date): Span {
  const { start, end = now } = toPeriod(asked);
  const from = start ?? new Date(Math.max(end.getTime() - DAY_MS, FIRST_MOMENT));
  assertInOrder(from, end);
  const to = ceilTo(end, MINUTE_MS);
  return { from: floorTo(from, MINUTE_MS), to: to.getTime() > LAST_MOMENT ? new Date(LAST_MOMENT) : to };
}

/**
 * The interval of a history: by default a minute up to three hours, an hour up to four days, else a day. @throws
 * VALIDATION_FAILED
 */
export function intervalOf(asked: Level | undefined, { from, to }: Span): Level {
  const length = to.getTime() - from.getTime();
  if (asked === undefined) return length <= 3 * HOUR_MS ? "minute" : length <= 4 * DAY_MS ? "hour" : "day";
  if (length > LONGEST_MS[asked] + MINUTE_MS) {
    const days = LONGEST_MS[asked] / DAY_MS;
    throw invalidField("interval", `must be longer for so long a period: ${asked}s are given of at most ${days} days`);
  }
  return asked;
}

/** Reads a period from the longest accounts inside it, and shorter ones at its ends. */
export function createHistory(documents: DocumentStore) {
  const watches = documents.collection<Watch>(WATCH);

  async function readPieces<T>(span: Span, longest: Level, read: (level: Level, at: Filter) => Promise<T[]>) {
    const watch = await watches.findOne({ _id: "watch" });
    const until = { hour: watch?.hoursUntil ?? span.from, day: watch?.daysUntil ?? span.from };
    const pieces = piecesOf(span, longest, until);
    const found = pieces.map(({ level, from, to }) => read(level, { at: { $gte: from, $lt: to } }));
    return (await Promise.all(found)).flat();
  }

  return {
    read: (span: Span, interval: Level, filter: Filter = {}): Promise<Account[]> =>
      readPieces(span, interval, (level, at) =>
        documents.collection<Account>(LEVELS[level].accounts).find({ ...filter, ...at }),
      ),

    async traffic(span: Span): Promise<RouteTraffic[]> {
      const found = await readPieces(span, "day", (level, at) =>
        documents.collection<TrafficAccount>(LEVELS[level].traffic).find(at),
      );
      return addUpTraffic(found.flatMap(({ routes }) => routes));
    },
  };
}

/** Minutes are kept for a week: older ends move outwards to whole hours. */
export function wholeSpan({ from, to }: Span, now: Date): Span {
  const isOld = (moment: Date): boolean => now.getTime() - moment.getTime() > MINUTES_KEPT_MS;
  return { from: isOld(from) ? floorTo(from, HOUR_MS) : from, to: isOld(to) ? ceilTo(to, HOUR_MS) : to };
}

/** @param until how far hours and days are added up */
export function piecesOf(span: Span, longest: Level, until: { hour: Date; day: Date }): (Span & { level: Level })[] {
  if (span.from >= span.to) return [];
  if (longest === "minute") return [{ level: "minute", ...span }];
  const shorter = longest === "day" ? "hour" : "minute";
  const { length } = LEVELS[longest];
  const first = ceilTo(span.from, length);
  const last = floorTo(span.to < until[longest] ? span.to : until[longest], length);
  if (first >= last) return piecesOf(span, shorter, until);
  return [
    ...piecesOf({ from: span.from, to: first }, shorter, until),
    { level: longest, from: first, to: last },
    ...piecesOf({ from: last, to: span.to }, shorter, until),
  ];
}

/** By interval; empty ones are left out. */
export function byInterval(accounts: readonly Account[], interval: Level): { at: Date; accounts: Account[] }[] {
  const grouped = Map.groupBy(accounts, ({ at }) => floorTo(at, LEVELS[interval].length).getTime());
  return [...grouped].sort(([one], [other]) => one - other).map(([at, told]) => ({ at: new Date(at), accounts: told }));
}

export function queuePoint({ at, accounts }: { at: Date; accounts: readonly Account[] }) {
  const queue = accounts.reduce<Account["queue"]>((all, account) => largest(all, account.queue), undefined);
  return queue === undefined ? [] : [{ at, ...queue }];
}

export function nodePoint({ at, accounts }: { at: Date; accounts: readonly Account[] }) {
  const { samples, entryPoints, eventLoop, memory, answers, failures } = (accounts as readonly Told[]).reduce(addUp);
  const { p99: p99Ms, max: maxMs } = eventLoop;
  return { at, samples, entryPoints, eventLoop: { p99Ms, maxMs }, memory, traffic: latencyOf(answers), failures };
}

/** Share of samples in which an entry point was not down. */
export function availabilities(accounts: readonly Account[]): Map<string, { samples: number; availability: number }> {
  const all = addUpEntryPoints(accounts.flatMap(({ entryPoints }) => entryPoints));
  return new Map(
    all.flatMap(({ entry, up, degraded, down }) => {
      const samples = up + degraded + down;
      return samples === 0 ? [] : [[entry, { samples, availability: (up + degraded) / samples }]];
    }),
  );
}
