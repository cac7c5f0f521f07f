import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ChannelEvent, ChannelHandler } from "../../broker/channels/port.ts";
import { implement } from "../../broker/contract/implement.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { createSequences } from "../../mixins/sequence.ts";
import type { Events } from "../contracts.ts";
import { eventstoreContract } from "./contract.ts";
import { createEventLog, type NewEvent } from "./event-log.ts";

export default function eventstoreService(broker: ServiceBroker): ServiceSchema {
  const { documents } = serviceRuntimeOf(broker);
  const log = createEventLog(documents, createSequences(documents));
  const record = (toEvent: (event: ChannelEvent) => NewEvent): ChannelHandler => ({
    group: "eventstore",
    handler: async (event) => {
      await log.append(toEvent(event));
    },
  });
  const recordOrderEvents = record(orderEvent);
  const recordSearches: ChannelHandler = {
    group: "eventstore",
    handler: (event) => log.appendFirsts(searchEvents(event)),
  };

  return implement(eventstoreContract, {
    actions: {
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
      "catalog.synced": record(vendorEvent),
      "search.performed": recordSearches,
    },
  });
}

function orderEvent(event: ChannelEvent): NewEvent {
  return eventOf(event, "order", event.payload.orderId as string);
}

function vendorEvent(event: ChannelEvent): NewEvent {
  const { vendor } = event.payload as Events["catalog.synced"];
  return eventOf(event, "vendor", `vendor_${vendor}`);
}

function eventOf({ event_id, channel, occurred_at, payload }: ChannelEvent, aggregate_type: string, aggregate_id: string): NewEvent {
  return { event_id, aggregate_id, aggregate_type, event_type: eventTypeOf(channel), data: payload, occurred_at };
}

/** Each of the searches that one event carries is a stream of its own: nothing more happens to it. */
function searchEvents({ event_id, channel, payload }: ChannelEvent): NewEvent[] {
  const { searches } = payload as Events["search.performed"];
  return searches.map(({ searched_at, ...data }, index) => {
    const id = `${event_id}-${index}`;
    return {
      event_id: id, aggregate_id: `search_${id}`, aggregate_type: "search", event_type: eventTypeOf(channel), data, occurred_at: new Date(searched_at),
    };
  });
}

/** The channel's name in upper snake case. */
function eventTypeOf(channel: string): string {
  return channel.replaceAll(".", "_").toUpperCase();
}
