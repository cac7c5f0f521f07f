import { presentFields } from "../../broker/contract/answers.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import { notFound } from "../../mixins/errors.ts";
import type { DocumentStore } from "@partline/durable";
import { addUpFailures, floorTo, inAll, largest } from "./accounts.ts";
import { latencyOf } from "./latency.ts";
import { INCIDENTS, MINUTE_MS, RUNS, type IncidentDocument, type NodeRun } from "./collections.ts";
import { incidentRule, nodeRule, STATES, type healthAnalyticsContract, type Level, type State } from "./contract.ts";
import {
  availabilities,
  byInterval,
  createHistory,
  intervalOf,
  nodePoint,
  queuePoint,
  spanOf,
  wholeSpan,
  type Asked,
  type Span,
} from "./history.ts";
import { hasEnded, nodeState, stateOnNode, stateOverall } from "./states.ts";
import { recentRuns, replacements } from "./runs.ts";

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
        recentRuns(documents, now),
        incidents.find({ isOpen: true }, { sort: { startedAt: -1 } }),
        history.read({ from: floorTo(new Date(now.getTime() - LATELY_MS), MINUTE_MS), to: now }, "minute"),
      ]);
      const all = nodeViews(recent, now.getTime());
      const nodes = current(all);
      const entryPoints = entryPointViews(nodes).map(({ entry, state }) => ({ entry, state }));
      const there = recent.filter((run) => !hasEnded(run, now.getTime()));
      const queue = there.reduce<NodeRun["queue"]>((found, run) => largest(found, run.queue), undefined);
      const isDown = entryPoints.some(({ state }) => state === "down" || state === "gone");
      const isUp = open.length === 0 && nodes.every(({ state }) => state === "up" || state === "stopped");
      return {
        asOf: now,
        state: isDown ? "down" : isUp ? "up" : "degraded",
        nodes: countStates(nodes),
        entryPoints,
        incidents: open.map(incidentView),
        queue: queue ?? null,
        traffic: {
          ...latencyOf(inAll(lately.map(({ answers }) => answers))),
          failures: addUpFailures(lately.flatMap(({ failures }) => failures)),
        },
        restarts: all.filter(({ replaces }) => replaces !== null).length,
      };
    },

    async nodes() {
      const now = new Date();
      return { asOf: now, nodes: nodeViews(await recentRuns(documents, now), now.getTime()) };
    },

    async node({ params: { nodeId, interval: asked, ...period } }) {
      const now = new Date();
      const { interval, from, to } = slotsOf(period, asked, now);
      const [recent, own] = await Promise.all([
        recentRuns(documents, now),
        runs.find({ node: nodeId }, { sort: { startedAt: -1 }, limit: 1 }),
      ]);
      const latest = own[0];
      if (!latest) throw notFound("Node", nodeId);
      const known = recent.some(({ _id }) => _id === latest._id) ? recent : [...recent, latest];
      const node = nodeViews(known, now.getTime()).find((view) => view.node === nodeId)!;
      const accounts = await history.read({ from, to }, interval, { node: nodeId });
      return { asOf: now, node, from, to, interval, history: byInterval(accounts, interval).map(nodePoint) };
    },

    async entryPoints({ params: period }) {
      const now = new Date();
      const { from, to } = wholeSpan(spanOf(period, now), now);
      const [recent, accounts] = await Promise.all([recentRuns(documents, now), history.read({ from, to }, "day")]);
      const available = availabilities(accounts);
      const entryPoints = entryPointViews(current(nodeViews(recent, now.getTime()))).map((view) => ({
        ...view,
        ...(available.get(view.entry) ?? { samples: 0, availability: null }),
      }));
      return { asOf: now, from, to, entryPoints };
    },

    async latency({ params: { entry, route, ...period } }) {
      const now = new Date();
      const { from, to } = wholeSpan(spanOf(period, now), now);
      const all = await history.traffic({ from, to });
      const traffic = all.filter(
        (each) => (entry === undefined || each.entry === entry) && (route === undefined || each.route === route),
      );
      return {
        from,
        to,
        entryPoints: byEntry(traffic).map(([name, routes]) => ({ entry: name, ...latencyOf(inAll(routes)) })),
        routes: traffic
          .toSorted((one, other) => other.count - one.count)
          .map((each) => ({ entry: each.entry, method: each.method, route: each.route, ...latencyOf(each) })),
      };
    },

    async queues({ params: { interval: asked, ...period } }) {
      const { interval, from, to } = slotsOf(period, asked, new Date());
      const accounts = await history.read({ from, to }, interval);
      return { from, to, interval, points: byInterval(accounts, interval).flatMap(queuePoint) };
    },

    async incidents({ params: { open, limit, ...period } }) {
      const { from, to } = spanOf(period, new Date());
      const found = await incidents.find(
        {
          startedAt: { $lt: to },
          $or: [{ isOpen: true }, { endedAt: { $gte: from } }],
          ...(open === undefined ? {} : { isOpen: open }),
        },
        { sort: { startedAt: -1 }, limit },
      );
      return { from, to, incidents: found.map(incidentView) };
    },
  };
}

function slotsOf(period: Asked, asked: Level | undefined, now: Date): Span & { interval: Level } {
  const span = spanOf(period, now);
  const interval = intervalOf(asked, span);
  return { interval, ...(interval === "minute" ? span : wholeSpan(span, now)) };
}

type NodeView = Infer<typeof nodeRule>;

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
    return presentFields(nodeRule.props, {
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
function current(nodes: readonly NodeView[]): NodeView[] {
  return nodes.filter(({ replacedBy }) => replacedBy === null);
}

function countStates(nodes: readonly NodeView[]): Record<State, number> {
  const count = (of: State): number => nodes.filter(({ state }) => state === of).length;
  return Object.fromEntries(STATES.map((state) => [state, count(state)])) as Record<State, number>;
}

export function entryPointViews(nodes: readonly NodeView[]) {
  const all = nodes.flatMap(({ node, entryPoints }) => entryPoints.map((entryPoint) => ({ node, ...entryPoint })));
  return byEntry(all).map(([entry, on]) => ({
    entry,
    state: stateOverall(on.map(({ state }) => state)),
    nodes: on.map(({ node, state, failing }) => ({ node, state, failing })),
  }));
}

function byEntry<T extends { entry: string }>(items: readonly T[]): [T["entry"], T[]][] {
  return [...Map.groupBy(items, ({ entry }): T["entry"] => entry)].sort(([one], [other]) => one.localeCompare(other));
}

function incidentView(incident: IncidentDocument): Infer<typeof incidentRule> {
  const { _id: id, isOpen: open, kind, subject } = incident;
  return presentFields(incidentRule.props, { ...incident, id, open, cause: CAUSES[kind](subject) });
}

const CAUSES: Record<IncidentDocument["kind"], (subject: string) => string> = {
  node: () => "A node fell silent without saying goodbye",
  dependency: (name) => `The dependency ${name} is not ok`,
  queue: () => "The oldest waiting event is older than a minute",
  "dead-letters": () => "There are more dead letters than before",
  sync: (vendor) => `The latest sync or refresh of ${vendor} failed, or did in part`,
};
