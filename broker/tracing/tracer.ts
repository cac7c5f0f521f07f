import type { ServiceBroker } from "moleculer";
import { withinTime } from "../../mixins/within-time.ts";
import type { Tracer } from "../../mixins/tracing.ts";
import { perBroker } from "../per-broker.ts";
import type { Settings } from "../settings.ts";

/** Spans that cannot be sent are told of once in so long. */
const SAID_EVERY_MS = 60_000;
/** What is left is sent at a stop, for so long at most. */
const FLUSH_WITHIN_MS = 3_000;

interface Tracing {
  /** Undefined where nothing is traced. */
  tracer?: Tracer;
}

/** How a broker is traced, which may begin after it was made. */
export const tracingOf = perBroker((): Tracing => ({}));

export interface RunningTracing {
  /** Sends the spans that are left, for three seconds at most. */
  stop(): Promise<void>;
}

/** Traces what the broker does from now on, where the settings say so. The SDK is loaded here and nowhere else. */
export async function startTracing(
  broker: ServiceBroker,
  { tracing, version, namespace, production }: Settings,
): Promise<RunningTracing> {
  if (!tracing) return { stop: async () => undefined };
  const { openTracing } = await import("./opentelemetry.ts");
  const logger = broker.getLogger("tracing");
  const said = { at: -Infinity, lost: 0 };
  const { tracer, close } = openTracing(tracing, {
    attributes: {
      "service.version": version,
      "service.namespace": namespace,
      "service.instance.id": broker.nodeID,
      "deployment.environment.name": production ? "production" : "development",
    },
    onLost: (spans, reason) => {
      said.lost += spans;
      if (performance.now() - said.at < SAID_EVERY_MS) return;
      logger.warn({ spans: said.lost, reason }, "Spans could not be sent and are lost");
      Object.assign(said, { at: performance.now(), lost: 0 });
    },
  });
  tracingOf(broker).tracer = tracer;
  return {
    stop: async () => {
      delete tracingOf(broker).tracer;
      await withinTime(
        close().catch(() => undefined),
        FLUSH_WITHIN_MS,
        () => undefined,
      );
    },
  };
}
