import type { ServiceBroker } from "moleculer";
import { failureDetectorOf } from "../calls/failure-detector.ts";
import { withinTime } from "../../mixins/within-time.ts";
import type { Channels } from "../channels/port.ts";
import { LONGEST_LOOK } from "../longest-look.ts";
import { Family } from "./exposition.ts";

/** Packets and bytes over the transporter. */
export class TransporterCounters {
  sent = { packets: 0, bytes: 0 };
  received = { packets: 0, bytes: 0 };

  families(): Family[] {
    const packets = (direction: "sent" | "received"): Family[] => [
      new Family(`moleculer_transporter_packets_${direction}_total`, "counter", `Packets ${direction}`).add(
        this[direction].packets,
      ),
      new Family(`moleculer_transporter_packets_${direction}_bytes_total`, "counter", `Bytes ${direction}`).add(
        this[direction].bytes,
      ),
    ];
    return [...packets("sent"), ...packets("received")];
  }
}

/** What this node knows of the cluster. */
export function registryFamilies(broker: ServiceBroker): Family[] {
  const { nodes, services, actions } = broker.registry;
  return [
    new Family("moleculer_registry_nodes", "gauge", "Nodes that this node knows, itself included").add(nodes.count()),
    new Family("moleculer_registry_nodes_online", "gauge", "Nodes that are there").add(nodes.onlineCount()),
    new Family(
      "partline_cluster_suspected_nodes",
      "gauge",
      "Nodes that do not answer, in whose place others are called",
    ).add(failureDetectorOf(broker).suspects),
    new Family("moleculer_registry_services", "gauge", "Services on all nodes").add(services.services.length),
    new Family("moleculer_registry_actions", "gauge", "Actions on all nodes").add(actions.actions.size),
  ];
}

/** How much waits in the durable channels. What cannot be told while the store or NATS is away is left out: it is not 0. */
export async function channelFamilies(channels: Channels, onError: (error: unknown) => void): Promise<Family[]> {
  const told = async <T>(answer: Promise<T>): Promise<T | undefined> => {
    try {
      return await withinTime(answer, LONGEST_LOOK, () => undefined);
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
  const [ours, queues, all] = await Promise.all([
    told(channels.outboxDepth()),
    told(channels.queues()),
    told(channels.depth()),
  ]);
  const isUp = new Family("partline_channels_up", "gauge", "Whether it can be told what waits for consumer groups").add(
    queues ? 1 : 0,
    { backend: channels.backend },
  );
  const byGroup = new Family(
    "partline_channel_group_pending_events",
    "gauge",
    "Events that wait for a consumer group, those in a handler included",
  );
  for (const { channel, group, pending } of queues ?? []) byGroup.add(pending, { channel, group });
  const ofOutbox = ours && [
    new Family(
      "partline_channel_outbox_oldest_event_age_seconds",
      "gauge",
      "Age of the oldest event that is not relayed yet",
    ).add(ours.outboxAgeMs / 1_000),
    new Family("partline_channel_outbox_events", "gauge", "Events that are not relayed yet").add(ours.outbox),
  ];
  const ofAll = all && [
    new Family("partline_channel_pending_events", "gauge", "Events that wait for a consumer group").add(all.pending),
    new Family("partline_channel_dead_letters", "gauge", "Events that were given up, for an operator to look at").add(
      all.dead,
    ),
    new Family("partline_channel_oldest_event_age_seconds", "gauge", "Age of the oldest event that waits").add(
      all.oldestAgeMs / 1_000,
    ),
  ];
  return [isUp, byGroup, ...(ofOutbox ?? []), ...(ofAll ?? [])];
}
