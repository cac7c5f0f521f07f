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

/** A manual that was read or removed, under an id that no document of POST /store has by itself: those are made from what they hold. */
export function manualEvents(event: ChannelEvent): NewEvent[] {
  const { sha256 } = event.payload as Events["document.created" | "document.deleted"];
  return [eventOf(event, "document", `manual_${sha256}`)];
}

/** Each of the searches that one event carries is a stream of its own: nothing more happens to it. */
export function searchEvents({ event_id, channel, payload }: ChannelEvent): NewEvent[] {
  const { searches } = payload as Events["search.performed"];
  return searches.map(({ searched_at, ...data }, index) => {
    const id = `${event_id}-${index}`;
    return {
      event_id: id,
      aggregate_id: `search_${id}`,
      aggregate_type: "search",
      event_type: eventTypeOf(channel),
      data,
      timestamp: new Date(searched_at),
    };
  });
}

/** A cart's id is made by a client, and must not meet another aggregate's: it begins with `cart_`, by itself or here. */
export function cartEvents({ event_id, channel, payload }: ChannelEvent): NewEvent[] {
  const { carts } = payload as Events["cart.saved"];
  return carts.map(({ saved_at, ...data }, index) => ({
    event_id: `${event_id}-${index}`,
    aggregate_id: data.cartId.startsWith("cart_") ? data.cartId : `cart_${data.cartId}`,
    aggregate_type: "cart",
    event_type: eventTypeOf(channel),
    data,
    timestamp: new Date(saved_at),
  }));
}

export function checkoutEvents(event: ChannelEvent): NewEvent[] {
  const { sessionId, paymentIntentId } = event.payload as Events["checkout.started"];
  return [eventOf(event, "checkout", (sessionId ?? paymentIntentId)!)];
}

function eventOf(
  { event_id, channel, occurred_at, payload }: ChannelEvent,
  aggregate_type: string,
  aggregate_id: string,
): NewEvent {
  return {
    event_id,
    aggregate_id,
    aggregate_type,
    event_type: eventTypeOf(channel),
    data: payload,
    timestamp: occurred_at,
  };
}

/** The channel's name in upper snake case. */
function eventTypeOf(channel: string): string {
  return channel.replaceAll(".", "_").toUpperCase();
}
