import type { Middleware, Service, ServiceBroker } from "moleculer";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { metricsOf } from "../metrics/metrics.ts";
import { serviceRuntimeOf } from "../runtime.ts";
import type { Settings } from "../settings.ts";
import { throttledWarning } from "../throttled-warning.ts";
import { watched } from "./handling.ts";
import type { ChannelHandlers, Channels } from "./port.ts";
import { reasonOf } from "./redelivery.ts";
import type { ChannelsReport } from "./report.ts";
import { createStoredChannels } from "./stored/stored-channels.ts";

/**
 * Opens the durable channels of a process: over NATS if it is set, else over the store. Failures are logged and tried
 * again.
 */
export async function openChannels(
  broker: ServiceBroker,
  documents: DocumentStore,
  { natsUrl, namespace }: Pick<Settings, "natsUrl" | "namespace">,
): Promise<Channels> {
  const report = reportTo(broker);
  if (natsUrl === undefined) return createStoredChannels({ documents, report });
  // Loaded on demand: a process without NATS has no client for it.
  const { createJetStreamChannels } = await import("./jetstream/jetstream-channels.ts");
  return createJetStreamChannels({
    documents,
    report,
    servers: natsUrl,
    namespace,
    clientName: `channels of ${broker.nodeID}`,
  });
}

const MEANING = {
  "comes back": { level: "warn", message: "Consumer failed, the event comes back" },
  "dead letter": { level: "error", message: "Event is a dead letter" },
} as const;

function reportTo(broker: ServiceBroker): ChannelsReport {
  const logger = broker.getLogger("channels");
  const { deliveryFailures } = metricsOf(broker);
  return {
    stuck: throttledWarning(logger, "Events wait: the store or the broker does not take or give them"),
    otherStream: (name) => {
      logger.warn(
        `The stream ${name} is another than the one that had this store's events, and gets all that is kept of them. If NATS was not made anew, not all processes over this store have the same NATS_URL: stop those that do not`,
      );
    },
    unreadable: (message) =>
      logger.warn(message, "A message in the stream is not an event of Partline: it is passed over"),
    failed: ({ channel, group, eventId, attempts, outcome }, error) => {
      const { level, message } = MEANING[outcome];
      deliveryFailures.inc({ channel, group, outcome: outcome.replaceAll(" ", "_") });
      logger[level]({ channel, group, event_id: eventId, attempts, error: reasonOf(error) }, message);
    },
  };
}

/** Subscribes a service schema's `channels` before it starts. */
export function channelsMiddleware(): Middleware {
  return {
    name: "DurableChannels",
    serviceCreated(service: Service) {
      const handlers = Object.entries((service.schema as { channels?: ChannelHandlers }).channels ?? {});
      if (handlers.length === 0) return;
      const broker = service.broker;
      const { channels } = serviceRuntimeOf(broker);
      for (const [channel, handler] of handlers)
        if (handler) channels.subscribe(channel, watched(broker, channel, handler));
    },
  };
}
