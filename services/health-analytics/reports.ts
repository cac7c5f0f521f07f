import type { Params, Result } from "../../broker/contract/define.ts";
import { notFound } from "../../mixins/errors.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { addUpFailures, floorTo, largest } from "./accounts.ts";
import { INCIDENTS, MINUTE_MS, RUNS, type IncidentDocument, type NodeRun } from "./collections.ts";
import type { healthAnalyticsContract } from "./contract.ts";
import { availabilities, byInterval, createHistory, nodePoint, queuePoint, wholeSpan } from "./history.ts";
import { inAll, latencyOf } from "./latency.ts";
import { intervalOf, spanOf, type Asked, type Span } from "./period.ts";
import type { Level } from "./resources.ts";
import { hasEnded } from "./states.ts";
import { countStates, current, entryPointViews, incidentView, nodeViews } from "./views.ts";
import { LOOKED_BACK_MS } from "./watch.ts";

type Contract = (typeof healthAnalyticsContract)["actions"];
type Handlers = {
  [A in keyof Contract]: (ctx: { params: Params<Contract[A]> }) => Promise<Result<Contract[A]>>;
};

const LATELY_MS = 15 * 60_000;

export function createReports(documents: DocumentStore): Handlers {
  const runs = documents.collection<NodeRun>(RUNS);
  const incidents = documents.collection<IncidentDocument>(INCIDENTS);
  const history = createHistory(documents);

  const recentRuns = (now: Date): Promise<NodeRun[]> =>
    runs.find({ heardAt: { $gt: new Date(now.getTime() - LOOKED_BACK_MS) } });

  return {
    async overview() {
      const now = new Date();
      const [recent, open, lately] = await Promise.all([
        recentRuns(now),
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
      return { asOf: now, nodes: nodeViews(await recentRuns(now), now.getTime()) };
    },

    async node({ params: { nodeId, interval: asked, ...period } }) {
      const now = new Date();
      const { interval, from, to } = slotsOf(period, asked, now);
      const [recent, own] = await Promise.all([
        recentRuns(now),
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
      const [recent, accounts] = await Promise.all([recentRuns(now), history.read({ from, to }, "day")]);
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
      const byEntry = [...Map.groupBy(traffic, (each) => each.entry)].sort(([one], [other]) =>
        one.localeCompare(other),
      );
      return {
        from,
        to,
        entryPoints: byEntry.map(([name, routes]) => ({ entry: name, ...latencyOf(inAll(routes)) })),
        routes: [...traffic]
          .sort((one, other) => other.count - one.count)
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
