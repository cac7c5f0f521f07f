import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions, Strategies } from "moleculer";
import { LazyValidator } from "./contract/lazy-validator.ts";
import { ChooseNode } from "./calls/choose-node.ts";
import { createFailureDetectorMiddleware } from "./calls/failure-detector.ts";
import { createDeadlineMiddleware } from "./calls/deadline.ts";
import { createRepeatElsewhereMiddleware } from "./calls/repeat-elsewhere.ts";
import { createStandstillMiddleware } from "./calls/standstill.ts";
import { createStreamsMiddleware } from "./calls/streams.ts";
import { createAdmissionMiddleware } from "./cluster/admission.ts";
import { createClusterSecret, parseNatsServers, STAY_CONNECTED } from "@partline/durable";
import { createSignedPacketsMiddleware } from "./cluster/signed-packets.ts";
import { createInFlightMiddleware } from "./in-flight.ts";
import { createLoggerOptions } from "./logging.ts";
import { createMetricsMiddleware } from "./metrics/middleware.ts";
import { createNatsRefusalsMiddleware } from "./nats-connection.ts";
import { createOnceMiddleware } from "./once.ts";
import { createRedisMiddleware } from "./redis.ts";
import type { SocketTransporter } from "./repl-socket.ts";
import { PacketSerializer } from "./serializer.ts";
import { createTelemetryMiddleware } from "./telemetry/telemetry.ts";
import { createTracingMiddleware } from "./tracing/middleware.ts";
import type { Settings } from "./settings.ts";
import { USUAL_TIMEOUT_MS } from "./slow-calls.ts";
import { startBeforeStop } from "./start-before-stop.ts";

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
      createAdmissionMiddleware(),
      startBeforeStop(),
      createInFlightMiddleware(),
      createFailureDetectorMiddleware(),
      createStandstillMiddleware(),
      createStreamsMiddleware(),
      createRepeatElsewhereMiddleware(),
      createDeadlineMiddleware(),
      createOnceMiddleware(),
      createRedisMiddleware(),
      createMetricsMiddleware(settings),
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
