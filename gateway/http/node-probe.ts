import type { ServiceBroker } from "moleculer";
import { scrape } from "@partline/moleculer-kit";
import type { Runtime } from "../../broker/runtime.ts";
import { getAuthenticator } from "../auth/authenticator.ts";
import { createPageAccess } from "../auth/page-access.ts";
import { createClientAddress, createEdgeServer } from "@partline/http-edge";
import { createEdge } from "./edge.ts";
import type { Health } from "./health.ts";
import { createHealthPages, createMetricsPage } from "./pages.ts";

/** Longest wait for a probe when the process ends, milliseconds. */
const DRAIN_TIMEOUT = 1_000;

export type NodeProbe = ReturnType<typeof createNodeProbe>;

/**
 * Health and metrics of a process on a port of its own, until its services have stopped. No rate limit and log lines:
 * its clients ask every few seconds.
 */
export function createNodeProbe(broker: ServiceBroker, runtime: Runtime, health: Health, port: number) {
  const logger = broker.getLogger("health");
  const handler = createEdge({
    match: () => ({ kind: "unknown" }),
    pages: new Map([...createHealthPages(health), createMetricsPage(() => scrape(broker))]),
    callRoute: () => Promise.reject(new Error("There are no routes here")),
    authorizePage: createPageAccess({
      broker,
      authenticator: getAuthenticator(broker),
      clientOf: createClientAddress(runtime.settings.trustedProxies),
      entry: "node",
    }),
    observers: [],
    logger,
  });
  const server = createEdgeServer({
    host: runtime.settings.host,
    port,
    setting: "HEALTH_PORT",
    handler,
    warn: (message) => logger.warn(message),
  });
  return {
    listen: server.listen,
    close: (): Promise<void> => server.drain(DRAIN_TIMEOUT),
  };
}
