import type { ServiceBroker } from "moleculer";
import { scrape } from "../broker/metrics/metrics.ts";
import type { Runtime } from "../broker/runtime.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { createEdge } from "./edge.ts";
import type { NodeHealth } from "./node-health.ts";
import { healthPages, metricsPage } from "./pages.ts";
import { createEdgeServer } from "./server.ts";

/** Longest wait for a probe when the process ends, milliseconds. */
const DRAIN_TIMEOUT = 1_000;

export interface NodeProbe {
  listen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Health and metrics of a process on a port of its own, from before the services start until they have stopped. Without
 * rate limit and log lines: its clients ask every few seconds.
 */
export function createNodeProbe(broker: ServiceBroker, runtime: Runtime, health: NodeHealth, port: number): NodeProbe {
  const logger = broker.getLogger("health");
  const authenticator = createAuthenticator(runtime.settings, { logger });
  const handler = createEdge({
    match: () => ({ kind: "unknown" }),
    pages: new Map([...healthPages(health), metricsPage(() => scrape(broker))]),
    callRoute: () => Promise.reject(new Error("There are no routes here")),
    authorizePage: async (req, { access = "none" }) => {
      await authenticator.authenticate({ headers: req.headers, access, entry: "node" });
    },
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
    close: async () => {
      await server.drain(DRAIN_TIMEOUT);
      authenticator.close();
    },
  };
}
