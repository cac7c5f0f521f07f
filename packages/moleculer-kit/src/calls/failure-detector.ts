import type { Middleware, ServiceBroker } from "moleculer";
import { memoizeByBroker } from "../by-broker.ts";
import { toMiddleware, getRegistry, findTransit, type Transit } from "../internals.ts";

/** Time is counted in turns of this node's own event loop, so its own stall makes nobody else silent. Milliseconds. */
const TURN_MS = 250;
/** Turns of silence after which a node that owes an answer is pinged, … */
const ASK_AFTER = 2;
/** … other nodes are called in its place (1.25 s), … */
const SUSPECT_AFTER = 5;
/** … and it counts as gone, so that its calls fail (6 s). Moleculer's heartbeats need 15 to 30 s. */
const GONE_AFTER = 24;
/** Turns after which an answer may be lost although the node is there, for example with a NATS server. */
const LOST_AFTER = 10;

/** A call that another node may be asked in the meantime. */
export interface Repeatable {
  nodeID: string;
  /** @param reason `lost`: the node answers pings, so it may be slow */
  repeat(reason: "silent" | "lost"): void;
}

export type FailureDetector = ReturnType<typeof createFailureDetector>;

/**
 * Finds nodes that were killed, stopped or cut off. It watches only nodes that owe an answer; any packet of a node,
 * also one with a slow action, ends the suspicion.
 */
function createFailureDetector(broker: ServiceBroker) {
  /** Turns of silence, by node. */
  const silence = new Map<string, number>();
  const suspects = new Set<string>();
  /** Turns that each call has waited. */
  const open = new Map<Repeatable, number>();
  let hasHeard = false;
  let timer: NodeJS.Timeout | undefined;

  const ask = (transit: Transit, nodeID: string): void => {
    transit.sendPing(nodeID).catch((error: unknown) => broker.logger.debug("A ping could not be sent", error));
  };
  const suspect = (nodeID: string): void => {
    if (suspects.has(nodeID)) return;
    suspects.add(nodeID);
    broker.logger.warn(`The node ${nodeID} does not answer: others are called in its place`);
    for (const call of [...open.keys()]) if (call.nodeID === nodeID) call.repeat("silent");
  };
  const markGone = (nodeID: string): void => {
    silence.delete(nodeID);
    suspects.delete(nodeID);
    const { nodes } = getRegistry(broker);
    // Its next heartbeat brings it back.
    if (nodes.get(nodeID)?.available) nodes.disconnected(nodeID, true);
  };
  const checkSilence = (): void => {
    const transit = findTransit(broker);
    if (!transit?.connected) return;
    const owing = new Set([...transit.pendingRequests.values()].map(({ nodeID }) => nodeID));
    for (const nodeID of silence.keys()) if (!owing.has(nodeID) && !suspects.has(nodeID)) silence.delete(nodeID);
    // If not even our own pings come back, our own connection is silent.
    const isConnected = hasHeard;
    hasHeard = false;
    for (const nodeID of new Set([...owing, ...suspects])) {
      const turns = (silence.get(nodeID) ?? 0) + (isConnected || !silence.has(nodeID) ? 1 : 0);
      silence.set(nodeID, turns);
      if (turns >= GONE_AFTER) markGone(nodeID);
      else if (turns >= SUSPECT_AFTER) suspect(nodeID);
      if (turns >= ASK_AFTER) ask(transit, nodeID);
    }
    if (silence.size > 0) ask(transit, broker.nodeID);
    for (const [call, turns] of [...open]) {
      open.set(call, turns + 1);
      if (turns + 1 === LOST_AFTER) call.repeat("lost");
    }
  };

  return {
    suspects: suspects as ReadonlySet<string>,
    start: (): void => {
      if (findTransit(broker)) timer = setInterval(checkSilence, TURN_MS).unref();
    },
    stop: (): void => clearInterval(timer),
    open: (call: Repeatable): void => void open.set(call, 0),
    close: (call: Repeatable): void => void open.delete(call),
    /** Notes a packet of a node; our own come back to us too. */
    recordPacket: (nodeID: string): void => {
      hasHeard = true;
      if (silence.size === 0) return;
      silence.delete(nodeID);
      if (suspects.delete(nodeID)) broker.logger.info(`The node ${nodeID} answers again`);
    },
  };
}

export const getFailureDetector = memoizeByBroker(createFailureDetector);

type PacketHandler = (command: string, packet: { payload?: { sender?: string } }) => unknown;

export function createFailureDetectorMiddleware(): Middleware {
  let detector: FailureDetector | undefined;
  return toMiddleware({
    name: "FailureDetector",
    created: (broker: ServiceBroker) => {
      detector = getFailureDetector(broker);
    },
    starting: () => detector?.start(),
    stopped: () => detector?.stop(),
    transitMessageHandler:
      (next: PacketHandler): PacketHandler =>
      (command, packet) => {
        const sender = packet.payload?.sender;
        if (sender !== undefined) detector?.recordPacket(sender);
        return next(command, packet);
      },
  });
}
