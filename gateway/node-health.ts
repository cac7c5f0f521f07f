import type { ServiceBroker } from "moleculer";
import type { ServiceContract } from "../broker/contract/define.ts";
import { scrape, type ReadinessProbe } from "../broker/metrics/metrics.ts";
import { onceAtATime } from "../broker/metrics/read-metric.ts";
import { LONGEST_LOOK } from "../mixins/within-time.ts";
import { redisHealth } from "../broker/redis.ts";
import type { Runtime } from "../broker/runtime.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { createPageAccess } from "./auth/page-access.ts";
import { keyFinder } from "./auth/known-keys.ts";
import { createClientAddress } from "./client-address.ts";
import { createEdge } from "./edge.ts";
import { isOfferedHere, isStarted, ownChecks, runChecks, type NamedCheck, type Phase } from "./health-checks.ts";
import type { Health, HealthReport } from "./health.ts";
import { healthPages, metricsPage } from "./pages.ts";
import { createEdgeServer } from "./server.ts";

interface NodeHealthDeps {
  broker: ServiceBroker;
  runtime: Runtime;
  contracts: readonly ServiceContract[];
}

/**
 * The health of a process: broker, store and its own services. Others do not count, so that one missing part does not
 * make all processes unready.
 */
export function createNodeHealth({ broker, runtime, contracts }: NodeHealthDeps) {
  const { settings, stores } = runtime;
  const withOwnWord = contracts.filter(
    ({ name, actions: { ready } }) => settings.run.services.some((run) => run === name) && ready && !ready.http,
  );
  const checks = [
    ...ownChecks(broker, stores),
    ...withOwnWord.map(({ name }): NamedCheck => [
      name,
      async () => {
        if (!isOfferedHere(broker, `${name}.ready`)) throw new Error(`${name} has not started`);
        await broker.call(`${name}.ready`, {}, { nodeID: broker.nodeID, timeout: LONGEST_LOOK });
      },
    ]),
  ];
  const phase = (): Phase =>
    runtime.draining ? "draining" : runtime.starting || !isStarted(broker) ? "starting" : "running";
  const checkOnce = onceAtATime(() => runChecks(checks, phase));
  const report = async (): Promise<HealthReport> => {
    const { status, dependencies } = await checkOnce();
    return {
      status,
      version: settings.version,
      uptime: Math.floor(process.uptime()),
      dependencies: { ...redisHealth(broker), ...dependencies },
    };
  };

  return {
    report,
    readiness: async () => {
      const current = await report();
      return { ready: current.status === "ok", report: current };
    },
    look: (async () => {
      const { status, dependencies } = await checkOnce();
      return { ready: status === "ok", dependencies };
    }) satisfies ReadinessProbe,
  };
}

/** Longest wait for a probe when the process ends, milliseconds. */
const DRAIN_TIMEOUT = 1_000;

export type NodeProbe = ReturnType<typeof createNodeProbe>;

/** Health and metrics of a process on a port of its own, until its services have stopped. */
export function createNodeProbe(broker: ServiceBroker, runtime: Runtime, health: Health, port: number) {
  const logger = broker.getLogger("health");
  const authenticator = createAuthenticator(runtime.settings, { logger, findKey: keyFinder(broker) });
  const handler = createEdge({
    match: () => ({ kind: "unknown" }),
    pages: new Map([...healthPages(health), metricsPage(() => scrape(broker))]),
    callRoute: () => Promise.reject(new Error("There are no routes here")),
    authorizePage: createPageAccess({
      broker,
      authenticator,
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
    close: async (): Promise<void> => {
      await server.drain(DRAIN_TIMEOUT);
      authenticator.close();
    },
  };
}
