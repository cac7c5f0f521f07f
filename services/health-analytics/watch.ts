import { SAMPLE_MS } from "../../broker/telemetry/sample.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { HOUR_MS, floorTo, hoursOf } from "./accounts.ts";
import {
  HOURS, INCIDENTS, MINUTES, RUNS, WATCH, type Account, type IncidentDocument, type NodeRun, type Watch,
} from "./collections.ts";
import { causesOf, follow } from "./incidents.ts";
import { TROUBLES_KEPT_MS } from "./runs.ts";
import { SILENCE_MS } from "./states.ts";

/** Runs that were not heard for longer are history. */
export const LOOKED_BACK_MS = 86_400_000;
/** Samples of an hour come no later than this after its end: they wait that long for a store that is away. */
const HOUR_SETTLES_MS = 10 * 60_000;

/** Whether a silent node is lost: it said no goodbye that somebody could have heard. Who watches itself could have kept its own. */
export function isLost({ leftAt, lostAt, heardAt, services }: NodeRun, { since }: Pick<Watch, "since">, now: number): boolean {
  if (leftAt || lostAt) return false;
  if (now - Math.max(heardAt.getTime(), since.getTime()) <= SILENCE_MS) return false;
  return heardAt >= since || services.includes("health-analytics");
}

/** What one watcher in the cluster does at each turn: finds who is lost, makes incidents of what is wrong, adds minutes up to hours. */
export function createWatch(documents: DocumentStore) {
  const runs = documents.collection<NodeRun>(RUNS);
  const minutes = documents.collection<Account>(MINUTES);
  const hours = documents.collection<Account>(HOURS);
  const incidents = documents.collection<IncidentDocument>(INCIDENTS);
  const watches = documents.collection<Watch>(WATCH);

  async function turn(now: Date): Promise<void> {
    const before = await watches.findOne({ _id: "watch" });
    const isWithoutPause = before !== null && now.getTime() - before.at.getTime() <= 1.5 * SAMPLE_MS;
    const watch: Watch = { _id: "watch", since: isWithoutPause ? before.since : now, at: now, hoursUntil: before?.hoursUntil ?? null };
    const recent = await runs.find({ heardAt: { $gt: new Date(now.getTime() - LOOKED_BACK_MS) } });
    for (const run of recent.filter((each) => isLost(each, watch, now.getTime()))) {
      run.lostAt = now;
      // Unless it is heard again this very moment.
      await runs.updateOne({ _id: run._id, sampleAt: run.sampleAt }, { $set: { lostAt: now } });
    }
    await followIncidents(recent, now);
    watch.hoursUntil = await addUpHour(watch.hoursUntil, now);
    await watches.replaceOne({ _id: watch._id }, watch, { upsert: true });
  }

  async function followIncidents(recent: readonly NodeRun[], now: Date): Promise<void> {
    const known = await incidents.find({ $or: [{ isOpen: true }, { endedAt: { $gt: new Date(now.getTime() - 2 * TROUBLES_KEPT_MS) } }] }, { sort: { startedAt: 1 } });
    const causes = new Map(causesOf(recent, now.getTime()).map((cause) => [`${cause.kind} ${cause.subject}`, cause]));
    const latest = new Map(known.map((incident) => [`${incident.kind} ${incident.subject}`, incident]));
    for (const [key, { kind, subject }] of latest) if (!causes.has(key)) causes.set(key, { kind, subject, spells: [] });
    const changed = [...causes].flatMap(([key, cause]) => follow(cause, latest.get(key), now.getTime()));
    if (changed.length === 0) return;
    const results = await incidents.bulkWrite(changed.map((incident) => ({ replaceOne: { filter: { _id: incident._id }, replacement: incident, upsert: true } })));
    for (const result of results) if (!result.ok) throw result.error;
  }

  /** Adds up one hour that is settled; answers until where all are. What is repeated gives the same hours. */
  async function addUpHour(until: Date | null, now: Date): Promise<Date | null> {
    const first = await minutes.find(until ? { at: { $gte: until } } : {}, { sort: { at: 1 }, limit: 1 });
    const settled = floorTo(new Date(now.getTime() - HOUR_SETTLES_MS), HOUR_MS);
    const begin = first[0] ? floorTo(first[0].at, HOUR_MS) : settled;
    // Hours without a minute need no adding up.
    if (begin >= settled) return until && until > settled ? until : settled;
    const end = new Date(begin.getTime() + HOUR_MS);
    const added = hoursOf(await minutes.find({ at: { $gte: begin, $lt: end } }));
    const results = await hours.bulkWrite(added.map((hour) => ({ replaceOne: { filter: { _id: hour._id }, replacement: hour, upsert: true } })));
    for (const result of results) if (!result.ok) throw result.error;
    return end;
  }

  return { turn };
}
