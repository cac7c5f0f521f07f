import type { Middleware, ServiceBroker } from "moleculer";
import type { Events, NatsConnection, NatsError } from "nats";
import { natsServers, reaches } from "@partline/durable";
import { middlewareOf, transitOf } from "./moleculer/internals.ts";

/** By value: the client is loaded only with NATS. */
const RECONNECT = "reconnect" satisfies `${Events}`;
const ERROR = "error" satisfies `${Events}`;

/**
 * Resolves when the broker's NATS server answers, at once without one. Moleculer does not notice a lost connection; a
 * hanging server is waited for.
 * @throws at once while the connection is known to be lost
 */
export async function reachNats(broker: ServiceBroker): Promise<void> {
  await clientOf(broker)?.rtt();
}

/** Bytes of JSON that a list may have to fit a message of the broker's NATS server; Infinity without one. */
export function mostListedBytes(broker: ServiceBroker): number {
  // Beside the list are meta and marks of dates.
  return 0.9 * (clientOf(broker)?.info?.max_payload ?? Infinity);
}

/**
 * Returns why no server of a NATS_URL admits this process; undefined if one does, or if none answers: a later try may
 * succeed.
 * @param waitMs longest wait for each server
 */
export async function natsRefusal(natsUrl: string, waitMs: number): Promise<string | undefined> {
  const { connect } = await import("nats");
  const { servers, ...credentials } = natsServers(natsUrl);
  const refusals = await Promise.all(
    servers.map(async (server) => {
      // The client would never let go of a server that accepts a connection and hangs.
      if (!(await reaches(server, 4222, waitMs, "data"))) return "";
      try {
        await (await connect({ servers: [server], ...credentials, reconnect: false, timeout: waitMs })).close();
        return undefined;
      } catch (error) {
        return isRefusal(error) ? error.message.replaceAll("'", "") : "";
      }
    }),
  );
  return refusals.includes(undefined) ? undefined : refusals.find((refusal) => refusal !== "");
}

function isRefusal(error: unknown): error is NatsError {
  return error instanceof Error && "isAuthError" in error && (error as NatsError).isAuthError();
}

/**
 * Logs what a server refuses later (an old password, a forbidden subject), once each until the server is back: the
 * client retries silently.
 */
export function natsRefusalsMiddleware(): Middleware {
  return middlewareOf({
    name: "NatsRefusals",
    started: (broker: ServiceBroker): void => {
      const client = clientOf(broker);
      if (client) void tellRefusals(client, broker);
    },
  });
}

async function tellRefusals(client: NatsConnection, broker: ServiceBroker): Promise<void> {
  const logger = broker.getLogger("nats");
  const told = new Set<string>();
  for await (const status of client.status()) {
    const type: string = status.type;
    if (type === RECONNECT) {
      if (told.size > 0) logger.info("NATS lets this process in again");
      told.clear();
    } else if (type === ERROR) {
      const { data, permissionContext: { operation, subject } = {} } = status;
      const refusal = [typeof data === "string" ? data : JSON.stringify(data), operation, subject].join(" ").trim();
      if (!told.has(refusal)) logger.error("NATS refuses", { reason: refusal });
      told.add(refusal);
    }
  }
}

function clientOf(broker: ServiceBroker): NatsConnection | undefined {
  return transitOf(broker)?.tx.client ?? undefined;
}
