import type { ServiceBroker } from "moleculer";
import type { Channels } from "../channels/port.ts";
import { Family } from "./exposition.ts";

/** Packets and bytes over the transporter. */
export class TransporterCounters {
  sent = { packets: 0, bytes: 0 };
  received = { packets: 0, bytes: 0 };

  families(): Family[] {
    const packets = (direction: "sent" | "received"): Family[] => [
      new Family(`moleculer_transporter_packets_${direction}_total`, "counter", `Packets ${direction}`).add(this[direction].packets),
      new Family(`moleculer_transporter_packets_${direction}_bytes_total`, "counter", `Bytes ${direction}`).add(this[direction].bytes),
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
    new Family("moleculer_registry_services", "gauge", "Services on all nodes").add(services.services.length),
    new Family("moleculer_registry_actions", "gauge", "Actions on all nodes").add(actions.actions.size),
  ];
}

/** How much waits in the durable channels. The store may be down while we are asked: then there is nothing to say. */
export async function channelFamilies(channels: Channels, onError: (error: unknown) => void): Promise<Family[]> {
  try {
    const [{ outbox, pending, dead, oldestAgeMs, outboxAgeMs }, queues] = await Promise.all([channels.depth(), channels.queues()]);
    const byGroup = new Family("partline_channel_group_pending_events", "gauge", "Events that wait for a consumer group, those in a handler included");
    for (const { channel, group, pending: waiting } of queues) byGroup.add(waiting, { channel, group });
    return [
      byGroup,
      new Family("partline_channel_outbox_oldest_event_age_seconds", "gauge", "Age of the oldest event that is not relayed yet").add(outboxAgeMs / 1_000),
      new Family("partline_channel_outbox_events", "gauge", "Events that are not relayed yet").add(outbox),
      new Family("partline_channel_pending_events", "gauge", "Events that wait for a consumer group").add(pending),
      new Family("partline_channel_dead_letters", "gauge", "Events that were given up, for an operator to look at").add(dead),
      new Family("partline_channel_oldest_event_age_seconds", "gauge", "Age of the oldest event that waits").add(oldestAgeMs / 1_000),
    ];
  } catch (error) {
    onError(error);
    return [];
  }
}
