import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions, Strategies } from "moleculer";
import {
  LazyValidator,
  ChooseNode,
  createFailureDetectorMiddleware,
  createDeadlineMiddleware,
  createRepeatElsewhereMiddleware,
  createStandstillMiddleware,
  createStreamsMiddleware,
  createAdmissionMiddleware,
  createSignedPacketsMiddleware,
  createInFlightMiddleware,
  createLoggerOptions,
  createMetricsMiddleware,
  createNatsRefusalsMiddleware,
  type SocketTransporter,
  PacketSerializer,
  createTracingMiddleware,
  USUAL_TIMEOUT_MS,
  startBeforeStop,
  createOnceMiddleware,
} from "@partline/moleculer-kit";
import { createClusterSecret, parseNatsServers, STAY_CONNECTED } from "@partline/durable";
import { createRedisMiddleware } from "./redis.ts";
import { createTelemetryMiddleware } from "./telemetry/telemetry.ts";
import { findDifferences } from "./cluster/facts.ts";
import { ERROR_CATALOGUE, errorCode } from "../mixins/errors.ts";
import { getRuntime, getServiceRuntime } from "./runtime.ts";
import type { Settings } from "./settings.ts";
import { SettingsError } from "./settings/reader.ts";

/** Moleculer's options, with reasons for changed defaults. @param joined joins the broker to a process without NATS */
export function createBrokerOptions(settings: Settings, joined: SocketTransporter | null = null): BrokerOptions {
  return {
    namespace: settings.namespace,
    // Never used twice. A restarted container has its old host name and usually its pid; under the same id the others
    // would wait for answers of the killed node.
    nodeID: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    // Each broker's own: it is written to.
    metadata: {},
    logger: createLoggerOptions(settings),
    transporter: settings.natsUrl
      ? { type: "NATS", options: { ...parseNatsServers(settings.natsUrl), ...STAY_CONNECTED } }
      : joined,
    // Dates and Buffers survive; plain JSON loses them.
    serializer: new PacketSerializer(),
    // Otherwise a local callee could change its caller's objects.
    contextParamsCloning: true,
    // The default waits for ever.
    requestTimeout: USUAL_TIMEOUT_MS,
    // Ends a loop of calls.
    maxCallLevel: 20,
    // A stopping node finishes what it has begun; the default rejects it.
    tracking: { enabled: true, shutdownTimeout: 10_000 },
    heartbeatInterval: 5,
    heartbeatTimeout: 15,
    // Moleculer's own retries begin after the time is over (calls/repeat-elsewhere.ts do not).
    retryPolicy: { enabled: false },
    registry: { strategy: ChooseNode as unknown as typeof Strategies.Base },
    validator: new LazyValidator(),
    middlewares: [
      createAdmissionMiddleware({ findDifferences, createRefusal: (text) => new SettingsError(text) }),
      startBeforeStop(),
      createInFlightMiddleware(),
      createFailureDetectorMiddleware(),
      createStandstillMiddleware(),
      createStreamsMiddleware(),
      createRepeatElsewhereMiddleware(isFinal),
      createDeadlineMiddleware(),
      createOnceMiddleware({ getDocuments: (broker) => getServiceRuntime(broker).documents, findCode: errorCode }),
      createRedisMiddleware(),
      createMetricsMiddleware(settings, getRuntime),
      createTracingMiddleware(),
      createTelemetryMiddleware(),
      createNatsRefusalsMiddleware(),
      ...(settings.natsUrl === undefined
        ? []
        : [createSignedPacketsMiddleware(createClusterSecret(settings.clusterSecrets, settings.namespace, "packets"))]),
    ],
    // Tests and REPLs leave the signals alone; moleculer.config.ts does not.
    skipProcessEventRegistration: true,
  };
}

/** Returns whether every node would answer the same; undefined for an error of a library. */
function isFinal(error: unknown): boolean | undefined {
  const code = errorCode(error);
  return code && !ERROR_CATALOGUE[code].retryable;
}
