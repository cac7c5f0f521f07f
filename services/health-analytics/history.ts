import type { DocumentStore, Filter } from "../../mixins/document-store/port.ts";
import { addUp, addUpFailures, addUpTraffic, floorTo, HOUR_MS, largest } from "./accounts.ts";
import { HOURS, MINUTES, MINUTES_KEPT_MS, WATCH, type Account, type Watch } from "./collections.ts";
import { INTERVAL_MS, type Interval, type Span } from "./period.ts";
import { inAll, latencyOf } from "./latency.ts";

/** Reads what nodes told in a period: hours where they are added up already, minutes at its ends. */
export function createHistory(documents: DocumentStore) {
  const minutes = documents.collection<Account>(MINUTES);
  const hours = documents.collection<Account>(HOURS);
  const watches = documents.collection<Watch>(WATCH);

  /** Minutes are kept for a week: older ends of a period are moved outwards to whole hours. */
  function whole({ from, to }: Span, now: Date): Span {
    const oldest = now.getTime() - MINUTES_KEPT_MS;
    const outwards = (moment: Date, up: number): Date => (moment.getTime() < oldest ? floorTo(new Date(moment.getTime() + up), HOUR_MS) : moment);
    return { from: outwards(from, 0), to: outwards(to, HOUR_MS - 1) };
  }

  async function read({ from, to }: Span, filter: Filter = {}): Promise<Account[]> {
    const watch = await watches.findOne({ _id: "watch" });
    const addedUpTo = watch?.hoursUntil ?? from;
    const first = floorTo(new Date(from.getTime() + HOUR_MS - 1), HOUR_MS);
    const last = floorTo(to < addedUpTo ? to : addedUpTo, HOUR_MS);
    const within = (begin: Date, end: Date): Filter => ({ ...filter, at: { $gte: begin, $lt: end } });
    if (first >= last) return minutes.find(within(from, to));
    const parts = await Promise.all([minutes.find(within(from, first)), hours.find(within(first, last)), minutes.find(within(last, to))]);
    return parts.flat();
  }

  return {
    whole, read,
    readMinutes: ({ from, to }: Span, filter: Filter = {}): Promise<Account[]> => minutes.find({ ...filter, at: { $gte: from, $lt: to } }),
  };
}

export type History = ReturnType<typeof createHistory>;

/** By interval, those without a word left out. */
export function byInterval(accounts: readonly Account[], interval: Interval): { at: Date; accounts: Account[] }[] {
  const grouped = Map.groupBy(accounts, ({ at }) => floorTo(at, INTERVAL_MS[interval]).getTime());
  return [...grouped].sort(([one], [other]) => one - other).map(([at, told]) => ({ at: new Date(at), accounts: told }));
}

export function queuePoint({ at, accounts }: { at: Date; accounts: readonly Account[] }) {
  const queue = accounts.reduce<Account["queue"]>((all, account) => largest(all, account.queue), undefined);
  return queue === undefined ? [] : [{ at, ...queue }];
}

export function nodePoint({ at, accounts }: { at: Date; accounts: readonly Account[] }) {
  const { samples, entryPoints, eventLoop, memory } = accounts.slice(1).reduce<Omit<Account, "_id" | "node" | "at" | "expiresAt">>(addUp, accounts[0]!);
  const traffic = inAll(addUpTraffic(accounts.flatMap((account) => account.traffic)));
  return {
    at, samples,
    entryPoints: entryPoints.map(({ entry, up, degraded, down }) => ({ entry, up, degraded, down })),
    eventLoop: { p99Ms: eventLoop.p99, maxMs: eventLoop.max },
    memory: { rss: memory.rss },
    traffic: latencyOf(traffic),
    failures: addUpFailures(accounts.flatMap(({ failures }) => failures)),
  };
}

/** Share of the samples in which an entry point was not down, by entry point. */
export function availabilities(accounts: readonly Account[]): Map<string, { samples: number; availability: number }> {
  const counts = new Map<string, { samples: number; served: number }>();
  for (const { entry, up, degraded, down } of accounts.flatMap(({ entryPoints }) => entryPoints)) {
    const { samples, served } = counts.get(entry) ?? { samples: 0, served: 0 };
    counts.set(entry, { samples: samples + up + degraded + down, served: served + up + degraded });
  }
  return new Map([...counts].flatMap(([entry, { samples, served }]) => (samples === 0 ? [] : [[entry, { samples, availability: served / samples }] as const])));
}
