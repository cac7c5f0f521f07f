import { ServiceBroker, type BrokerOptions, type ServiceSchema } from "moleculer";
import { toMiddleware, findTransit } from "@partline/moleculer-kit";
import { createBrokerOptions } from "../../../broker/options.ts";
import { attachRuntime, type Runtime } from "../../../broker/runtime.ts";
import { eventually } from "../../support/eventually.ts";
import { testSettings } from "../../support/test-settings.ts";

/** Moleculer's Fake transporter stands in for NATS where there is none. */
export const TRANSPORTS = [process.env.NATS_URL ? "NATS" : "Fake"];

export interface ClusterNode {
  broker: ServiceBroker;
  runtime: Runtime;
}

export interface Cluster {
  /** Runs nothing; calls come from here. */
  caller: ServiceBroker;
  workers: ClusterNode[];
  /** Begins a node's stop, of which the caller does not hear: the node refuses its calls until the cluster stops. */
  refuse(node: ClusterNode): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Brokers of one namespace on the product's options, which may be changed: one for each service, and one that calls.
 */
export async function startCluster(
  transport: string,
  services: readonly ((id: string) => ServiceSchema)[],
  changed: (options: BrokerOptions) => BrokerOptions = (options) => options,
): Promise<Cluster> {
  const mayStop = Promise.withResolvers<void>();
  const stops = new Map<ServiceBroker, Promise<void>>();
  const namespace = `split-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const nodes: ClusterNode[] = ["caller", ...services.map((_, index) => `worker-${index}`)].map((nodeID) => {
    const settings = testSettings(
      transport === "NATS" ? { NATS_URL: process.env.NATS_URL!, NATS_NAMESPACE: namespace, SERVICES: "cart" } : {},
    );
    const options = changed(createBrokerOptions(settings));
    const broker: ServiceBroker = new ServiceBroker({
      ...options,
      middlewares: [...options.middlewares!, toMiddleware({ stopping: () => stops.has(broker) && mayStop.promise })],
      ...(transport === "Fake" ? { transporter: "Fake" } : {}),
      namespace,
      nodeID,
      logger: false,
    });
    const runtime = { settings };
    attachRuntime(broker, runtime);
    return { broker, runtime };
  });
  const [caller, ...workers] = nodes;
  for (const [index, worker] of workers.entries()) worker.broker.createService(services[index]!(worker.broker.nodeID));
  await Promise.all(nodes.map(({ broker }) => broker.start()));
  const names = [...new Set(workers.flatMap(({ broker }) => broker.services.map(({ name }) => name)))].filter(
    (name) => !name.startsWith("$"),
  );
  await caller!.broker.waitForServices(names, 30_000, 10);
  return {
    caller: caller!.broker,
    workers,
    refuse: async ({ broker }) => {
      lose(caller!.broker, "INFO");
      stops.set(broker, broker.stop());
      await eventually(() => broker.stopping);
    },
    stop: async () => {
      mayStop.resolve();
      await Promise.all(nodes.map(({ broker }) => stops.get(broker) ?? broker.stop()));
    },
  };
}

interface Payload {
  sender?: string;
  seq?: number;
}
type Packet = [command: string, packet: { payload: Payload }];

/** A broker's end of its connection. Moleculer's hooks around it must be there when the broker is made. */
function wireOf(broker: ServiceBroker) {
  return findTransit(broker)!.tx as unknown as {
    messageHandler(...packet: Packet): Promise<unknown>;
    send(...packet: unknown[]): Promise<unknown>;
  };
}

/** As SIGSTOP, or kill -9, looks from outside: the node neither hears nor says anything. */
export function freeze(broker: ServiceBroker): () => void {
  const wire = wireOf(broker);
  const { send } = wire;
  const listen = deafen(broker);
  wire.send = () => Promise.resolve();
  return () => {
    wire.send = send;
    listen();
  };
}

/**
 * What it is sent waits, in its order, for who can speak and not listen: as where it has read its other sockets first.
 */
export function deafen(broker: ServiceBroker): () => void {
  const wire = wireOf(broker);
  const { messageHandler } = wire;
  const held: Packet[] = [];
  wire.messageHandler = (...packet) => Promise.resolve(held.push(packet));
  return () => {
    wire.messageHandler = messageHandler;
    for (const packet of held) void messageHandler(...packet);
  };
}

/** Packets of a command, or those that are chosen of them, are lost on their way to a broker until this is called. */
export function lose(
  broker: ServiceBroker,
  command: string,
  isLost: (payload: Payload) => boolean = () => true,
): { lost(): number; end(): void } {
  const wire = wireOf(broker);
  const { messageHandler } = wire;
  let lost = 0;
  wire.messageHandler = (given, packet) =>
    given === command && isLost(packet.payload) ? Promise.resolve((lost += 1)) : messageHandler(given, packet);
  return { lost: () => lost, end: () => void (wire.messageHandler = messageHandler) };
}
