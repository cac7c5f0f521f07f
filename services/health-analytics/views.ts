import type { Result } from "../../broker/contract/define.ts";
import { shown } from "../../broker/contract/answers.ts";
import type { IncidentDocument, NodeRun } from "./collections.ts";
import type { healthAnalyticsContract } from "./contract.ts";
import { replacements } from "./runs.ts";
import { nodeState, stateOnNode, stateOverall } from "./states.ts";
import { nodeRule, STATES, type State } from "./resources.ts";

type Contract = (typeof healthAnalyticsContract)["actions"];
type NodeView = Result<Contract["nodes"]>["nodes"][number];
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
  return newestFirst.map((run) => {
    const { p99: p99Ms, max: maxMs, utilization } = run.eventLoop;
    return shown(nodeRule.props, {
      ...run,
      state: nodeState(run, now),
      entryPoints: run.entryPoints.map((each) => ({ ...each, state: stateOnNode(run, each, now) })),
      eventLoop: { p99Ms, maxMs, utilization },
      replaces: brief(replaces.get(run._id)),
      replacedBy: brief(replacedBy.get(run._id)),
      restarts: restarts.get(run._id)!,
    });
  });
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
  const all = nodes.flatMap(({ node, entryPoints }) => entryPoints.map((entryPoint) => ({ node, ...entryPoint })));
  return [...Map.groupBy(all, ({ entry }) => entry)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([entry, on]) => ({
      entry,
      state: stateOverall(on.map(({ state }) => state)),
      nodes: on.map(({ node, state, failing }) => ({ node, state, failing })),
    }));
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
