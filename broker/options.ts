import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions, Strategies } from "moleculer";
import { VALIDATOR_OPTIONS } from "./contract/validator.ts";
import { ChooseNode } from "./calls/choose-node.ts";
import { deadlineMiddleware } from "./calls/deadline.ts";
import { failureDetectorMiddleware } from "./calls/failure-detector.ts";
import { repeatElsewhereMiddleware } from "./calls/repeat-elsewhere.ts";
import { standstillMiddleware } from "./calls/standstill.ts";
import { streamsMiddleware } from "./calls/streams.ts";
import { admissionMiddleware } from "./cluster/admission.ts";
import { channelsMiddleware } from "./channels/middleware.ts";
import { inFlightMiddleware } from "./in-flight.ts";
import { loggerOptions } from "./logging.ts";
import { metricsMiddleware } from "./metrics/middleware.ts";
import { natsRefusalsMiddleware } from "./nats-connection.ts";
import { natsServers, STAY_CONNECTED } from "./nats-servers.ts";
import { redisMiddleware } from "./redis.ts";
import type { SocketTransporter } from "./repl-socket/client.ts";
import { PacketSerializer } from "./serializer.ts";
import { tasksMiddleware } from "./tasks/open.ts";
import { telemetryMiddleware } from "./telemetry/telemetry.ts";
import { tracingMiddleware } from "./tracing/middleware.ts";
import type { Settings } from "./settings.ts";
import { USUAL_TIMEOUT_MS } from "./slow-calls.ts";
import { startBeforeStop } from "./start-before-stop.ts";

/**
 * Moleculer's options; the comments say why a default was changed.
 * @param joined what joins the broker to a process without NATS
 */
export function brokerOptions(settings: Settings, joined: SocketTransporter | null = null): BrokerOptions {
  return {
    namespace: settings.namespace,
    // Never used twice. A container that starts again keeps its host's name and mostly its pid; by the same id the
    // others would take it for the node that was killed, and wait on for what that one owes them.
    nodeID: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    // Each broker's own: what it tells the other nodes of itself is written there.
    metadata: {},
    logger: loggerOptions(settings),
    transporter: settings.natsUrl
      ? { type: "NATS", options: { ...natsServers(settings.natsUrl), ...STAY_CONNECTED } }
      : joined,
    // Dates and Buffers survive the way to another node; plain JSON loses them.
    serializer: new PacketSerializer(),
    // Without it a local callee could change its caller's objects, which a remote one cannot.
    contextParamsCloning: true,
    // The default waits forever.
    requestTimeout: USUAL_TIMEOUT_MS,
    // A loop of calls ends.
    maxCallLevel: 20,
    // A node that stops finishes what it has begun; the default rejects it.
    tracking: { enabled: true, shutdownTimeout: 10_000 },
    heartbeatInterval: 5,
    heartbeatTimeout: 15,
    // Moleculer's own retries begin after the time is over, and take it a second time (calls/repeat-elsewhere.ts does
    // not).
    retryPolicy: { enabled: false },
    registry: { strategy: ChooseNode as unknown as typeof Strategies.Base },
    validator: { type: "Fastest", options: VALIDATOR_OPTIONS } as BrokerOptions["validator"],
    middlewares: [
      admissionMiddleware(),
      startBeforeStop(),
      inFlightMiddleware(),
      failureDetectorMiddleware(),
      standstillMiddleware(),
      streamsMiddleware(),
      repeatElsewhereMiddleware(),
      deadlineMiddleware(),
      channelsMiddleware(),
      tasksMiddleware(),
      redisMiddleware(settings),
      metricsMiddleware(settings),
      tracingMiddleware(),
      telemetryMiddleware(),
      natsRefusalsMiddleware(),
    ],
    // Brokers of tests and REPLs leave the signals alone; moleculer.config.ts does not.
    skipProcessEventRegistration: true,
  };
}
