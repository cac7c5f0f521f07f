import { setTimeout as delay } from "node:timers/promises";
import type { Middleware, Service, ServiceBroker } from "moleculer";
import { toMiddleware, getInternals, getRegistry, findTransit } from "./internals.ts";

/** How long a starting node listens for others that start at the same time, milliseconds. */
const LISTEN_MS = 300;
/** Longest wait for another starting node that must yield, milliseconds. */
const YIELD_MS = 5_000;
const LOOK_MS = 50;
/** Difference of two clocks from which a lease that is renewed in time can seem over, milliseconds. */
const CLOCKS_APART_MS = 5_000;

/** Facts that a node publishes in its metadata. */
interface NodeFacts {
  startedAt: number;
  /** True once the node was compared with all others and fits. */
  admitted: boolean;
}

/** What the house says of facts. */
interface AdmissionRules<F> {
  /** Returns why two nodes cannot be one system, with `{node}` for the other. */
  findDifferences(ownFacts: F, otherFacts: F): string[];
  /** Makes the error of a node that does not fit: a line for each difference. */
  createRefusal(text: string): Error;
}

interface Misfit {
  node: { id: string };
  facts: NodeFacts;
  reasons: string[];
}

/** Call it before the broker starts. */
export function attachFacts(broker: ServiceBroker, facts: NodeFacts): void {
  broker.metadata.partline = facts;
}

/**
 * Starts the services of a node only if what it uses fits all other nodes. Of two that start at once and do not fit,
 * the older one (or first by name) waits for the other to go, and refuses itself if that one was admitted: never both
 * run.
 */
export function createAdmissionMiddleware<F extends NodeFacts>(rules: AdmissionRules<F>): Middleware {
  let admission: Promise<void> | undefined;
  return toMiddleware({
    name: "Admission",
    serviceStarting: ({ broker }: Service): Promise<void> => (admission ??= admit(broker, rules)),
    started: async (broker: ServiceBroker) => {
      if (!findTransit(broker)) return;
      watch(broker, rules);
      compareClocks(broker);
      // Moleculer does so a second later, after the process is ready: stopping its predecessor in between would leave
      // nobody to call.
      await getRegistry(broker).discoverer.sendLocalNodeInfo();
    },
  });
}

/** @throws what `createRefusal` makes */
async function admit<F extends NodeFacts>(broker: ServiceBroker, rules: AdmissionRules<F>): Promise<void> {
  const ownFacts = broker.metadata.partline as F | undefined;
  if (!findTransit(broker) || !ownFacts) return;
  const { discoverer } = getRegistry(broker);
  await discoverer.sendLocalNodeInfo();
  await delay(LISTEN_MS);
  for (const giveUpAt = performance.now() + YIELD_MS; ;) {
    const misfits = listMisfits(broker, ownFacts, rules);
    if (misfits.length === 0) break;
    const blockingNodes = misfits.filter(
      ({ node, facts }) => facts.admitted || isBefore([facts.startedAt, node.id], [ownFacts.startedAt, broker.nodeID]),
    );
    if (blockingNodes.length > 0 || performance.now() > giveUpAt)
      throw rules.createRefusal(formatMisfits(blockingNodes.length > 0 ? blockingNodes : misfits));
    await delay(LOOK_MS);
  }
  ownFacts.admitted = true;
}

/** Logs nodes that do not fit and could not hear each other at the start, for example over a divided NATS. */
function watch<F extends NodeFacts>(broker: ServiceBroker, rules: AdmissionRules<F>): void {
  const ownFacts = broker.metadata.partline as F | undefined;
  if (!ownFacts) return;
  const reportedNodes = new Set<string>();
  getInternals(broker).localBus.on("$node.connected", () => {
    for (const misfit of listMisfits(broker, ownFacts, rules)) {
      if (!misfit.facts.admitted || reportedNodes.has(misfit.node.id)) continue;
      reportedNodes.add(misfit.node.id);
      broker.logger.error(`This node and another do not fit together: stop one of them. ${formatMisfits([misfit])}`);
    }
  });
}

/** Logs nodes whose clock differs. Each pong has its node's time, also the answer to a health check. */
function compareClocks(broker: ServiceBroker): void {
  const reportedNodes = new Set<string>();
  const onPong = ({ nodeID, elapsedTime, timeDiff }: { nodeID: string; elapsedTime: number; timeDiff: number }) => {
    const apart = Math.abs(timeDiff);
    if (apart - elapsedTime / 2 < CLOCKS_APART_MS || reportedNodes.has(nodeID)) return;
    reportedNodes.add(nodeID);
    const seconds = Math.round(apart / 1_000);
    const where = `${seconds} s ${timeDiff < 0 ? "ahead of" : "behind"} this one's`;
    broker.logger.warn(`The clock of the node ${nodeID} is ${where}: work may run twice at once (docs/operations.md)`);
  };
  getInternals(broker).localBus.on("$node.pong", onPong);
  void findTransit(broker)!.sendPing();
}

function listMisfits<F extends NodeFacts>(
  broker: ServiceBroker,
  ownFacts: F,
  { findDifferences }: AdmissionRules<F>,
): Misfit[] {
  const { nodes } = getRegistry(broker);
  return nodes.toArray().flatMap((node) => {
    const facts = node.metadata?.partline as F | undefined;
    if (node.local || !node.available || !facts) return [];
    const reasons = findDifferences(ownFacts, facts);
    return reasons.length > 0 ? [{ node, facts, reasons }] : [];
  });
}

/** Names one node for each reason. */
function formatMisfits(misfits: readonly Misfit[]): string {
  const lines = new Map<string, string>();
  for (const { node, reasons } of misfits)
    for (const reason of reasons)
      if (!lines.has(reason)) lines.set(reason, reason.replace("{node}", `the node ${node.id} of this system`));
  return [...lines.values()].join("\n");
}

function isBefore([ownTime, ownName]: [number, string], [time, name]: [number, string]): boolean {
  return ownTime !== time ? ownTime < time : ownName < name;
}
