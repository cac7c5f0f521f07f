import { hostname } from "node:os";
import type { Middleware, ServiceBroker } from "moleculer";
import { withScope, waitAtMost, LONGEST_LOOK, type Scope, withTimeout, EventLoopDelay } from "@partline/toolkit";
import type { EntryPoint } from "../contract/define.ts";
import { getMetrics, toMiddleware, memoizeByBroker } from "@partline/moleculer-kit";
import { getRuntime, type Stores } from "../runtime.ts";
import { getRedisHealth } from "../redis.ts";
import { SAMPLE_EVENT, SAMPLE_MS, type EntryPointSample, type NodeSample, type QueueSample } from "./sample.ts";
import { createFailuresDelta, createTrafficDelta } from "./since-last.ts";

/** Its calls are probes, which are not traced. */
const SAMPLING: Scope = { requestId: "telemetry" };

type EntryPointProbe = () => Promise<Omit<EntryPointSample, "entry">>;

/** Publishes samples of a node while anybody listens. */
function createTelemetry(broker: ServiceBroker) {
  const { http, providerFailures } = getMetrics(broker);
  const startedAt = new Date();
  const probes = new Map<EntryPoint, EntryPointProbe>();
  const eventLoop = new EventLoopDelay();
  const traffic = createTrafficDelta(http);
  const failures = createFailuresDelta(providerFailures);
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | undefined;

  const onFailed = (error: unknown): void => broker.logger.debug("The node's sample could not be published", error);
  const listServices = (): string[] =>
    broker.services
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("$") && !name.startsWith("http-"))
      .sort();

  const createSample = async (leaving: boolean): Promise<NodeSample> => {
    const { settings, stores } = getRuntime(broker);
    const isWatched = stores !== undefined && !leaving;
    const [entryPoints, hasDocuments, queue] = await Promise.all([
      leaving ? [] : Promise.all([...probes].map(async ([entry, probe]) => ({ entry, ...(await probe()) }))),
      isWatched
        ? waitAtMost(
            stores.documents.ping().then(() => true),
            LONGEST_LOOK,
          )
        : true,
      // Unreadable while the channels are not open, or their server does not answer.
      isWatched ? waitAtMost(sampleQueue(stores), LONGEST_LOOK) : undefined,
    ]);
    const { rss, heapUsed } = process.memoryUsage();
    const { p99, max, utilization } = eventLoop.take();
    return {
      v: 1,
      node: broker.nodeID,
      host: hostname(),
      version: settings.version,
      startedAt,
      at: new Date(),
      leaving,
      services: listServices(),
      entryPoints,
      failing: [
        ...(hasDocuments ? [] : ["documents"]),
        ...(getRedisHealth(broker).redis?.status === "error" ? ["redis"] : []),
      ],
      eventLoop: { p99: roundTo(p99, 2), max: roundTo(max, 2), utilization: roundTo(utilization, 3) },
      memory: { rss, heapUsed },
      queue,
      traffic: await traffic(),
      failures: await failures(),
    };
  };
  const tellOnce = async (): Promise<void> => {
    if (!broker.hasEventListener(SAMPLE_EVENT)) return;
    try {
      const sample = await createSample(false);
      // Not awaited: a listener here may be waiting for a store.
      void broker.broadcast(SAMPLE_EVENT, sample);
    } catch (error) {
      onFailed(error);
    }
  };
  const sayGoodbye = async (): Promise<void> => {
    await telling;
    if (broker.hasEventListener(SAMPLE_EVENT)) await broker.broadcast(SAMPLE_EVENT, await createSample(true));
  };
  /** Sends a sample now; a running one is shared. */
  const tell = (): Promise<void> => (telling ??= withScope(SAMPLING, tellOnce).finally(() => (telling = undefined)));

  return {
    tell,
    watch: (entry: EntryPoint, probe: EntryPointProbe): void => void probes.set(entry, probe),
    /** A node that runs nothing (a joined REPL) sends none. */
    start: (): void => {
      if (listServices().length === 0 && probes.size === 0) return;
      eventLoop.start();
      timer = setInterval(() => void tell(), SAMPLE_MS).unref();
      void tell();
    },
    /** Says goodbye: a node that falls silent without it counts as lost. */
    stop: async (): Promise<void> => {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      await withTimeout(sayGoodbye(), LONGEST_LOOK, () => undefined).catch(onFailed);
      eventLoop.stop();
    },
  };
}

function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Waiting events and due tasks; tasks count as pending. */
async function sampleQueue({ channels, tasks }: Stores): Promise<QueueSample> {
  const [{ outbox, pending, dead, oldestAgeMs }, work] = await Promise.all([channels.depth(), tasks.depth()]);
  return {
    outbox,
    pending: pending + work.due,
    dead: dead + work.dead,
    oldestAgeMs: Math.max(oldestAgeMs, work.oldestWaitMs),
  };
}

export const getTelemetry = memoizeByBroker(createTelemetry);

export function createTelemetryMiddleware(): Middleware {
  return toMiddleware({
    name: "Telemetry",
    created: (broker: ServiceBroker) => void getTelemetry(broker),
    started: (broker: ServiceBroker) => getTelemetry(broker).start(),
    stopping: (broker: ServiceBroker) => getTelemetry(broker).stop(),
  });
}
