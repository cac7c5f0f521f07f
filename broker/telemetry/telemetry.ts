import { hostname } from "node:os";
import type { Middleware, ServiceBroker } from "moleculer";
import { inScope, type Scope } from "../../mixins/tracing.ts";
import { LONGEST_LOOK, withinTime } from "../../mixins/within-time.ts";
import type { EntryPoint } from "../contract/define.ts";
import { EventLoopDelay } from "../event-loop-delay.ts";
import { metricsOf } from "../metrics/metrics.ts";
import { middlewareOf } from "../moleculer/internals.ts";
import { perBroker } from "../per-broker.ts";
import { redisHealth } from "../redis.ts";
import { runtimeOf, type Stores } from "../runtime.ts";
import { SAMPLE_EVENT, SAMPLE_MS, type EntryPointSample, type NodeSample, type QueueSample } from "./sample.ts";
import { FailuresSinceLast, TrafficSinceLast } from "./since-last.ts";

/** Its calls are probes, which are not traced. */
const SAMPLING: Scope = { requestId: "telemetry" };

type EntryPointProbe = () => Promise<Omit<EntryPointSample, "entry">>;

/** Publishes samples of a node while anybody listens. */
export class Telemetry {
  readonly #broker: ServiceBroker;
  readonly #startedAt = new Date();
  readonly #probes = new Map<EntryPoint, EntryPointProbe>();
  readonly #eventLoop = new EventLoopDelay();
  readonly #traffic: TrafficSinceLast;
  readonly #failures: FailuresSinceLast;
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<void> | undefined;

  constructor(broker: ServiceBroker) {
    const { http, providerFailures } = metricsOf(broker);
    this.#broker = broker;
    this.#traffic = new TrafficSinceLast(http);
    this.#failures = new FailuresSinceLast(providerFailures);
  }

  watch(entry: EntryPoint, probe: EntryPointProbe): void {
    this.#probes.set(entry, probe);
  }

  /** A node that runs nothing (a joined REPL) sends none. */
  start(): void {
    if (this.#services().length === 0 && this.#probes.size === 0) return;
    this.#eventLoop.start();
    this.#timer = setInterval(() => void this.tell(), SAMPLE_MS);
    this.#timer.unref();
    void this.tell();
  }

  /** Says goodbye: a node that falls silent without it counts as lost. */
  async stop(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await withinTime(this.#goodbye(), LONGEST_LOOK, () => undefined).catch((error: unknown) => this.#failed(error));
    this.#eventLoop.stop();
  }

  /** Sends a sample now; a running one is shared. */
  tell(): Promise<void> {
    this.#telling ??= inScope(SAMPLING, () => this.#tellOnce()).finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  async #tellOnce(): Promise<void> {
    if (!this.#broker.hasEventListener(SAMPLE_EVENT)) return;
    try {
      const sample = await this.#sample(false);
      // Not awaited: a listener here may be waiting for a store.
      void this.#broker.broadcast(SAMPLE_EVENT, sample);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#broker.logger.debug("This node could not tell how it is", error);
  }

  async #goodbye(): Promise<void> {
    await this.#telling;
    if (this.#broker.hasEventListener(SAMPLE_EVENT))
      await this.#broker.broadcast(SAMPLE_EVENT, await this.#sample(true));
  }

  #services(): string[] {
    return this.#broker.services
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("$") && !name.startsWith("http-"))
      .sort();
  }

  async #sample(leaving: boolean): Promise<NodeSample> {
    const { settings, stores } = runtimeOf(this.#broker);
    const isWatched = stores !== undefined && !leaving;
    const [entryPoints, hasDocuments, queue] = await Promise.all([
      leaving ? [] : Promise.all([...this.#probes].map(async ([entry, probe]) => ({ entry, ...(await probe()) }))),
      isWatched ? answers(stores.documents.ping()) : true,
      isWatched ? queueOf(stores) : undefined,
    ]);
    const { rss, heapUsed } = process.memoryUsage();
    const { p99, max, utilization } = this.#eventLoop.take();
    return {
      v: 1,
      node: this.#broker.nodeID,
      host: hostname(),
      version: settings.version,
      startedAt: this.#startedAt,
      at: new Date(),
      leaving,
      services: this.#services(),
      entryPoints,
      failing: [
        ...(hasDocuments ? [] : ["documents"]),
        ...(redisHealth(this.#broker).redis?.status === "error" ? ["redis"] : []),
      ],
      eventLoop: { p99: rounded(p99, 2), max: rounded(max, 2), utilization: rounded(utilization, 3) },
      memory: { rss, heapUsed },
      ...(queue ? { queue } : {}),
      traffic: await this.#traffic.take(),
      failures: await this.#failures.take(),
    };
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function answers(ping: Promise<void>): Promise<boolean> {
  return withinTime(
    ping.then(
      () => true,
      () => false,
    ),
    LONGEST_LOOK,
    () => false,
  );
}

/**
 * Waiting events and tasks; tasks count as pending. Undefined while unreadable: the channels are not open, or their
 * server does not answer.
 */
function queueOf({ channels, tasks }: Stores): Promise<QueueSample | undefined> {
  const depth = Promise.all([channels.depth(), tasks.depth()]).then(
    ([{ outbox, pending, dead, oldestAgeMs }, work]) => ({
      outbox,
      pending: pending + work.waiting,
      dead: dead + work.dead,
      oldestAgeMs: Math.max(oldestAgeMs, work.oldestWaitMs),
    }),
    () => undefined,
  );
  return withinTime(depth, LONGEST_LOOK, () => undefined);
}

export const telemetryOf = perBroker((broker) => new Telemetry(broker));

/** Sends samples from the start of all services until the stop. */
export function telemetryMiddleware(): Middleware {
  return middlewareOf({
    name: "Telemetry",
    created: (broker: ServiceBroker) => void telemetryOf(broker),
    started: (broker: ServiceBroker) => telemetryOf(broker).start(),
    stopping: (broker: ServiceBroker) => telemetryOf(broker).stop(),
  });
}
