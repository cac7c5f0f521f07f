import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { inFlightOf } from "./in-flight.ts";
import { registryOf, transitOf } from "./moleculer/internals.ts";

/**
 * Longest wait, in a stop, for what has begun: what ordinary actions may take by their contracts (docs/operations.md
 * names those that may take longer); milliseconds.
 */
export const LONGEST_CALLS_MS = 30_000;
/**
 * Longest wait for the other nodes to have heard that this one leaves: a busy one may take a moment, a dead one never
 * answers; milliseconds.
 */
const HEARD_MS = 2_000;
/** How long calls still come from nodes that have not answered; milliseconds. */
const SETTLE_MS = 300;
const LOOK_MS = 20;
/** What Moleculer's tracker has at least to see what has just ended; milliseconds. */
const LEAST_TRACKING_MS = 500;

/**
 * Tells the other nodes that nothing can be called here any more, so that they call others, and resolves when they have
 * heard it. The services are here all the same: what is under way, and what comes from a node that has not heard of it,
 * is answered, and they hear the events that it may need. (Moleculer's own stop tells too, but refuses what comes 100
 * ms later.)
 */
export async function announceLeaving(broker: ServiceBroker): Promise<void> {
  if (!transitOf(broker)) return;
  const registry = registryOf(broker);
  const regenerate = registry.regenerateLocalRawInfo.bind(registry);
  // Whatever asks for it from now on (a service that is destroyed, a node that has just come) must not be told
  // otherwise.
  registry.regenerateLocalRawInfo = (incSeq, isStopping) => {
    const info = regenerate(incSeq, isStopping);
    for (const service of info.services) service.actions = {};
    return info;
  };
  registry.regenerateLocalRawInfo(true);
  await registry.discoverer.sendLocalNodeInfo();
  // Packets keep their order: who answers this has read that, and what it had sent here before is here.
  const others = registry
    .getNodeList({ onlyAvailable: true })
    .map(({ id }) => id)
    .filter((id) => id !== broker.nodeID);
  if (others.length > 0) await broker.ping(others, HEARD_MS);
}

/**
 * Resolves when no call of another node is under way, and surely none is to come, or after `withinMs`. What is left of
 * that is all that Moleculer's own stop waits for what is under way (it waits twice, and would for the same calls
 * again).
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
