/**
 * Types of what is used of Moleculer beyond its documented interface, with reasons, and ways to it: the linter refuses
 * others. Try an upgrade of Moleculer against test/internals.test.ts of this package first.
 */
import { Strategies, type Context, type Middleware, type ServiceBroker } from "moleculer";
import type { NatsConnection } from "nats";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** A received stream; the pool has what came after a missing piece. */
export type IncomingStream = Readable & { $prevSeq: number; $pool: ReadonlyMap<number, unknown> };

export interface Transit {
  /** An unready transporter makes the node unready. */
  connected: boolean;
  /** Nodes that owe answers are watched. */
  pendingRequests: ReadonlyMap<string, { nodeID: string; ctx: Context; reject(reason: unknown): void }>;
  /** Incoming streams by call: unread ones are dropped. */
  pendingReqStreams: Map<string, { stream: IncomingStream }>;
  /** Asks a silent node, or all, without waiting for answers. */
  sendPing(nodeID?: string): Promise<unknown>;
  /** Forgets a call and its answer; wrapped so that a waiting caller fails. */
  removePendingRequest(id: string): void;
  /** Wrapped to know which call is being answered. */
  responseHandler(packet: { id: string }): void;
  /** Returns the stream for its first packet; wrapped so that a broken stream fails. */
  _handleIncomingRequestStream(packet: unknown): IncomingStream | false | null;
  /** Moleculer does not notice a lost NATS connection: its client is asked. */
  tx: { client?: NatsConnection | null };
}

/** Nodes are looked at without a call. */
interface ClusterNode {
  id: string;
  local: boolean;
  available: boolean;
  /** Published facts, compared at admission. */
  metadata: Record<string, unknown> | null;
}

export interface Endpoint {
  id: string;
  local: boolean;
  isAvailable: boolean;
  action: { handler(ctx: InternalContext): Promise<unknown> };
}

interface Registry {
  nodes: {
    toArray(): ClusterNode[];
    get(id: string): ClusterNode | undefined;
    /** Marks a silent node as gone before its heartbeats are missed. */
    disconnected(id: string, isUnexpected: boolean): void;
  };
  /** Counted by the metrics, like the actions. */
  services: { services: readonly unknown[] };
  actions: { actions: ReadonlyMap<string, unknown> };
  discoverer: {
    /** Publishes the services at once; Moleculer does so a second later. */
    sendLocalNodeInfo(): Promise<void>;
    /** The end of a REPL's socket replaces heartbeats. */
    disableHeartbeat(): void;
  };
  /** Sent over a REPL's socket. */
  getLocalNodeInfo(): object;
  /** Wrapped by a leaving node, which publishes no actions. */
  regenerateLocalRawInfo(incSeq?: boolean, isStopping?: boolean): { services: { actions: object }[] };
  /** Look-ups without a call, for health and repetitions. */
  getActionEndpoints(action: string): { endpoints: Endpoint[] } | undefined;
}

interface CallInternals {
  /** Start of the call, for its remaining time. */
  startHrTime?: [seconds: number, nanoseconds: number] | null;
  /** Shortened and paced for one call. */
  options: { stream?: Readable; nodeID?: string; timeout?: number | null };
  /** Replaced by one that reports what was taken. */
  stream?: IncomingStream;
  /** Whom it asks: repetitions ask another. */
  endpoint: Endpoint;
  /** Makes the repetition's context. */
  copy(endpoint: Endpoint): InternalContext;
}

export type InternalContext = Omit<Context, keyof CallInternals> & CallInternals;

/** Handler of an action or event, as middlewares wrap it. */
export type Handler = (ctx: InternalContext) => Promise<unknown>;

interface Broker {
  transit?: Transit;
  registry: Registry;
  /** True if every service has started. */
  started?: boolean;
  /** Hears of new nodes and pongs without a service. */
  localBus: { on(event: string, listener: (payload: never) => void): void };
  /** The REPL's socket writes packets as the transit does. */
  PROTOCOL_VERSION: string;
  serializer: { serialize(payload: object): Buffer; deserialize(payload: Buffer): unknown };
  errorRegenerator: { extractPlainError(error: unknown): object };
}

export function getInternals(broker: ServiceBroker): Broker {
  return broker as unknown as Broker;
}

/** Undefined without a transporter. */
export function findTransit(broker: ServiceBroker): Transit | undefined {
  return getInternals(broker).transit;
}

export function getRegistry(broker: ServiceBroker): Registry {
  return getInternals(broker).registry;
}

/** The broker's own look-up logs a warning if no node offers the action. */
export function listEndpoints(broker: ServiceBroker, action: string): Endpoint[] {
  return (getRegistry(broker).getActionEndpoints(action)?.endpoints ?? []).filter(({ isAvailable }) => isAvailable);
}

/** The declarations lack several hooks and narrow the others' arguments. */
export function toMiddleware(hooks: object): Middleware {
  return hooks as Middleware;
}

/**
 * A middleware added behind Moleculer's own, and so outside their bulkhead and time limit: waiting and refused calls
 * pass it too. `inner` are hooks in front of Moleculer's own, and so inside these.
 */
export function createOuterMiddleware(
  name: string,
  hooksOf: (broker: ServiceBroker) => object,
  inner: object = {},
): Middleware {
  return toMiddleware({
    name,
    created: (broker: ServiceBroker) =>
      broker.middlewares.add(toMiddleware({ name: `${name}Outside`, ...hooksOf(broker) })),
    ...inner,
  });
}

/** The declarations lack the constructor and the broker. */
export const RoundRobin = Strategies.RoundRobin as unknown as new (
  registry: unknown,
  broker: ServiceBroker,
  options: unknown,
) => {
  broker: ServiceBroker;
  select(list: { id: string }[]): { id: string };
};

/** Alias of moleculer-web. */
export interface Alias {
  method: string;
  fullPath: string;
  route: unknown;
}

export interface WebInternals<Req> {
  /** Aliases, which our router looks up by route. */
  aliases: Alias[];
  /** Serves a request behind moleculer-web's own routing. */
  aliasHandler(req: Req, res: ServerResponse, alias: Alias): Promise<unknown>;
}

/** How JSONExt converts values that JSON lacks. */
export interface Conversions {
  /** @param value what `toJSON` makes of `holder[key]` */
  replacer(holder: Record<string, unknown>, key: string, value: unknown): unknown;
  reviver(key: string, value: unknown): unknown;
}
