import type { ServiceBroker, ServiceSchema } from "moleculer";
import { reasonOf } from "@partline/durable";
import { isApp, type EntryPoint, type ServiceContract } from "../../broker/contract/define.ts";
import { LONGEST_CALLS_MS } from "../../broker/leave-cluster.ts";
import { metricsOf, scrape } from "../../broker/metrics/metrics.ts";
import { runtimeOf } from "../../broker/runtime.ts";
import { SlowCalls } from "../../broker/slow-calls.ts";
import { telemetryOf } from "../../broker/telemetry/telemetry.ts";
import { portSetting } from "../../broker/settings/addresses.ts";
import { CHANNELS, contracts as allContracts } from "../../services/all-contracts.ts";
import { eventPages } from "../docs/asyncapi/pages.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { createPageAccess } from "../auth/page-access.ts";
import { keyFinder } from "../auth/known-keys.ts";
import { createClientAddress } from "./client-address.ts";
import { createCors } from "./cors.ts";
import { documentPages } from "../docs/docs-pages.ts";
import { createEdge } from "./edge.ts";
import { createEventStreams } from "./event-stream.ts";
import { phaseOf, type Phase } from "./health-checks.ts";
import { createHealth } from "./health.ts";
import { openApiDocument } from "../docs/openapi/document.ts";
import { createMcpPage, MCP_LIMIT } from "../mcp/page.ts";
import { healthPages, metricsPage } from "./pages.ts";
import { createGuestLimiter, guestBudget } from "./guest-storage.ts";
import { createRateLimiter, createRateLimitStore } from "./rate-limit.ts";
import { endRequestSpan, requestLog, requestMetrics, requestSpans, slowRequests } from "./observers.ts";
import { createRouter } from "./router.ts";
import { routeTable } from "./routes.ts";
import { createEdgeServer } from "./server.ts";
import { createWebApp } from "./web/web-app.ts";
import { createWebService } from "./web-service.ts";

/**
 * The service of an entry point: an HTTP server on its own port with the routes of the contracts. Stopping it drains
 * it: /health/ready turns 503, nothing new is accepted, begun requests are answered.
 * @throws at start, an Error with code PORT_TAKEN
 */
export function entryPointService(
  broker: ServiceBroker,
  entry: EntryPoint,
  contracts: readonly ServiceContract[] = allContracts,
): ServiceSchema {
  const runtime = runtimeOf(broker);
  const { settings } = runtime;
  const metrics = metricsOf(broker);
  const logger = broker.getLogger(`http-${entry}`);
  const table = routeTable(contracts, entry);
  const authenticator = createAuthenticator(settings, { logger, findKey: keyFinder(broker) });
  const clientOf = createClientAddress(settings.trustedProxies);
  const { rateLimit } = settings;
  const windowsOf = (name: string) => createRateLimitStore(broker, entry, name, settings);
  const eventStreams = createEventStreams(logger);
  const cut = new AbortController();
  const web = isApp(entry) ? createWebApp(entry, settings, authenticator, logger) : undefined;
  let phase: Phase = "starting";
  const phaseNow = (): Phase => (phase === "running" ? phaseOf(broker, runtime) : phase);
  const health = createHealth({ broker, runtime, table, contracts, phase: phaseNow });
  telemetryOf(broker).watch(entry, health.look);
  metrics.readiness.set(entry, health.look);
  const limitGuest = createGuestLimiter(guestBudget(broker, settings), clientOf, settings.guestStorageMb);
  const { schema, callRoute } = createWebService({
    broker,
    table,
    authenticator,
    limitGuest,
    clientOf,
    eventStreams,
    cut: cut.signal,
    started: async () => {
      await web?.ready;
      await server.listen();
      phase = "running";
    },
    stopped: async () => {
      phase = "draining";
      eventStreams.end();
      await server.drain(LONGEST_CALLS_MS, () => cut.abort());
      authenticator.close();
    },
  });
  const limiter =
    rateLimit && createRateLimiter(rateLimit, windowsOf(`${rateLimit.requests}/${rateLimit.seconds}`), clientOf);
  const handler = createEdge({
    match: createRouter(table),
    pages: new Map([
      ...healthPages(health),
      ...documentPages(entry, () => openApiDocument({ table, contracts, settings })),
      ...eventPages(entry, CHANNELS, settings),
      metricsPage(() => scrape(broker)),
      ...(web?.pages ?? []),
    ]),
    appPage: web?.page,
    applySession: web?.session.apply,
    callRoute,
    authorizePage: createPageAccess({ broker, authenticator, clientOf, entry }),
    limit: limiter && (web ? web.countedOnce(limiter) : limiter),
    cors: settings.corsOrigins.length > 0 ? createCors(settings.corsOrigins) : undefined,
    mcp:
      entry === "ai"
        ? createMcpPage({
            broker,
            settings,
            limit: createRateLimiter(MCP_LIMIT, windowsOf("mcp"), clientOf),
            clientOf,
            limitGuest,
            onFailure: (error) => logger.error({ error: reasonOf(error) }, "A tool failed"),
          })
        : undefined,
    observers: [
      requestLog(logger, settings),
      requestMetrics(entry, metrics),
      slowRequests(new SlowCalls(logger), settings.slowCallMs),
      endRequestSpan,
    ],
    beginSpan: requestSpans(broker, entry),
    logger,
  });
  const server = createEdgeServer({
    host: settings.host,
    port: settings.ports[entry],
    setting: portSetting(entry),
    isLeaving: () => runtime.draining === true,
    handler,
    warn: (message) => logger.warn(message),
  });
  return schema;
}
