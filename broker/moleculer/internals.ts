/**
 * All that is used of Moleculer beyond its documented interface, each with its reason. An upgrade of Moleculer is tried
 * against test/unit/moleculer-internals.test.ts first; eslint refuses such uses elsewhere.
 */
import { Strategies, type Context, type Middleware, type ServiceBroker } from "moleculer";
import type { NatsConnection } from "nats";
import type { Readable } from "node:stream";

/** A stream as Moleculer gives it to the callee; what came behind a piece that is yet to come is in the pool. */
export type IncomingStream = Readable & { $prevSeq: number; $pool: ReadonlyMap<number, unknown> };

interface PendingRequest {
  nodeID: string;
  ctx: Context;
  reject(reason: unknown): void;
}

/** What carries packets to other nodes. */
export interface Transit {
  /** An unready transporter makes the node unready. */
  connected: boolean;
  /** Who owes an answer is watched for its silence, and counted for operators. */
  pendingRequests: ReadonlyMap<string, PendingRequest>;
  /** Streams that come in, by their calls: what no call reads is dropped. */
  pendingReqStreams: Map<string, { stream: IncomingStream }>;
  /** A silent node is asked whether it is there. */
  sendPing(nodeID: string): Promise<unknown>;
  /** Forgets a call and drops its answer; wrapped so that a caller that still waits fails. */
  removePendingRequest(id: string): void;
  /** Wrapped to know which call is being answered and not forgotten. */
  responseHandler(packet: { id: string }): void;
  /** Answers the stream where the packet is the first of one; wrapped so that a stream that breaks off fails. */
  _handleIncomingRequestStream(packet: unknown): IncomingStream | false | null;
  /** Moleculer takes a NATS connection that was lost for one that is there: its client is asked. */
  tx: { client?: NatsConnection | null };
}

/** A node as the registry knows it. */
interface ClusterNode {
  id: string;
  local: boolean;
  available: boolean;
  /** Facts that the node publishes; the admission of a node compares them. */
  metadata: Record<string, unknown> | null;
}

/** One node's offer of an action. */
export interface Endpoint {
  id: string;
  local: boolean;
  isAvailable: boolean;
  action: { handler(ctx: InternalContext): Promise<unknown> };
}

/** What a node knows of the others. */
interface Registry {
  nodes: {
    toArray(): ClusterNode[];
    get(id: string): ClusterNode | undefined;
    /** A node that is silent for too long is taken for gone, long before its heartbeats are missed. */
    disconnected(id: string, isUnexpected: boolean): void;
    count(): number;
    onlineCount(): number;
  };
  services: { services: readonly unknown[] };
  actions: { actions: ReadonlyMap<string, unknown> };
  discoverer: {
    /** Publishes the services at once; Moleculer does so a second later. */
    sendLocalNodeInfo(): Promise<void>;
    /** The end of a REPL's socket shows at once what heartbeats would show later. */
    disableHeartbeat(): void;
  };
  getNodeList(options: { onlyAvailable: boolean }): { id: string }[];
  /** The node's description, which a REPL's socket sends. */
  getLocalNodeInfo(): object;
  /** Wrapped by a node that leaves, so that it publishes no action any more. */
  regenerateLocalRawInfo(incSeq?: boolean, isStopping?: boolean): { services: { actions: object }[] };
  getActionEndpoints(action: string): { endpoints: Endpoint[] } | undefined;
}

/** What the declarations leave out of a call's context. */
export interface CallInternals {
  /** When the call began: what it has left of its time follows from that. */
  startHrTime?: [seconds: number, nanoseconds: number] | null;
  options: { stream?: Readable; nodeID?: string; timeout?: number | null };
  stream?: IncomingStream;
  endpoint: Endpoint;
  /** The same call for another node. */
  copy(endpoint: Endpoint): InternalContext;
}

export type InternalContext = Omit<Context, keyof CallInternals> & CallInternals;

interface Broker {
  transit?: Transit;
  registry: Registry;
  /** Whether every service of the broker has started. */
  started?: boolean;
  localBus: { on(event: string, listener: () => void): void };
  /** The REPL's socket writes packets as the transit does. */
  PROTOCOL_VERSION: string;
  serializer: { serialize(payload: object): Buffer; deserialize(payload: Buffer): unknown };
  errorRegenerator: { extractPlainError(error: unknown): object };
}

/** The broker with what its declarations leave out. */
export function internalsOf(broker: ServiceBroker): Broker {
  return broker as unknown as Broker;
}

/** Undefined where the process has no transporter. */
export function transitOf(broker: ServiceBroker): Transit | undefined {
  return internalsOf(broker).transit;
}

export function registryOf(broker: ServiceBroker): Registry {
  return internalsOf(broker).registry;
}

/** The nodes that offer an action. The broker's own look-up logs a warning each time that none does. */
export function endpointsOf(broker: ServiceBroker, action: string): Endpoint[] {
  return (registryOf(broker).getActionEndpoints(action)?.endpoints ?? []).filter(({ isAvailable }) => isAvailable);
}

/** A middleware; the declarations leave out several hooks, and narrow what the others are handed. */
export function middlewareOf(hooks: object): Middleware {
  return hooks as Middleware;
}

/** One after another; the declarations leave the constructor out. */
export const RoundRobin = Strategies.RoundRobin as unknown as new (
  registry: unknown,
  broker: ServiceBroker,
  options: unknown,
) => { select(list: { id: string }[]): { id: string } };

/** How JSONExt writes a value that JSON has no word for, and reads it again. */
export interface Conversions {
  /** @param value what `toJSON` makes of `holder[key]` */
  replacer(holder: Record<string, unknown>, key: string, value: unknown): unknown;
  reviver(key: string, value: unknown): unknown;
}
