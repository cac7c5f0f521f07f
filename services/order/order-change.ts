import type { AtomicWrite } from "@partline/durable";
import type { Events } from "../contracts.ts";
import type { OrderDocument } from "./collections.ts";
import type { orderEvents } from "./events.ts";

export type Channel = keyof typeof orderEvents;

/** Fields of every event of a change, which follow from the order before and after it. */
type Facts = "orderId" | "version" | "actor" | "from" | "to" | "toShip" | "amount" | "disputedAmount";

/** Fields of an event that a decision gives: all but those fields; none of order.created, which has the whole order. */
type EventFields = { "order.created": unknown } & {
  [C in Exclude<Channel, "order.created">]: Omit<Events[C], Facts>;
};

export type OrderEvent<C extends Channel = Channel> = {
  [K in C]: { channel: K } & EventFields[K];
}[C];

/**
 * Change that a decision writes. With an event it is visible and makes a new version (order.created, written with the
 * order, is the event of version 1); without one it only records what is under way.
 */
export interface Change {
  order: OrderDocument;
  actor: string;
  event?: OrderEvent;
  /** Writes in the same batch. */
  also?: AtomicWrite[];
}

/** Returns a change of which no more is said than which fields it sets. */
export function recordFields(order: OrderDocument, actor: string, ...changedFields: string[]): Change {
  return { order, actor, event: { channel: "order.updated", changed: changedFields } };
}
