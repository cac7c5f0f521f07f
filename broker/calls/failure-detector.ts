import type { Middleware, ServiceBroker } from "moleculer";
import { perBroker } from "../per-broker.ts";
import { middlewareOf, registryOf, transitOf, type Transit } from "../moleculer/internals.ts";

/**
 * Time is counted in turns of this node's own event loop: while it stands still, nobody else grows silent.
 * Milliseconds.
 */
const TURN_MS = 250;
/** Turns in which a node that owes an answer has said nothing: then it is asked whether it is there, … */
const ASK_AFTER = 2;
/** … then calls go to others, and reads that it owes are asked of others (after a second) … */
const SUSPECT_AFTER = 5;
/**
 * … and then it is taken for gone, and what it owes fails (after six seconds). Moleculer's heartbeats find that after
 * 15 to 30.
 */
const GONE_AFTER = 24;
/** Turns after which an answer may be lost, though the node is there: a NATS server died with it, say. */
const LOST_AFTER = 10;

/** A call that may be asked of another node in the meantime. */
export interface Repeatable {
  nodeID: string;
  /** @param reason `lost`: the node is there, so it may just be slow */
  repeat(reason: "silent" | "lost"): void;
}

/**
 * Finds nodes that do not answer: killed without a farewell, stopped, or cut off. Only a node that owes this one an
 * answer is watched. It is silent when no packet of it comes, whatever it is; a node with a slow action still says that
 * it is there. A suspect is heard of again, or gone.
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

  /** How many nodes are; asked at each choice of a node. */
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

  /** A packet of a node has come; our own come back to us too. */
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
    // When not even what we send ourselves comes back, it is our own connection that is silent.
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
    // It is found again by its next heartbeat.
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
