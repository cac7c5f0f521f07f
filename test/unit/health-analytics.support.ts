import type { NodeSample } from "../../broker/telemetry/sample.ts";
import type { NodeRun } from "../../services/health-analytics/collections.ts";
import { applySample } from "../../services/health-analytics/runs.ts";

export const T0 = Date.parse("2026-11-21T10:00:00Z");

/** A sample of a node that is well. */
export function sampleOf(over: Partial<NodeSample> = {}): NodeSample {
  return {
    v: 1,
    node: "shop-1",
    host: "shop",
    version: "1.0.0",
    startedAt: new Date(T0),
    at: new Date(T0),
    leaving: false,
    services: ["order"],
    entryPoints: [{ entry: "payment", status: "ok", ready: true, failing: [] }],
    failing: [],
    eventLoop: { p99: 1, max: 2, utilization: 0.1 },
    memory: { rss: 100, heapUsed: 50 },
    queue: { outbox: 0, pending: 0, dead: 0, oldestAgeMs: 0 },
    traffic: [],
    failures: [],
    ...over,
  };
}

export const degraded = (...failing: string[]): Pick<NodeSample, "entryPoints"> => ({
  entryPoints: [{ entry: "payment", status: "degraded", ready: true, failing }],
});

/** The run of a node as it is after a sample so many milliseconds after T0. */
export function hear(run: NodeRun | undefined, ms: number, over: Partial<NodeSample> = {}): NodeRun {
  const at = new Date(T0 + ms);
  return applySample(run, sampleOf({ at, ...over }), at);
}

/** The same when the node says goodbye. */
export const hearLeave = (run: NodeRun | undefined, ms: number, over: Partial<NodeSample> = {}): NodeRun =>
  hear(run, ms, { leaving: true, entryPoints: [], ...over });
