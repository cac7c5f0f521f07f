import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { getRegistry, findTransit } from "./internals.ts";
import { getInFlight } from "./in-flight.ts";

/**
 * Longest wait of a stop for calls under way, as contracts allow ordinary actions (docs/operations.md names the
 * others); milliseconds.
 */
export const LONGEST_CALLS_MS = 30_000;
/** Longest wait for other nodes to hear that this one leaves, milliseconds; a dead one never answers. */
const HEARD_MS = 2_000;
/** How long calls may still come from nodes that have not answered, milliseconds. */
const SETTLE_MS = 300;
const LOOK_MS = 20;
/** Least wait of Moleculer's tracker at a stop, so that it sees the last calls end; milliseconds. */
const LEAST_TRACKING_MS = 500;

/**
 * Announces that nothing can be called here; resolves when the other nodes have heard it. The services stay: calls
 * under way, and of nodes that have not heard, are answered. (Moleculer's own stop refuses what comes 100 ms later.)
 */
export async function announceLeaving(broker: ServiceBroker): Promise<void> {
  if (!findTransit(broker)) return;
  const registry = getRegistry(broker);
  const regenerate = registry.regenerateLocalRawInfo.bind(registry);
  // Later publications (a destroyed service, a new node) must say the same.
  registry.regenerateLocalRawInfo = (incSeq, isStopping) => {
    const info = regenerate(incSeq, isStopping);
    for (const service of info.services) service.actions = {};
    return info;
  };
  registry.regenerateLocalRawInfo(true);
  await registry.discoverer.sendLocalNodeInfo();
  // Packets keep their order: a node that answers has read it, and its earlier packets are here.
  const otherNodes = registry.nodes.toArray().flatMap(({ id, local, available }) => (available && !local ? [id] : []));
  if (otherNodes.length > 0) await broker.ping(otherNodes, HEARD_MS);
}

/**
 * Resolves when no call of another node is under way or to come, or after `withinMs`. Moleculer's own stop, which would
 * wait twice, gets the rest of that time.
 */
export async function waitUntilIdle(broker: ServiceBroker, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  broker.options.tracking = {
    ...broker.options.tracking,
    get shutdownTimeout() {
      return Math.max(LEAST_TRACKING_MS, giveUpAt - performance.now());
    },
  };
  if (!findTransit(broker)) return;
  const inFlight = getInFlight(broker);
  let idleSince = performance.now();
  while (performance.now() < giveUpAt && performance.now() - idleSince < SETTLE_MS) {
    await delay(LOOK_MS);
    if (inFlight.count > 0) idleSince = performance.now();
  }
  if (inFlight.count > 0) broker.logger.warn(`${inFlight.count} calls of other nodes are cut off: they took too long`);
}
