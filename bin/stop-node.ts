import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { announceLeaving, LONGEST_CALLS_MS, untilIdle } from "../broker/leave-cluster.ts";
import type { Runtime } from "../broker/runtime.ts";
import type { NodeProbe } from "../gateway/node-probe.ts";

/**
 * Beyond DRAIN_SECONDS, the longest that a whole stop takes before the process ends all the same: with them less than
 * compose's 60 s; milliseconds.
 */
export const LONGEST_STOP_MS = 45_000;

interface Stopped {
  broker: ServiceBroker;
  runtime: Runtime;
  probe?: NodeProbe;
  endRepls?: () => Promise<void>;
  /** Moleculer's own stop, where the broker's is this one. */
  stopBroker?: () => Promise<void>;
}

/**
 * Stops a process so that no request is lost. It says first that it leaves: its entry points turn unready and the other
 * nodes call others. After DRAIN_SECONDS the entry points stop listening and answer what they have begun; then what
 * other nodes have begun here is answered, what the channels and tasks have begun is finished or handed on, the
 * services stop, and the stores close. What has not ended LONGEST_CALLS_MS after DRAIN_SECONDS is cut off.
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
    wasRunning ? untilIdle(broker, cutAt - performance.now()) : undefined,
  ]);
  await endRepls?.();
  await (stopBroker ?? broker.stop.bind(broker))();
  await stores?.documents.close();
  await probe?.close();
}
