import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ChannelEvent, ChannelHandler } from "../../broker/channels/port.ts";
import { implement } from "../../broker/contract/implement.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { createSequences } from "../../mixins/sequence.ts";
import { eventstoreContract } from "./contract.ts";
import { createEventLog, type NewEvent } from "./event-log.ts";

export default function eventstoreService(broker: ServiceBroker): ServiceSchema {
  const { documents } = serviceRuntimeOf(broker);
  const log = createEventLog(documents, createSequences(documents));
  const recordOrderEvents: ChannelHandler = {
    group: "eventstore",
    handler: async (event) => {
      await log.append(orderEvent(event));
    },
  };

  return implement(eventstoreContract, {
    actions: {
      append: (ctx) => log.append(ctx.params),
      async readStream(ctx) {
        const { aggregate_id, after_version, limit } = ctx.params;
        return { events: await log.readStream(aggregate_id, after_version, limit) };
      },
      async list(ctx) {
        const { aggregate_id, limit } = ctx.params;
        return { events: await log.list(aggregate_id === undefined ? {} : { aggregate_id }, limit) };
      },
    },
    channels: {
      "order.created": recordOrderEvents,
      "order.updated": recordOrderEvents,
      "order.cancelled": recordOrderEvents,
      "order.refunded": recordOrderEvents,
    },
  });
}

/** The type is the channel's name in upper snake case. */
function orderEvent({ event_id, channel, occurred_at, payload }: ChannelEvent): NewEvent {
  return {
    event_id,
    aggregate_id: payload.orderId as string,
    aggregate_type: "order",
    event_type: channel.replaceAll(".", "_").toUpperCase(),
    data: payload,
    occurred_at,
  };
}
