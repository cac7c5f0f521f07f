import type { ServiceBroker } from "moleculer";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import type { Channels } from "./port.ts";
import { StoredChannels } from "./stored/stored-channels.ts";

/** The durable channels of a process; what fails in them is logged and tried again. */
export function openChannels(broker: ServiceBroker, documents: DocumentStore): Channels {
  const logger = broker.getLogger("channels");
  return new StoredChannels({
    documents,
    report: {
      stuck: (error) => logger.warn("Events wait: the store does not answer", error),
      failed: ({ channel, group, eventId, attempts, dead }, error) =>
        logger[dead ? "error" : "warn"](
          { channel, group, event_id: eventId, attempts, error: error instanceof Error ? error.message : String(error) },
          dead ? "Event is a dead letter" : "Consumer failed, the event comes back",
        ),
    },
  });
}
