import type { ServiceBroker } from "moleculer";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { metricsOf } from "../metrics/metrics.ts";
import type { Settings } from "../settings.ts";
import { JetStreamChannels } from "./jetstream/jetstream-channels.ts";
import type { Channels } from "./port.ts";
import { reasonOf } from "./redelivery.ts";
import type { ChannelsReport } from "./report.ts";
import { StoredChannels } from "./stored/stored-channels.ts";

/** The durable channels of a process: over NATS where there is one, else over the store. What fails in them is logged and tried again. */
export function openChannels(
  broker: ServiceBroker,
  documents: DocumentStore,
  { natsUrl, namespace }: Pick<Settings, "natsUrl" | "namespace">,
): Channels {
  const report = reportTo(broker);
  if (natsUrl === undefined) return new StoredChannels({ documents, report });
  return new JetStreamChannels({
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
  "dead letter refused": {
    level: "error",
    message: "A dead letter could not be written down, so its event comes back",
  },
} as const;

/** What goes on failing for the same reason is said once in so long. */
const SAID_EVERY_MS = 10_000;

function reportTo(broker: ServiceBroker): ChannelsReport {
  const logger = broker.getLogger("channels");
  const { failures } = metricsOf(broker).channels;
  const said = { reason: "", at: -Infinity };
  return {
    stuck: (error) => {
      const reason = reasonOf(error);
      if (reason === said.reason && performance.now() - said.at < SAID_EVERY_MS) return;
      Object.assign(said, { reason, at: performance.now() });
      logger.warn("Events wait: the store or the broker does not take or give them", error);
    },
    otherStream: (name) => {
      logger.warn(
        `The stream ${name} is another than the one that had this store's events, and gets all that is kept of them. If NATS was not made anew, not all processes over this store have the same NATS_URL: stop those that do not`,
      );
    },
    failed: ({ channel, group, eventId, attempts, outcome }, error) => {
      const { level, message } = MEANING[outcome];
      failures.add({ channel, group, outcome: outcome.replaceAll(" ", "_") });
      logger[level]({ channel, group, event_id: eventId, attempts, error: reasonOf(error) }, message);
    },
  };
}
