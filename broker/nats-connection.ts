import type { ServiceBroker } from "moleculer";
import type { Events, NatsConnection } from "nats";

/** By its value: the client itself is loaded only where there is NATS. */
const RECONNECT = "reconnect" satisfies `${Events}`;

/** Calls the listener each time that a broker which has started was away from NATS and is back. Moleculer tells of the first connection alone. */
export function whenReconnected(broker: ServiceBroker, listener: () => void): void {
  const client = clientOf(broker);
  if (client) void watch(client, listener);
}

/**
 * Resolves when the NATS server of a broker answers; at once where it has none. Moleculer takes a connection that was lost for one that is there.
 * @throws at once while the connection is known to be lost; a server that hangs is waited for
 */
export async function reachNats(broker: ServiceBroker): Promise<void> {
  await clientOf(broker)?.rtt();
}

function clientOf(broker: ServiceBroker): NatsConnection | undefined {
  const { transit } = broker as unknown as { transit?: { tx: { client?: NatsConnection | null } } };
  return transit?.tx.client ?? undefined;
}

/** Until the connection is closed. */
async function watch(client: NatsConnection, listener: () => void): Promise<void> {
  for await (const { type } of client.status()) if (`${type}` === RECONNECT) listener();
}
