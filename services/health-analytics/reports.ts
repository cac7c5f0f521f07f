import { getFrom } from "@partline/toolkit";
import { presentFields, type Infer, type Params, type Result } from "@partline/api-contracts";
import { notFound } from "../../mixins/errors.ts";
import type { DocumentStore } from "@partline/durable";
import { mergeFailures, roundDownTo, sumAnswers, pickLargest } from "./accounts.ts";
import { toLatency } from "./latency.ts";
import { INCIDENTS, MINUTE_MS, RUNS, type IncidentDocument, type NodeRun } from "./collections.ts";
import { CAUSES } from "./causes.ts";
import { incidentRule, nodeRule, STATES, type healthAnalyticsContract, type Level, type State } from "./contract.ts";
import {
  computeAvailabilities,
  groupByInterval,
  createHistory,
  resolveInterval,
  toNodePoint,
  toQueuePoint,
  resolveSpan,
  widenToKept,
  type PeriodParams,
  type Span,
} from "./history.ts";
import { hasEnded, deriveNodeState, deriveStateOnNode, deriveOverallState } from "./states.ts";
import { findRecentRuns, findReplacements } from "./runs.ts";

type Contract = (typeof healthAnalyticsContract)["actions"];
type Handlers = {
  [A in keyof Contract]: (ctx: { params: Params<Contract[A]> }) => Promise<Result<Contract[A]>>;
};

const LATELY_MS = 15 * 60_000;

export function createReports(documents: DocumentStore): Handlers {
  const runs = documents.collection<NodeRun>(RUNS);
  const incidents = documents.collection<IncidentDocument>(INCIDENTS);
  const history = createHistory(documents);

  return {
    async overview() {
      const now = new Date();
      const [recent, open, lately] = await Promise.all([
        findRecentRuns(documents, now),
        incidents.find({ isOpen: true }, { sort: { startedAt: -1 } }),
        history.read({ from: roundDownTo(new Date(now.getTime() - LATELY_MS), MINUTE_MS), to: now }, "minute"),
      ]);
      const views = toNodeViews(recent, now.getTime());
      const nodes = filterCurrent(views);
      const entryPoints = toEntryPointViews(nodes).map(({ entry, state }) => ({ entry, state }));
      const there = recent.filter((run) => !hasEnded(run, now.getTime()));
      const queue = there.reduce<NodeRun["queue"]>((largest, run) => pickLargest(largest, run.queue), undefined);
      const isDown = entryPoints.some(({ state }) => state === "down" || state === "gone");
      const isUp = open.length === 0 && nodes.every(({ state }) => state === "up" || state === "stopped");
      return {
        asOf: now,
        state: isDown ? "down" : isUp ? "up" : "degraded",
        nodes: countStates(nodes),
        entryPoints,
        incidents: open.map(toIncidentView),
        queue: queue ?? null,
        traffic: {
          ...toLatency(sumAnswers(lately.map(({ answers }) => answers))),
          failures: mergeFailures(lately.flatMap(({ failures }) => failures)),
        },
        restarts: views.filter(({ replaces }) => replaces !== null).length,
      };
    },

    async nodes() {
      const now = new Date();
      return { asOf: now, nodes: toNodeViews(await findRecentRuns(documents, now), now.getTime()) };
    },

    async node({ params: { nodeId, interval: requestedInterval, ...period } }) {
      const now = new Date();
      const { interval, from, to } = resolveSlots(period, requestedInterval, now);
      const [recent, nodeRuns] = await Promise.all([
        findRecentRuns(documents, now),
        runs.find({ node: nodeId }, { sort: { startedAt: -1 }, limit: 1 }),
      ]);
      const latest = nodeRuns[0];
      if (!latest) throw notFound("Node", nodeId);
      const knownRuns = recent.some(({ _id }) => _id === latest._id) ? recent : [...recent, latest];
      const node = toNodeViews(knownRuns, now.getTime()).find((view) => view.node === nodeId)!;
      const accounts = await history.read({ from, to }, interval, { node: nodeId });
      return { asOf: now, node, from, to, interval, history: groupByInterval(accounts, interval).map(toNodePoint) };
    },

    async entryPoints({ params: period }) {
      const now = new Date();
      const { from, to } = widenToKept(resolveSpan(period, now), now);
      const [recent, accounts] = await Promise.all([findRecentRuns(documents, now), history.read({ from, to }, "day")]);
      const available = computeAvailabilities(accounts);
      const entryPoints = toEntryPointViews(filterCurrent(toNodeViews(recent, now.getTime()))).map((view) => ({
        ...view,
        ...(available.get(view.entry) ?? { samples: 0, availability: null }),
      }));
      return { asOf: now, from, to, entryPoints };
    },

    async latency({ params: { entry, route, ...period } }) {
      const now = new Date();
      const { from, to } = widenToKept(resolveSpan(period, now), now);
      const allTraffic = await history.readTraffic({ from, to });
      const traffic = allTraffic.filter(
        (row) => (entry === undefined || row.entry === entry) && (route === undefined || row.route === route),
      );
      return {
        from,
        to,
        entryPoints: groupByEntry(traffic).map(([name, routes]) => ({ entry: name, ...toLatency(sumAnswers(routes)) })),
        routes: traffic
          .toSorted((a, b) => b.count - a.count)
          .map((answers) => ({
            entry: answers.entry,
            method: answers.method,
            route: answers.route,
            ...toLatency(answers),
          })),
      };
    },

    async queues({ params: { interval: requestedInterval, ...period } }) {
      const { interval, from, to } = resolveSlots(period, requestedInterval, new Date());
      const accounts = await history.read({ from, to }, interval);
      return { from, to, interval, points: groupByInterval(accounts, interval).flatMap(toQueuePoint) };
    },

    async incidents({ params: { open, limit, ...period } }) {
      const { from, to } = resolveSpan(period, new Date());
      const documents = await incidents.find(
        {
          startedAt: { $lt: to },
          $or: [{ isOpen: true }, { endedAt: { $gte: from } }],
          ...(open === undefined ? {} : { isOpen: open }),
        },
        { sort: { startedAt: -1 }, limit },
      );
      return { from, to, incidents: documents.map(toIncidentView) };
    },
  };
}

