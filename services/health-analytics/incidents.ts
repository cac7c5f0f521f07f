import { hash } from "node:crypto";
import { getAt } from "@partline/toolkit";
import { SAMPLE_MS } from "../../broker/telemetry/sample.ts";
import {
  HISTORY_KEPT_MS,
  type Condition,
  type ConditionKind,
  type IncidentDocument,
  type NodeRun,
  type Trouble,
  type VendorSyncs,
} from "./collections.ts";
import { CONDITION_PATIENCE_MS } from "./shop-checks.ts";
import { findReplacements, TROUBLES_KEPT_MS, mergeNames } from "./runs.ts";

/** A failure that returns within this time is the same incident. */
export const CALM_MS = 60_000;
/** Shorter failures (two samples, for example) are no incident. */
const PATIENCE_MS = {
  node: 0,
  dependency: 2 * SAMPLE_MS,
  queue: 0,
  "dead-letters": 0,
  sync: 0,
  ...CONDITION_PATIENCE_MS,
} as const;
/** An unreplaced node is given up after this time. */
const GIVEN_UP_MS = 86_400_000;
/** A vendor without a sync for longer is synced no more. */
const SYNCED_WITHIN_MS = 7 * GIVEN_UP_MS;

export type Spell = Pick<Trouble, "since" | "until" | "lastAt" | "entryPoints"> & { nodes: string[] };

export type Cause = Pick<IncidentDocument, "kind" | "subject"> & { spells: Spell[] };

/** Finds failures that nodes report, silent nodes, failed syncs and what is wrong with the shop, now and recently. */
export function findCauses(
  runs: readonly NodeRun[],
  now: number,
  vendors: readonly VendorSyncs[] = [],
  conditions: readonly Condition[] = [],
): Cause[] {
  const causes = new Map<string, Cause>();
  const add = (kind: Cause["kind"], subject: string, spell: Spell): void => {
    if (spell.until !== null && now - spell.until > TROUBLES_KEPT_MS) return;
    const key = `${kind} ${subject}`;
    const cause = causes.get(key) ?? { kind, subject, spells: [] };
    cause.spells.push(spell);
    causes.set(key, cause);
  };
  const replacedBy = findReplacements(runs, now);
  for (const run of runs) {
    const { node, troubles, lostAt, leftAt, heardAt, sampleAt, entryPoints } = run;
    for (const { kind, subject, since, until, lastAt, entryPoints: affected } of troubles) {
      // A node that has ended reports nothing more.
      const end = until ?? (lostAt || leftAt ? sampleAt.getTime() : null);
      add(kind, subject, { since, until: end, lastAt, nodes: [node], entryPoints: affected });
    }
    if (!lostAt) continue;
    const since = heardAt.getTime();
    const until =
      replacedBy.get(run._id)?.startedAt.getTime() ?? (now - since > GIVEN_UP_MS ? since + GIVEN_UP_MS : null);
    const affected = entryPoints.map(({ entry }) => entry);
    add("node", run.role, { since, until, lastAt: now, nodes: [node], entryPoints: affected });
  }
  for (const { _id: vendor, endedAt, failingSince, failingUntil } of vendors) {
    if (!failingSince || now - endedAt.getTime() > SYNCED_WITHIN_MS) continue;
    const until = failingUntil?.getTime() ?? null;
    add("sync", vendor, { since: failingSince.getTime(), until, lastAt: now, nodes: [], entryPoints: [] });
  }
  for (const { _id: kind, failingSince, failingUntil } of conditions) {
    const until = failingUntil?.getTime() ?? null;
    const since = failingSince.getTime();
    add(kind as ConditionKind, "shop", { since, until, lastAt: now, nodes: [], entryPoints: [] });
  }
  return [...causes.values()];
}

/**
 * Returns the new and changed incidents of one cause.
 * @param current its latest incident, if open or ended a short while ago
 */
