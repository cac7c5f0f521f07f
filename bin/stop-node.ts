import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { announceLeaving, LONGEST_CALLS_MS, waitUntilIdle } from "@partline/moleculer-kit";
import type { Runtime } from "../broker/runtime.ts";
import type { NodeProbe } from "../gateway/http/node-probe.ts";

/** Longest stop beyond DRAIN_SECONDS, milliseconds; with them below compose's 60 s. */
export const LONGEST_STOP_MS = 45_000;

interface Stopped {
  broker: ServiceBroker;
  runtime: Runtime;
  probe?: NodeProbe;
  endRepls?: () => Promise<void>;
  /** Moleculer's own stop, if the broker's is this one. */
  stopBroker?: () => Promise<void>;
}

/**
 * Stops a process so that no request is lost: it turns unready and other nodes call others; after DRAIN_SECONDS the
 * entry points stop listening and answer what they have begun; then calls of other nodes are answered, channels and
 * tasks finish or hand on their work, and the stores close. LONGEST_CALLS_MS after DRAIN_SECONDS the rest is cut off.
 */
export async function stopNode({ broker, runtime, probe, endRepls, stopBroker }: Stopped): Promise<void> {
  const { settings, stores } = runtime;
  const entryPoints = broker.services.filter(({ name }) => name.startsWith("http-"));
  const wasRunning = (broker as { started?: boolean }).started === true;
  runtime.draining = true;
  if (wasRunning) await announceLeaving(broker);
  if (wasRunning && entryPoints.length > 0) await delay(settings.drainSeconds * 1_000);
  const cutAt = performance.now() + LONGEST_CALLS_MS;
  await Promise.all(entryPoints.map((service) => broker.destroyService(service)));
  await Promise.all([
    stores?.channels.stop(),
    stores?.tasks.stop(),
    wasRunning ? waitUntilIdle(broker, cutAt - performance.now()) : undefined,
  ]);
  await endRepls?.();
  await (stopBroker ?? broker.stop.bind(broker))();
  await stores?.documents.close();
  await probe?.close();
}