function resolveSlots(period: PeriodParams, level: Level | undefined, now: Date): Span & { interval: Level } {
  const span = resolveSpan(period, now);
  const interval = resolveInterval(level, span);
  return { interval, ...(interval === "minute" ? span : widenToKept(span, now)) };
}

type NodeView = Infer<typeof nodeRule>;

/** Returns runs as the answers show them, the newest first. */
export function toNodeViews(runs: readonly NodeRun[], now: number): NodeView[] {
  const replacedBy = findReplacements(runs, now);
  const runsById = new Map(runs.map((run) => [run._id, run]));
  const replaces = new Map([...replacedBy].map(([id, successor]) => [successor._id, getFrom(runsById, id)]));
  const toBrief = (run: NodeRun | undefined) =>
    run ? { node: run.node, startedAt: run.startedAt, state: deriveNodeState(run, now) } : null;
  const newestFirst = [...runs].sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
  const restarts = new Map<string, number>();
  // A replaced run started earlier, and is counted already.
  for (const { _id } of newestFirst.toReversed()) {
    const replacedRun = replaces.get(_id);
    restarts.set(_id, replacedRun ? getFrom(restarts, replacedRun._id) + 1 : 0);
  }
  return newestFirst.map((run) => {
    const { p99: p99Ms, max: maxMs, utilization } = run.eventLoop;
    return presentFields(nodeRule.props, {
      ...run,
      state: deriveNodeState(run, now),
      entryPoints: run.entryPoints.map((entryPoint) => ({
        ...entryPoint,
        state: deriveStateOnNode(run, entryPoint, now),
      })),
      eventLoop: { p99Ms, maxMs, utilization },
      replaces: toBrief(replaces.get(run._id)),
      replacedBy: toBrief(replacedBy.get(run._id)),
      restarts: getFrom(restarts, run._id),
    });
  });
}

/** Keeps the nodes that were not replaced. */
function filterCurrent(nodes: readonly NodeView[]): NodeView[] {
  return nodes.filter(({ replacedBy }) => replacedBy === null);
}

function countStates(nodes: readonly NodeView[]): Record<State, number> {
  const count = (wantedState: State): number => nodes.filter(({ state }) => state === wantedState).length;
  return Object.fromEntries(STATES.map((state) => [state, count(state)])) as Record<State, number>;
}

export function toEntryPointViews(nodes: readonly NodeView[]) {
  const nodeEntryPoints = nodes.flatMap(({ node, entryPoints }) =>
    entryPoints.map((entryPoint) => ({ node, ...entryPoint })),
  );
  return groupByEntry(nodeEntryPoints).map(([entry, on]) => ({
    entry,
    state: deriveOverallState(on.map(({ state }) => state)),
    nodes: on.map(({ node, state, failing }) => ({ node, state, failing })),
  }));
}

function groupByEntry<T extends { entry: string }>(items: readonly T[]): [T["entry"], T[]][] {
  return [...Map.groupBy(items, ({ entry }): T["entry"] => entry)].sort(([a], [b]) => a.localeCompare(b));
}

function toIncidentView(incident: IncidentDocument): Infer<typeof incidentRule> {
  const { _id: id, isOpen: open, kind, subject } = incident;
  return presentFields(incidentRule.props, { ...incident, id, open, cause: CAUSES[kind].describe(subject) });
}
