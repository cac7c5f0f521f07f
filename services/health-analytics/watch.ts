import { SAMPLE_MS } from "../../broker/telemetry/sample.ts";
import type { DocumentStore } from "@partline/durable";
import { sumAccounts, roundDownTo, sumTraffic } from "./accounts.ts";
import {
  CONDITIONS,
  DAY_MS,
  HOUR_MS,
  INCIDENTS,
  LEVELS,
  RUNS,
  VENDOR_SYNCS,
  WATCH,
  type Account,
  type Condition,
  type IncidentDocument,
  type NodeRun,
  type TrafficAccount,
  type VendorSyncs,
  type Watch,
  put,
} from "./collections.ts";
import { findCauses, followCause } from "./incidents.ts";
import type { Level } from "./contract.ts";
import type { Recorder } from "./recorder.ts";
import { findRecentRuns, TROUBLES_KEPT_MS } from "./runs.ts";
import { SILENCE_MS } from "./states.ts";

/** Longest time between turns: a watcher that died held its lease for one interval, and the others come in another. */
const LONGEST_PAUSE_MS = 2 * SAMPLE_MS + 500;
/** Samples of an hour may come this late. */
const HOUR_SETTLES_MS = 10 * 60_000;

/**
 * Returns whether a silent node is lost: no sample or goodbye of it can have been missed. One that watches itself would
 * have kept its goodbye.
 */
export function isLost(
  { leftAt, lostAt, heardAt, services }: NodeRun,
  { since, listeningSince }: Pick<Watch, "since" | "listeningSince">,
  now: number,
): boolean {
  if (leftAt || lostAt) return false;
  if (now - Math.max(heardAt.getTime(), since.getTime()) <= SILENCE_MS) return false;
  return heardAt >= listeningSince || services.includes("health-analytics");
}

/**
 * The cluster's watcher: each turn finds lost nodes, follows incidents, adds up minutes and hours. @param
 * listeningSince when this process began to hear every node @param lastHeard when it last heard a run: the store may
 * be away
 */
export function createWatch(documents: DocumentStore, listeningSince: Date, lastHeard: Recorder["lastHeard"]) {
  const runs = documents.collection<NodeRun>(RUNS);
  const incidents = documents.collection<IncidentDocument>(INCIDENTS);
  const watches = documents.collection<Watch>(WATCH);

  async function turn(now: Date): Promise<void> {
    const previous = await watches.findOne({ _id: "watch" });
    const isWithoutPause = previous !== null && now.getTime() - previous.at.getTime() <= LONGEST_PAUSE_MS;
    const watch: Watch = {
      _id: "watch",
      at: now,
      since: isWithoutPause ? previous.since : now,
      listeningSince:
        isWithoutPause && listeningSince <= previous.at && previous.listeningSince < listeningSince
          ? previous.listeningSince
          : listeningSince,
      hoursUntil: previous?.hoursUntil ?? null,
      daysUntil: previous?.daysUntil ?? null,
    };
    const recent = await findRecentRuns(documents, now);
    const isSilent = ({ _id }: NodeRun): boolean => now.getTime() - (lastHeard(_id)?.getTime() ?? 0) > SILENCE_MS;
    for (const run of recent.filter((candidate) => isLost(candidate, watch, now.getTime()) && isSilent(candidate))) {
      run.lostAt = now;
      // Unless it is heard again at this moment.
      await runs.updateOne({ _id: run._id, sampleAt: run.sampleAt }, { $set: { lostAt: now } });
    }
    await followIncidents(recent, now);
    const settled = roundDownTo(new Date(now.getTime() - HOUR_SETTLES_MS), HOUR_MS);
    watch.hoursUntil = await addUpNext("minute", "hour", watch.hoursUntil, settled);
    watch.daysUntil = await addUpNext("hour", "day", watch.daysUntil, roundDownTo(watch.hoursUntil, DAY_MS));
    await watches.replaceOne({ _id: watch._id }, watch, { upsert: true });
  }

  async function followIncidents(recent: readonly NodeRun[], now: Date): Promise<void> {
    const recentIncidents = await incidents.find(
      { $or: [{ isOpen: true }, { endedAt: { $gt: new Date(now.getTime() - 2 * TROUBLES_KEPT_MS) } }] },
      { sort: { startedAt: 1 } },
    );
    const vendors = await documents.collection<VendorSyncs>(VENDOR_SYNCS).find({});
    const conditions = await documents.collection<Condition>(CONDITIONS).find({});
    const foundCauses = findCauses(recent, now.getTime(), vendors, conditions);
    const causes = new Map(foundCauses.map((cause) => [`${cause.kind} ${cause.subject}`, cause]));
    const latest = new Map(recentIncidents.map((incident) => [`${incident.kind} ${incident.subject}`, incident]));
    for (const [key, { kind, subject }] of latest) if (!causes.has(key)) causes.set(key, { kind, subject, spells: [] });
    const changedIncidents = [...causes].flatMap(([key, cause]) => followCause(cause, latest.get(key), now.getTime()));
    if (changedIncidents.length > 0)
      await documents.atomically(changedIncidents.map((incident) => put(INCIDENTS, incident)));
  }

  /** Adds up the next settled hour or day, repeatably; returns until when all are. */
  async function addUpNext(shorter: Level, longer: Level, until: Date | null, settled: Date): Promise<Date> {
    const accounts = documents.collection<Account>(LEVELS[shorter].accounts);
    const traffic = documents.collection<TrafficAccount>(LEVELS[shorter].traffic);
    const since = until ? { at: { $gte: until } } : {};
    const [first] = await accounts.find(since, { sort: { at: 1 }, limit: 1 });
    const begin = first ? roundDownTo(first.at, LEVELS[longer].length) : settled;
    if (begin >= settled) return until && until > settled ? until : settled;
    const end = new Date(begin.getTime() + LEVELS[longer].length);
    const within = { at: { $gte: begin, $lt: end } };
    const runAccounts = sumAccounts(longer, await accounts.find(within));
    const routeTraffic = sumTraffic(longer, begin, await traffic.find(within));
    await documents.atomically([
      ...runAccounts.map((account) => put(LEVELS[longer].accounts, account)),
      put(LEVELS[longer].traffic, routeTraffic),
    ]);
    return end;
  }

  return { turn };
}
