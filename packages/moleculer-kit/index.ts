export { attachFacts, createAdmissionMiddleware } from "./src/admission.ts";
export { memoizeByBroker } from "./src/by-broker.ts";
export { ChooseNode } from "./src/calls/choose-node.ts";
export { createDeadlineMiddleware, getRemainingMs } from "./src/calls/deadline.ts";
export { createFailureDetectorMiddleware, getFailureDetector, type Repeatable } from "./src/calls/failure-detector.ts";
export { createRepeatElsewhereMiddleware } from "./src/calls/repeat-elsewhere.ts";
export { createStandstillMiddleware } from "./src/calls/standstill.ts";
export { createStreamsMiddleware, TAKEN_EVENT, takenRules } from "./src/calls/streams.ts";
export { openChannels } from "./src/channels.ts";
export { watchHandler } from "./src/handling.ts";
export { createInFlightMiddleware, getInFlight } from "./src/in-flight.ts";
export {
  type Alias,
  findTransit,
  getInternals,
  getRegistry,
  listEndpoints,
  toMiddleware,
  type WebInternals,
} from "./src/internals.ts";
export { LazyValidator } from "./src/lazy-validator.ts";
export { announceLeaving, LONGEST_CALLS_MS, waitUntilIdle } from "./src/leave-cluster.ts";
export { createLoggerOptions, createThrottledWarning, getScopeFields } from "./src/logging.ts";
export {
  getMetrics,
  HTTP_SECONDS,
  Metrics,
  type ReadinessProbe,
  scrape,
  toKnownMethod,
} from "./src/metrics/metrics.ts";
export { createMetricsMiddleware } from "./src/metrics/middleware.ts";
export { watchProvider } from "./src/metrics/providers.ts";
export { readMetric, shareRunning } from "./src/metrics/read-metric.ts";
export { createNatsRefusalsMiddleware, getMaxListedBytes, reachNats } from "./src/nats-connection.ts";
export { createOnceMiddleware, type OnceRequest, RUNS } from "./src/once.ts";
export { connectToProcess, listenForRepls, SocketTransporter, withSocketAddress } from "./src/repl-socket.ts";
export { PacketSerializer } from "./src/serializer.ts";
export { createReplayGuard, createSignedPacketsMiddleware } from "./src/signed-packets.ts";
export { getSlowLimit, SlowCalls, USUAL_TIMEOUT_MS } from "./src/slow-calls.ts";
export { startBeforeStop } from "./src/start-before-stop.ts";
export { openTasks } from "./src/tasks.ts";
export { createTracingMiddleware } from "./src/tracing/middleware.ts";
export type { SamplerName } from "./src/tracing/opentelemetry.ts";
export { getTracing, startTracing } from "./src/tracing/tracer.ts";
export { type CallOrigin, createTypedCall } from "./src/typed-call.ts";
