import type { ServiceBroker } from "moleculer";
import { runtimeOf } from "../runtime.ts";
import { channelFamilies, registryFamilies, TransporterCounters } from "./broker.ts";
import { BulkheadMetrics } from "./bulkheads.ts";
import { CallMetrics } from "./calls.ts";
import { ChannelMetrics } from "./channels.ts";
import { CircuitMetrics } from "./circuits.ts";
import { render, type Family } from "./exposition.ts";
import { HttpMetrics } from "./http.ts";
import { LabelledCounter } from "./labelled-counter.ts";
import { EventLoopWatch, processFamilies } from "./process.ts";
import { ReadinessMetrics } from "./readiness.ts";

/** Everything that is counted on one broker. */
export class Metrics {
  readonly requests = new CallMetrics("moleculer_request", "requests");
  readonly events = new CallMetrics("moleculer_event_received", "received events");
  readonly transporter = new TransporterCounters();
  readonly http = new HttpMetrics();
  readonly channels = new ChannelMetrics();
  readonly bulkheads = new BulkheadMetrics();
  readonly circuits = new CircuitMetrics();
  readonly eventLoop = new EventLoopWatch();
  readonly readiness = new ReadinessMetrics();
  /** By action, and why (calls/repeat-elsewhere.ts). */
  readonly repeats = new LabelledCounter(
    "partline_call_repeats_total",
    "Calls that another node was asked for too, since the first stops, is gone, is silent, or its answer seems lost",
  );
  /** By provider and reason; each service adds those of the providers that it asks. */
  readonly providerFailures = new LabelledCounter(
    "partline_provider_failures_total",
    "Tries to ask an outside provider that failed",
  );
  readonly #contributions = new Map<string, () => Family[]>();

  /** What a service counts itself, read at each scrape; a second time in the place of the first. */
  contribute(service: string, families: () => Family[]): void {
    this.#contributions.set(service, families);
  }

  contributed(): Family[] {
    return [...this.#contributions.values()].flatMap((families) => families());
  }
}

const metricsByBroker = new WeakMap<ServiceBroker, Metrics>();

export function attachMetrics(broker: ServiceBroker, metrics: Metrics): void {
  metricsByBroker.set(broker, metrics);
}

/** The metrics that the middleware of a broker counts in. */
export function metricsOf(broker: ServiceBroker): Metrics {
  const metrics = metricsByBroker.get(broker);
  if (!metrics) throw new Error("This broker has no metrics: it was made without the options of broker/options.ts");
  return metrics;
}

/** All metrics of a node in Prometheus text format. What need not be counted as it happens is read now. */
export async function scrape(broker: ServiceBroker): Promise<string> {
  const { settings, stores } = runtimeOf(broker);
  const metrics = metricsOf(broker);
  const [readiness, waiting] = await Promise.all([
    metrics.readiness.families(),
    stores
      ? channelFamilies(stores.channels, (error) => broker.logger.debug("The channels' depth cannot be read", error))
      : [],
  ]);
  return render([
    ...readiness,
    ...metrics.http.families(),
    ...metrics.requests.families(),
    ...metrics.events.families(),
    ...waiting,
    ...metrics.channels.families(),
    ...metrics.bulkheads.families(),
    ...metrics.circuits.families(),
    metrics.repeats.family(),
    metrics.providerFailures.family(),
    ...metrics.contributed(),
    ...registryFamilies(broker),
    ...metrics.transporter.families(),
    ...metrics.eventLoop.families(),
    ...processFamilies(settings.version),
  ]);
}
