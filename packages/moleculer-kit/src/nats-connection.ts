import type { Middleware, ServiceBroker } from "moleculer";
import type { Events, NatsConnection } from "nats";
import { toMiddleware, findTransit } from "./internals.ts";

/** Event name as a value, because the client is loaded only with NATS. */
const RECONNECT = "reconnect" satisfies `${Events}`;
const ERROR = "error" satisfies `${Events}`;

/**
 * Resolves when the broker's NATS server answers, at once without one. Moleculer does not notice a lost connection; a
 * hanging server is waited for.
 * @throws at once while the connection is known to be lost
 */
export async function reachNats(broker: ServiceBroker): Promise<void> {
  await findClient(broker)?.rtt();
}

/** Bytes of JSON that a list may have to fit a message of the broker's NATS server; Infinity without one. */
export function getMaxListedBytes(broker: ServiceBroker): number {
  // Beside the list are meta and marks of dates.
  return 0.9 * (findClient(broker)?.info?.max_payload ?? Infinity);
}

/**
 * Logs what a server refuses later (an old password, a forbidden subject), once each until the server is back: the
 * client retries silently.
 */
export function createNatsRefusalsMiddleware(): Middleware {
  return toMiddleware({
    name: "NatsRefusals",
    started: (broker: ServiceBroker): void => {
      const client = findClient(broker);
      if (client) void tellRefusals(client, broker);
    },
  });
}

async function tellRefusals(client: NatsConnection, broker: ServiceBroker): Promise<void> {
  const logger = broker.getLogger("nats");
  const reportedTypes = new Set<string>();
  for await (const status of client.status()) {
    const type: string = status.type;
    if (type === RECONNECT) {
      if (reportedTypes.size > 0) logger.info("NATS lets this process in again");
      reportedTypes.clear();
    } else if (type === ERROR) {
      const { data, permissionContext: { operation, subject } = {} } = status;
      const refusal = [typeof data === "string" ? data : JSON.stringify(data), operation, subject].join(" ").trim();
      if (!reportedTypes.has(refusal)) logger.error("NATS refuses", { reason: refusal });
      reportedTypes.add(refusal);
    }
  }
}

function findClient(broker: ServiceBroker): NatsConnection | undefined {
  return findTransit(broker)?.tx.client ?? undefined;
}
