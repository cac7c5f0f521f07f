import type { ServiceBroker } from "moleculer";
import { waitAtMost, type Tracer } from "@partline/toolkit";
import { memoizeByBroker } from "../by-broker.ts";
import type { TracingSettings } from "./opentelemetry.ts";

/** Between two lines about lost spans, milliseconds. */
const SAID_EVERY_MS = 60_000;
/** Longest flush at a stop, milliseconds. */
const FLUSH_WITHIN_MS = 3_000;

/** The tracing of a broker; it may begin later. Without a tracer nothing is traced. */
export const getTracing = memoizeByBroker((): { tracer?: Tracer } => ({}));

interface Settings {
  /** Nothing is traced without them. */
  tracing?: TracingSettings | undefined;
  version: string;
  namespace: string;
  production: boolean;
}

/** Starts tracing if the settings say so. Only here is the SDK loaded. Its stop sends the remaining spans. */
export async function startTracing(
  broker: ServiceBroker,
  { tracing, version, namespace, production }: Settings,
): Promise<{ stop(): Promise<void> }> {
  if (!tracing) return { stop: async () => undefined };
  const { openTracing } = await import("./opentelemetry.ts");
  const logger = broker.getLogger("tracing");
  const lastWarning = { at: -Infinity, lost: 0 };
  const { tracer, close } = openTracing(tracing, {
    attributes: {
      "service.version": version,
      "service.namespace": namespace,
      "service.instance.id": broker.nodeID,
      "deployment.environment.name": production ? "production" : "development",
    },
    onLost: (spans, reason) => {
      lastWarning.lost += spans;
      if (performance.now() - lastWarning.at < SAID_EVERY_MS) return;
      logger.warn({ spans: lastWarning.lost, reason }, "Spans could not be sent and are lost");
      Object.assign(lastWarning, { at: performance.now(), lost: 0 });
    },
  });
  getTracing(broker).tracer = tracer;
  return {
    stop: async () => {
      delete getTracing(broker).tracer;
      await waitAtMost(close(), FLUSH_WITHIN_MS);
    },
  };
}
