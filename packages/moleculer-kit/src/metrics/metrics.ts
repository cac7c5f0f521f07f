import type { ServiceBroker } from "moleculer";
import { Counter, Histogram, Registry } from "prom-client";
import type { Channels, Tasks } from "@partline/durable";
import type { CircuitState } from "@partline/toolkit";
import { watchChannels, watchRegistry, watchTasks } from "./broker.ts";
import { EventLoopWatch, watchProcess } from "./process.ts";
import { createBulkheadMetrics, CallMetrics } from "./calls.ts";
import { shareRunning, readMetric, type Labels, type Reading } from "./read-metric.ts";

/** OpenTelemetry's buckets for HTTP requests, seconds, with three below them for most of ours. */
export const HTTP_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns a known method; others are unbounded. */
export function toKnownMethod(method: string | undefined, otherwise: string): string {
  return method !== undefined && METHODS.has(method) ? method : otherwise;
}

const HANDLING_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const STATES: readonly CircuitState[] = ["closed", "half_open", "open"];

/** State of each provider's circuit breakers; the worst of several counts. */
type Circuits = Map<string, (() => CircuitState)[]>;

function readCircuits(circuits: Circuits): Reading {
  return [...circuits].flatMap(([provider, states]) => {
    const worst = Math.max(...states.map((state) => STATES.indexOf(state())));
    return STATES.map((state, place): [Labels, number] => [{ provider, state }, place === worst ? 1 : 0]);
  });
}

/** Readiness of an entry point, or of the process with its dependencies. */
export type ReadinessProbe = () => Promise<{
  ready: boolean;
  dependencies?: Readonly<Record<string, { status: string }>>;
}>;

/** All metrics of one broker. */
export class Metrics {
  readonly registry = new Registry();
  /** Probes by entry point or `node`, run at each scrape. */
  readonly readiness = new Map<string, ReadinessProbe>();
  /** Concurrent scrapes share one: with many routes it takes a tenth of a second of the event loop. */
  readonly scrape = shareRunning(() => this.registry.metrics());
  /** `route` is a template: paths are unbounded. */
  readonly http = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Time from a request's head to the end of its answer. Refusals that any client can cause at any route (401, 403, 405, 413, 415, 429) have the route `(refused)`",
    labelNames: ["entry", "method", "route", "status"],
    buckets: HTTP_SECONDS,
    registers: [this.registry],
  });
  readonly requests = new CallMetrics(this.registry, "moleculer_request", "requests", ["service", "action", "type"]);
  readonly events = new CallMetrics(this.registry, "moleculer_event_received", "received events", [
    "service",
    "group",
    "event",
  ]);
  readonly handlings = new Histogram({
    name: "partline_channel_handling_duration_seconds",
    help: "Time that a handler took for an event",
    labelNames: ["channel", "group", "outcome"],
    buckets: HANDLING_SECONDS,
    registers: [this.registry],
  });
  /** Outcomes: comes back, dead letter. */
  readonly deliveryFailures = this.getCounter(
    "partline_channel_delivery_failures_total",
    "Deliveries whose handler failed",
    ["channel", "group", "outcome"],
  );
  readonly taskRuns = this.getCounter("partline_task_runs_total", "Runs of tasks that ended in this process", [
    "kind",
    "outcome",
  ]);
  readonly bulkheads = createBulkheadMetrics(this.registry, this.requests);
  readonly circuits: Circuits = new Map();
  /** See calls/repeat-elsewhere.ts. */
  readonly repeats = this.getCounter(
    "partline_call_repeats_total",
    "Calls repeated on another node because the first one is stopping, gone or silent, or its answer seems lost",
    ["action", "reason"],
  );
  readonly providerFailures = this.getCounter(
    "partline_provider_failures_total",
    "Failed requests to an external provider",
    ["provider", "reason"],
  );
  readonly sent = this.#createPacketCounters("sent");
  readonly received = this.#createPacketCounters("received");
  readonly eventLoop = new EventLoopWatch(this.registry);

  constructor() {
    const look = shareRunning(() =>
      Promise.all([...this.readiness].map(async ([entry, probe]) => ({ entry, ...(await probe()) }))),
    );
    this.read(
      "partline_ready",
      "1 if an entry point, or the process itself (node), is ready",
      async () => (await look()).map(({ entry, ready }) => [{ entry }, ready ? 1 : 0]),
      ["entry"],
    );
    this.read(
      "partline_dependency_up",
      "1 if the process can reach the back ends it requires",
      async () =>
        (await look()).flatMap(({ dependencies = {} }) =>
          Object.entries(dependencies).map(([dependency, { status }]): [Labels, number] => [
            { dependency },
            status === "ok" ? 1 : 0,
          ]),
        ),
      ["dependency"],
    );
    this.read(
      "partline_circuit_breaker_state",
      "1 for the present state of a provider's circuit breaker",
      () => readCircuits(this.circuits),
      ["provider", "state"],
    );
  }

  /** Returns the counter of this name, for rare events with few labels. */
  getCounter(name: string, help: string, labelNames: string[] = []): Counter {
    const existing = this.registry.getSingleMetric(name);
    return existing instanceof Counter ? existing : new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  read(name: string, help: string, value: () => Reading | Promise<Reading>, labelNames: string[] = []): void {
    readMetric(this.registry, name, help, value, labelNames);
  }

  #createPacketCounters(direction: string): { packets: Counter; bytes: Counter } {
    const name = `moleculer_transporter_packets_${direction}`;
    return {
      packets: this.getCounter(`${name}_total`, `Packets ${direction}`),
      bytes: this.getCounter(`${name}_bytes_total`, `Bytes ${direction}`),
    };
  }
}

/** What the metrics of a node read at each scrape: its version, and its durable channels and tasks if it has any. */
export interface WatchedNode {
  settings: { version: string };
  stores?: { channels: Channels; tasks: Tasks };
}

const metricsByBroker = new WeakMap<ServiceBroker, Metrics>();

export function attachMetrics(broker: ServiceBroker, metrics: Metrics, getNode: () => WatchedNode): void {
  metricsByBroker.set(broker, metrics);
  watchChannels(metrics.registry, broker.logger, getNode);
  watchTasks(metrics.registry, broker.logger, getNode);
  watchRegistry(metrics.registry, broker);
  watchProcess(metrics.registry, () => getNode().settings.version);
}

export function getMetrics(broker: ServiceBroker): Metrics {
  const metrics = metricsByBroker.get(broker);
  if (!metrics) throw new Error("This broker has no metrics: createMetricsMiddleware is not among its middlewares");
  return metrics;
}

/** Returns a node's metrics in Prometheus text format. */
export function scrape(broker: ServiceBroker): Promise<string> {
  return getMetrics(broker).scrape();
}
