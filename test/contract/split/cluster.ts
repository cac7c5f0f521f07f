import { ServiceBroker, type BrokerOptions, type ServiceSchema } from "moleculer";
import { brokerOptions } from "../../../broker/options.ts";
import { attachRuntime, type Runtime } from "../../../broker/runtime.ts";
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
  const namespace = `split-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const nodes: ClusterNode[] = ["caller", ...services.map((_, index) => `worker-${index}`)].map((nodeID) => {
    const settings = testSettings(
      transport === "NATS" ? { NATS_URL: process.env.NATS_URL!, NATS_NAMESPACE: namespace, SERVICES: "cart" } : {},
    );
    const broker = new ServiceBroker({
      ...changed(brokerOptions(settings)),
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
    stop: async () => {
      await Promise.all(nodes.map(({ broker }) => broker.stop()));
    },
  };
}

/** As SIGSTOP, or kill -9, looks from outside: the node neither hears nor says anything. */
export function freeze(broker: ServiceBroker): () => void {
  const transit = broker.transit as unknown as {
    messageHandler: unknown;
    tx: { messageHandler: unknown; send: unknown };
  };
  const { tx } = transit;
  const { messageHandler, send } = tx;
  const held: unknown[][] = [];
  tx.messageHandler = (...packet: unknown[]) => Promise.resolve(void held.push(packet));
  tx.send = () => Promise.resolve();
  return () => {
    Object.assign(tx, { messageHandler, send });
    for (const packet of held) void (messageHandler as (...given: unknown[]) => unknown)(...packet);
  };
}
