import type { ChannelEvent } from "../../broker/channels/port.ts";
import type { NewEvent } from "../../mixins/event-log/port.ts";
import type { Events } from "../contracts.ts";

/** The events of the log that an event of a durable channel becomes. */

export function orderEvents(event: ChannelEvent): NewEvent[] {
  return [eventOf(event, "order", event.payload.orderId as string)];
}

export function vendorEvents(event: ChannelEvent): NewEvent[] {
  const { vendor } = event.payload as Events["catalog.synced"];
  return [eventOf(event, "vendor", `vendor_${vendor}`)];
}

/** Each of the searches that one event carries is a stream of its own: nothing more happens to it. */
export function searchEvents({ event_id, channel, payload }: ChannelEvent): NewEvent[] {
  const { searches } = payload as Events["search.performed"];
  return searches.map(({ searched_at, ...data }, index) => {
    const id = `${event_id}-${index}`;
    return {
      event_id: id, aggregate_id: `search_${id}`, aggregate_type: "search", event_type: eventTypeOf(channel), data, timestamp: new Date(searched_at),
    };
  });
}

function eventOf({ event_id, channel, occurred_at, payload }: ChannelEvent, aggregate_type: string, aggregate_id: string): NewEvent {
  return { event_id, aggregate_id, aggregate_type, event_type: eventTypeOf(channel), data: payload, timestamp: occurred_at };
}

/** The channel's name in upper snake case. */
function eventTypeOf(channel: string): string {
  return channel.replaceAll(".", "_").toUpperCase();
}
