import type { ServiceBroker, ServiceSchema } from "moleculer";
import { formatReason } from "@partline/durable";
import { isApp, type EntryPoint, type ServiceContract } from "../../broker/contract/define.ts";
import { LONGEST_CALLS_MS, getMetrics, scrape, SlowCalls } from "@partline/moleculer-kit";
import { getRuntime } from "../../broker/runtime.ts";
import { getTelemetry } from "../../broker/telemetry/telemetry.ts";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { CHANNELS, contracts as allContracts } from "../../services/all-contracts.ts";
import { createEventPages } from "../docs/asyncapi/pages.ts";
import { getAuthenticator } from "../auth/authenticator.ts";
import { createPageAccess } from "../auth/page-access.ts";
import {
  createClientAddress,
  createCors,
  createEdgeServer,
  createEventStreams,
  createRateLimiter,
} from "@partline/http-edge";
import { createRateLimitStore } from "./rate-limit.ts";
import { CORS_HEADERS } from "./cors.ts";
import { createDocumentPages } from "../docs/docs-pages.ts";
import { createEdge } from "./edge.ts";
import { resolvePhase, type Phase } from "./health-checks.ts";
import { createHealth } from "./health.ts";
import { openApiDocument } from "../docs/openapi/document.ts";
import { createMcpPage, MCP_LIMIT } from "../mcp/page.ts";
import { createHealthPages, createMetricsPage } from "./pages.ts";
import { createGuestLimiter, getGuestBudget } from "./guest-storage.ts";
import {
  endRequestSpan,
  requestLog,
  createRequestMetrics,
  requestSpans,
  createSlowRequestObserver,
} from "./observers.ts";
import { createRouter } from "./router.ts";
import { createRouteTable } from "./routes.ts";
import { createWebApp } from "./web/web-app.ts";
import { createWebService } from "./web-service.ts";

/**
 * The service of an entry point: an HTTP server on its own port with the routes of the contracts. Stopping it drains
 * it: /health/ready turns 503, nothing new is accepted, begun requests are answered.
 * @throws at start, an Error with code PORT_TAKEN
 */
export function createEntryPointService(
  broker: ServiceBroker,
  entry: EntryPoint,
  contracts: readonly ServiceContract[] = allContracts,
): ServiceSchema {
  const runtime = getRuntime(broker);
  const { settings } = runtime;
  const metrics = getMetrics(broker);
  const logger = broker.getLogger(`http-${entry}`);
  const table = createRouteTable(contracts, entry);
  const authenticator = getAuthenticator(broker);
  const getClientAddress = createClientAddress(settings.trustedProxies);
  const { rateLimit } = settings;
  const createRateLimitWindows = (name: string) => createRateLimitStore(broker, entry, name, settings);
  const eventStreams = createEventStreams(logger);
  const cut = new AbortController();
  const web = isApp(entry) ? createWebApp(entry, settings, authenticator, logger, broker) : undefined;
  let phase: Phase = "starting";
  const getPhase = (): Phase => (phase === "running" ? resolvePhase(broker, runtime) : phase);
  const health = createHealth({ broker, runtime, table, contracts, phase: getPhase });
  getTelemetry(broker).watch(entry, health.look);
  metrics.readiness.set(entry, health.look);
  const limitGuest = createGuestLimiter(getGuestBudget(broker, settings), getClientAddress, settings.guestStorageMb);
  const { schema, callRoute } = createWebService({
    broker,
    table,
    authenticator,
    limitGuest,
    clientOf: getClientAddress,
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
    },
  });
  const limiter =
    rateLimit &&
    createRateLimiter(
      rateLimit,
      createRateLimitWindows(`${rateLimit.requests}/${rateLimit.seconds}`),
      getClientAddress,
    );
  const handler = createEdge({
    match: createRouter(table),
    pages: new Map([
      ...createHealthPages(health),
      ...createDocumentPages(entry, () => openApiDocument({ table, contracts, settings })),
      ...createEventPages(entry, CHANNELS, settings),
      createMetricsPage(() => scrape(broker)),
      ...(web?.pages ?? []),
    ]),
    appPage: web?.page,
    applySession: web?.session.apply,
    callRoute,
    authorizePage: createPageAccess({ broker, authenticator, clientOf: getClientAddress, entry }),
    limit: limiter && (web ? web.countOnce(limiter) : limiter),
    cors: settings.corsOrigins.length > 0 ? createCors(settings.corsOrigins, CORS_HEADERS) : undefined,
    mcp:
      entry === "ai"
        ? createMcpPage({
            broker,
            settings,
            limit: createRateLimiter(MCP_LIMIT, createRateLimitWindows("mcp"), getClientAddress),
            clientOf: getClientAddress,
            limitGuest,
            onFailure: (error) => logger.error({ error: formatReason(error) }, "A tool failed"),
          })
        : undefined,
    observers: [
      requestLog(logger, settings),
      createRequestMetrics(entry, metrics),
      createSlowRequestObserver(new SlowCalls(logger), settings.slowCallMs),
      endRequestSpan,
    ],
    beginSpan: requestSpans(broker, entry),
    logger,
  });
  const server = createEdgeServer({
    host: settings.host,
    port: settings.ports[entry],
    setting: toPortSetting(entry),
    isLeaving: () => runtime.draining === true,
    handler,
    warn: (message) => logger.warn(message),
  });
  return schema;
}
