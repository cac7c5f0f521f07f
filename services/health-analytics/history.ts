import type { RouteTraffic } from "../../broker/telemetry/sample.ts";
import type { DocumentStore, Filter } from "../../mixins/document-store/port.ts";
import { addUp, addUpEntryPoints, addUpFailures, addUpTraffic, ceilTo, floorTo, largest } from "./accounts.ts";
import {
  HOUR_MS,
  LEVELS,
  MINUTES_KEPT_MS,
  WATCH,
  type Account,
  type TrafficAccount,
  type Watch,
} from "./collections.ts";
import { latencyOf } from "./latency.ts";
import type { Span } from "./period.ts";
import type { Level } from "./resources.ts";

interface Piece extends Span {
  level: Level;
}

/** Reads a period from the longest accounts inside it, and shorter ones at its ends. */
export function createHistory(documents: DocumentStore) {
  const watches = documents.collection<Watch>(WATCH);

  async function readPieces<T>(span: Span, longest: Level, read: (level: Level, at: Filter) => Promise<T[]>) {
    const watch = await watches.findOne({ _id: "watch" });
    const until = { hour: watch?.hoursUntil ?? span.from, day: watch?.daysUntil ?? span.from };
    const pieces = piecesOf(span, longest, until);
    return (
      await Promise.all(pieces.map(({ level, from, to }) => read(level, { at: { $gte: from, $lt: to } })))
    ).flat();
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

/** Minutes are kept for a week: older ends of a period move outwards to whole hours. */
export function wholeSpan({ from, to }: Span, now: Date): Span {
  const isOld = (moment: Date): boolean => now.getTime() - moment.getTime() > MINUTES_KEPT_MS;
  return { from: isOld(from) ? floorTo(from, HOUR_MS) : from, to: isOld(to) ? ceilTo(to, HOUR_MS) : to };
}

/** @param until how far hours and days are added up */
export function piecesOf(span: Span, longest: Level, until: { hour: Date; day: Date }): Piece[] {
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
  const told = accounts.slice(1).reduce<Parameters<typeof addUp>[0]>(addUp, accounts[0]!);
  const { samples, entryPoints, eventLoop, memory, answers } = told;
  return {
    at,
    samples,
    entryPoints,
    eventLoop: { p99Ms: eventLoop.p99, maxMs: eventLoop.max },
    memory: { rss: memory.rss },
    traffic: latencyOf(answers),
    failures: addUpFailures(told.failures),
  };
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