export function followCause(cause: Cause, current: IncidentDocument | undefined, now: number): IncidentDocument[] {
  const changedIncidents = new Map<string, IncidentDocument>();
  let isTold = false;
  for (const bout of groupBouts(cause.spells)) {
    if (current && isContinuedBy(current, bout, now)) {
      isTold = true;
      const next = extendIncident(current, bout);
      if (JSON.stringify(next) !== JSON.stringify(current)) changedIncidents.set(next._id, next);
      current = next;
    } else if ((!current || bout.since > current.startedAt.getTime()) && bout.length >= PATIENCE_MS[cause.kind]) {
      isTold = true;
      current = beginIncident(cause, bout);
      changedIncidents.set(current._id, current);
    }
  }
  // It is over, or all who knew of it have left.
  if (current?.isOpen && !isTold) changedIncidents.set(current._id, endIncident(current, now));
  return [...changedIncidents.values()];
}

/** Spells with at most a minute between them. */
interface Bout extends Spell {
  /** Beginnings; concurrent ones of several nodes are one. */
  starts: number[];
  length: number;
}

function groupBouts(spells: readonly Spell[]): Bout[] {
  const bouts: Bout[] = [];
  for (const spell of [...spells].sort((a, b) => a.since - b.since)) {
    const { since, until } = spell;
    const reached = until ?? spell.lastAt;
    const bout = bouts.at(-1);
    const end = bout ? (bout.until ?? Infinity) : -Infinity;
    if (!bout || since - end > CALM_MS) {
      bouts.push({ ...spell, starts: [since], length: reached - since });
      continue;
    }
    const covered = Math.max(bout.until ?? bout.lastAt, since);
    bout.length += Math.max(0, reached - covered);
    if (since > end) bout.starts.push(since);
    bout.until = bout.until === null || until === null ? null : Math.max(bout.until, until);
    bout.lastAt = Math.max(bout.lastAt, spell.lastAt);
    bout.nodes = mergeNames(bout.nodes, spell.nodes);
    bout.entryPoints = mergeNames(bout.entryPoints, spell.entryPoints);
  }
  return bouts;
}

function isContinuedBy({ startedAt, endedAt }: IncidentDocument, { since, until }: Bout, now: number): boolean {
  return since - (endedAt?.getTime() ?? now) <= CALM_MS && (until ?? now) >= startedAt.getTime();
}

function beginIncident({ kind, subject }: Cause, { since, until, nodes, entryPoints, starts }: Bout): IncidentDocument {
  const incident: IncidentDocument = {
    // Every watcher gives it the same id.
    _id: hash("sha256", `${kind} ${subject} ${since}`).slice(0, 24),
    kind,
    subject,
    nodes: mergeNames(nodes, []),
    entryPoints: mergeNames(entryPoints, []),
    startedAt: new Date(since),
    endedAt: null,
    isOpen: true,
    spells: starts.length,
    lastSpellAt: new Date(getAt(starts, -1)),
    expiresAt: null,
  };
  return until === null ? incident : endIncident(incident, until);
}

function extendIncident(incident: IncidentDocument, { until, nodes, entryPoints, starts }: Bout): IncidentDocument {
  // An open incident counts its first spell already.
  const news = starts
    .slice(incident.isOpen ? 1 : 0)
    .filter((start) => start > Math.max(incident.lastSpellAt.getTime(), incident.endedAt?.getTime() ?? 0));
  const extended: IncidentDocument = {
    ...incident,
    nodes: mergeNames(incident.nodes, nodes),
    entryPoints: mergeNames(incident.entryPoints, entryPoints),
    endedAt: null,
    isOpen: true,
    expiresAt: null,
    spells: incident.spells + news.length,
    lastSpellAt: new Date(Math.max(incident.lastSpellAt.getTime(), ...news)),
  };
  return until === null ? extended : endIncident(extended, Math.max(until, incident.endedAt?.getTime() ?? 0));
}

function endIncident(incident: IncidentDocument, endedAt: number): IncidentDocument {
  return { ...incident, endedAt: new Date(endedAt), isOpen: false, expiresAt: new Date(endedAt + HISTORY_KEPT_MS) };
}
