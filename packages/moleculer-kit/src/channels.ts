import type { ServiceBroker } from "moleculer";
import {
  type Channels,
  type ChannelsReport,
  createClusterSecret,
  type DocumentStore,
  openChannels as openDurableChannels,
  formatReason,
  RETENTION_MS,
} from "@partline/durable";
import { getMetrics } from "./metrics/metrics.ts";
import { createThrottledWarning } from "./logging.ts";
import type { DurableEvents } from "@partline/api-contracts";

interface ChannelSettings {
  natsUrl?: string | undefined;
  namespace: string;
  clusterSecrets: Parameters<typeof createClusterSecret>[0];
}

/** Opens the durable channels of a process: over NATS if it is set, else over the store. */
export function openChannels(
  broker: ServiceBroker,
  documents: DocumentStore,
  { natsUrl, namespace, clusterSecrets }: ChannelSettings,
  events: DurableEvents,
): Promise<Channels> {
  const getRetentionMs = (channel: string): number => events.get(channel)?.keptMs ?? RETENTION_MS;
  return openDurableChannels(
    { documents, report: reportTo(broker), keptMs: getRetentionMs },
    natsUrl === undefined
      ? undefined
      : {
          servers: natsUrl,
          namespace,
          secret: createClusterSecret(clusterSecrets, namespace, "events"),
          clientName: `channels of ${broker.nodeID}`,
        },
  );
}

const MEANING = {
  "comes back": { level: "warn", message: "Consumer failed, the event comes back" },
  "dead letter": { level: "error", message: "Event is a dead letter" },
} as const;

function reportTo(broker: ServiceBroker): ChannelsReport {
  const logger = broker.getLogger("channels");
  const { deliveryFailures } = getMetrics(broker);
  return {
    stuck: createThrottledWarning(logger, "Events wait: the store or the broker does not take or give them"),
    onOtherStream: (name) => {
      logger.warn(
        `The stream ${name} is not the one that had this store's events; all events that are kept go to it. If NATS was not recreated, processes over this store differ in NATS_URL: stop those with the wrong one`,
      );
    },
    unsigned: createThrottledWarning(
      logger,
      "An event in the stream is not taken: a process has another CLUSTER_SECRET, or somebody else is there",
    ),
    onUnreadable: (message) =>
      logger.warn(message, "A message in the stream is not an event of Partline: it is passed over"),
    onFailed: ({ channel, group, eventId, attempts, outcome }, error) => {
      const { level, message } = MEANING[outcome];
      deliveryFailures.inc({ channel, group, outcome: outcome.replaceAll(" ", "_") });
      logger[level]({ channel, group, event_id: eventId, attempts, error: formatReason(error) }, message);
    },
  };
}
