import type { ServiceBroker } from "moleculer";
import { Events, type NatsConnection } from "nats";

/** Calls the listener each time that a broker which has started was away from NATS and is back. Moleculer tells of the first connection alone. */
export function whenReconnected(broker: ServiceBroker, listener: () => void): void {
  const { transit } = broker as unknown as { transit?: { tx: { client?: NatsConnection } } };
  if (transit?.tx.client) void watch(transit.tx.client, listener);
}

/** Until the connection is closed. */
async function watch(client: NatsConnection, listener: () => void): Promise<void> {
  for await (const { type } of client.status()) if (type === Events.Reconnect) listener();
}
