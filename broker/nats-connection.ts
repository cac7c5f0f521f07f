import { connect as connectSocket } from "node:net";
import type { Middleware, ServiceBroker } from "moleculer";
import type { Events, NatsConnection, NatsError } from "nats";
import { natsServers } from "./nats-servers.ts";
import { middlewareOf, transitOf } from "./moleculer/internals.ts";

/** By their values: the client itself is loaded only where there is NATS. */
const RECONNECT = "reconnect" satisfies `${Events}`;
const ERROR = "error" satisfies `${Events}`;

/**
 * Resolves when the NATS server of a broker answers; at once where it has none. Moleculer takes a connection that was
 * lost for one that is there.
 * @throws at once while the connection is known to be lost; a server that hangs is waited for
 */
export async function reachNats(broker: ServiceBroker): Promise<void> {
  await clientOf(broker)?.rtt();
}

/**
 * Why no server of a NATS_URL lets this process in, in the words of one; undefined where one does, and where none says
 * a word: a later try may find one.
 * @param waitMs longest wait for each server
 */
export async function natsRefusal(natsUrl: string, waitMs: number): Promise<string | undefined> {
  const { connect } = await import("nats");
  const { servers, ...credentials } = natsServers(natsUrl);
  const refusals = await Promise.all(
    servers.map(async (server) => {
      // Of one that accepts a connection and hangs, the client would never let go.
      if (!(await greets(server, waitMs))) return "";
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

function greets(server: string, waitMs: number): Promise<boolean> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve) => {
    const socket = connectSocket({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || 4222),
      timeout: waitMs,
    });
    const finish = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once("data", finish(true))
      .once("error", finish(false))
      .once("timeout", finish(false))
      .once("close", finish(false));
  });
}

function isRefusal(error: unknown): error is NatsError {
  return error instanceof Error && "isAuthError" in error && (error as NatsError).isAuthError();
}

/**
 * Says in the log what a server refuses once the process runs: a password that is no longer taken, a subject that this
 * user may not use. The client tries on, and tells nobody; each refusal is a line once, until the server is back.
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
