import type { Middleware, ServiceBroker } from "moleculer";
import { perBroker } from "../per-broker.ts";
import { middlewareOf, registryOf, transitOf, type Transit } from "../moleculer/internals.ts";

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

/**
 * Finds nodes that were killed, stopped or cut off. It watches only nodes that owe an answer; any packet of a node,
 * also one with a slow action, ends the suspicion.
 */
export class FailureDetector {
  readonly #broker: ServiceBroker;
  /** Turns of silence, by node. */
  readonly #silence = new Map<string, number>();
  readonly #suspects = new Set<string>();
  /** With the turns that each has waited. */
  readonly #open = new Map<Repeatable, number>();
  #hasHeard = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  start(): void {
    if (!transitOf(this.#broker)) return;
    this.#timer = setInterval(() => this.#turn(), TURN_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get suspects(): number {
    return this.#suspects.size;
  }

  isSuspect(nodeID: string): boolean {
    return this.#suspects.has(nodeID);
  }

  open(call: Repeatable): void {
    this.#open.set(call, 0);
  }

  close(call: Repeatable): void {
    this.#open.delete(call);
  }

  /** Notes a packet of a node; our own come back to us too. */
  heard(nodeID: string): void {
    this.#hasHeard = true;
    if (this.#silence.size === 0) return;
    this.#silence.delete(nodeID);
    if (this.#suspects.delete(nodeID)) this.#broker.logger.info(`The node ${nodeID} answers again`);
  }

  #turn(): void {
    const transit = transitOf(this.#broker);
    if (!transit?.connected) return;
    const owing = new Set([...transit.pendingRequests.values()].map(({ nodeID }) => nodeID));
    for (const nodeID of this.#silence.keys())
      if (!owing.has(nodeID) && !this.isSuspect(nodeID)) this.#silence.delete(nodeID);
    // If not even our own pings come back, our own connection is silent.
    const isConnected = this.#hasHeard;
    this.#hasHeard = false;
    for (const nodeID of new Set([...owing, ...this.#suspects])) {
      const turns = (this.#silence.get(nodeID) ?? 0) + (isConnected || !this.#silence.has(nodeID) ? 1 : 0);
      this.#silence.set(nodeID, turns);
      if (turns >= GONE_AFTER) this.#giveUp(nodeID);
      else if (turns >= SUSPECT_AFTER) this.#suspect(nodeID);
      if (turns >= ASK_AFTER) this.#ask(transit, nodeID);
    }
    if (this.#silence.size > 0) this.#ask(transit, this.#broker.nodeID);
    this.#repeatLost();
  }

  #ask(transit: Transit, nodeID: string): void {
    transit.sendPing(nodeID).catch((error: unknown) => this.#broker.logger.debug("A ping could not be sent", error));
  }

  #suspect(nodeID: string): void {
    if (this.#suspects.has(nodeID)) return;
    this.#suspects.add(nodeID);
    this.#broker.logger.warn(`The node ${nodeID} does not answer: others are called in its place`);
    for (const call of [...this.#open.keys()]) if (call.nodeID === nodeID) call.repeat("silent");
  }

  #giveUp(nodeID: string): void {
    this.#silence.delete(nodeID);
    this.#suspects.delete(nodeID);
    const { nodes } = registryOf(this.#broker);
    // Its next heartbeat brings it back.
    if (nodes.get(nodeID)?.available) nodes.disconnected(nodeID, true);
  }

  #repeatLost(): void {
    for (const [call, turns] of [...this.#open]) {
      this.#open.set(call, turns + 1);
      if (turns + 1 === LOST_AFTER) call.repeat("lost");
    }
  }
}

export const failureDetectorOf = perBroker((broker) => new FailureDetector(broker));

type PacketHandler = (command: string, packet: { payload?: { sender?: string } }) => unknown;

export function failureDetectorMiddleware(): Middleware {
  let detector: FailureDetector | undefined;
  const middleware = {
    name: "FailureDetector",
    created: (broker: ServiceBroker) => {
      detector = failureDetectorOf(broker);
    },
    starting: () => detector?.start(),
    stopped: () => detector?.stop(),
    transitMessageHandler:
      (next: PacketHandler): PacketHandler =>
      (command, packet) => {
        const sender = packet.payload?.sender;
        if (sender !== undefined) detector?.heard(sender);
        return next(command, packet);
      },
  };
  return middlewareOf(middleware);
}
