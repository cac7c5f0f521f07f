import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { registryOf, transitOf } from "./moleculer/internals.ts";
import { inFlightOf } from "./in-flight.ts";

/** Longest wait of a stop for calls under way (docs/operations.md); milliseconds. */
export const LONGEST_CALLS_MS = 30_000;
/** Longest wait for other nodes to hear it, milliseconds. */
const HEARD_MS = 2_000;
/** How long calls may still come, milliseconds. */
const SETTLE_MS = 300;
const LOOK_MS = 20;
/** So that Moleculer's tracker sees the last calls end; milliseconds. */
const LEAST_TRACKING_MS = 500;

/**
 * Announces that nothing can be called here; resolves when the other nodes have heard it. The services stay and answer
 * what is under way. (Moleculer's own stop refuses what comes 100 ms later.)
 */
export async function announceLeaving(broker: ServiceBroker): Promise<void> {
  if (!transitOf(broker)) return;
  const registry = registryOf(broker);
  const regenerate = registry.regenerateLocalRawInfo.bind(registry);
  // Later publications must say the same.
  registry.regenerateLocalRawInfo = (incSeq, isStopping) => {
    const info = regenerate(incSeq, isStopping);
    for (const service of info.services) service.actions = {};
    return info;
  };
  registry.regenerateLocalRawInfo(true);
  await registry.discoverer.sendLocalNodeInfo();
  // Packets keep their order: a node that answers has read it.
  const others = registry.nodes.toArray().flatMap(({ id, local, available }) => (available && !local ? [id] : []));
  if (others.length > 0) await broker.ping(others, HEARD_MS);
}

/**
 * Resolves when no call of another node is under way or to come, or after `withinMs`. Moleculer's own stop gets the
 * rest of that time.
 */
export async function untilIdle(broker: ServiceBroker, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  broker.options.tracking = {
    ...broker.options.tracking,
    get shutdownTimeout() {
      return Math.max(LEAST_TRACKING_MS, giveUpAt - performance.now());
    },
  };
  if (!transitOf(broker)) return;
  const inFlight = inFlightOf(broker);
  let idleSince = performance.now();
  while (performance.now() < giveUpAt && performance.now() - idleSince < SETTLE_MS) {
    await delay(LOOK_MS);
    if (inFlight.count > 0) idleSince = performance.now();
  }
  if (inFlight.count > 0) broker.logger.warn(`${inFlight.count} calls of other nodes are cut off: they took too long`);
}
