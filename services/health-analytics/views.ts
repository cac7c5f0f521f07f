import type { EntryPoint, Result } from "../../broker/contract/define.ts";
import type { IncidentDocument, NodeRun } from "./collections.ts";
import type { healthAnalyticsContract } from "./contract.ts";
import { replacements } from "./runs.ts";
import { hasEnded, nodeState, stateOnNode, stateOverall } from "./states.ts";
import { STATES, type State } from "./statuses.ts";

type Contract = (typeof healthAnalyticsContract)["actions"];
export type NodeView = Result<Contract["nodes"]>["nodes"][number];
type IncidentView = Result<Contract["incidents"]>["incidents"][number];

/** Runs as the answers show them, the newest first. */
export function nodeViews(runs: readonly NodeRun[], now: number): NodeView[] {
  const replacedBy = replacements(runs, now);
  const byId = new Map(runs.map((run) => [run._id, run]));
  const replaces = new Map([...replacedBy].map(([id, successor]) => [successor._id, byId.get(id)!]));
  const brief = (run: NodeRun | undefined) =>
    run ? { node: run.node, startedAt: run.startedAt, state: nodeState(run, now) } : null;
  const newestFirst = [...runs].sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime());
  const restarts = new Map<string, number>();
  // A replaced run started earlier, and is counted already.
  for (const { _id } of newestFirst.toReversed()) {
    const before = replaces.get(_id);
    restarts.set(_id, before ? restarts.get(before._id)! + 1 : 0);
  }
  return newestFirst.map((run) => ({
    node: run.node,
    host: run.host,
    version: run.version,
    state: nodeState(run, now),
    startedAt: run.startedAt,
    heardAt: run.heardAt,
    services: run.services,
    entryPoints: run.entryPoints.map((entryPoint) => ({
      entry: entryPoint.entry,
      state: stateOnNode(run, entryPoint, now),
      failing: entryPoint.failing,
    })),
    failing: run.failing,
    eventLoop: { p99Ms: run.eventLoop.p99, maxMs: run.eventLoop.max, utilization: run.eventLoop.utilization },
    memory: run.memory,
    queue: run.queue ?? null,
    replaces: brief(replaces.get(run._id)),
    replacedBy: brief(replacedBy.get(run._id)),
    restarts: restarts.get(run._id)!,
  }));
}

/** The nodes that were not replaced. */
export function current(nodes: readonly NodeView[]): NodeView[] {
  return nodes.filter(({ replacedBy }) => replacedBy === null);
}

export function countStates(nodes: readonly NodeView[]): Record<State, number> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const { state } of nodes) counts[state] += 1;
  return counts;
}

export function entryPointViews(nodes: readonly NodeView[]) {
  const byEntry = new Map<EntryPoint, { node: string; state: State; failing: string[] }[]>();
  for (const { node, entryPoints } of nodes) {
    for (const { entry, state, failing } of entryPoints) {
      const on = byEntry.get(entry) ?? [];
      on.push({ node, state, failing });
      byEntry.set(entry, on);
    }
  }
  return [...byEntry]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([entry, on]) => ({ entry, state: stateOverall(on.map(({ state }) => state)), nodes: on }));
}

export function runsThere(runs: readonly NodeRun[], now: number): NodeRun[] {
  return runs.filter((run) => !hasEnded(run, now));
}

export function incidentView({
  _id: id,
  isOpen: open,
  lastSpellAt: _lastSpellAt,
  expiresAt: _expiresAt,
  ...incident
}: IncidentDocument): IncidentView {
  return { id, ...incident, open, cause: CAUSES[incident.kind](incident.subject) };
}

const CAUSES: Record<IncidentDocument["kind"], (subject: string) => string> = {
  node: () => "A node fell silent without saying goodbye",
  dependency: (name) => `The dependency ${name} is not ok`,
  queue: () => "The oldest waiting event is older than a minute",
  "dead-letters": () => "There are more dead letters than before",
  sync: (vendor) => `The latest sync or refresh of ${vendor} failed, or did in part`,
};
