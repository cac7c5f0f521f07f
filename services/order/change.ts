import type { Events } from "../contracts.ts";
import type { OrderDocument } from "./collections.ts";
import { refundDue } from "./refund-due.ts";
import { hasUnsettled } from "./refund-ledger.ts";
import type { RefundReason } from "./resources.ts";

export type OrderEvent =
  | { channel: "order.updated"; changed: string[] }
  | { channel: "order.cancelled"; reason: RefundReason; refundId: string | null }
  | { channel: "order.refunded"; reason: RefundReason | null; refundId: string | null };

/**
 * What a decision wants written. With an event it is a change that everybody sees and makes a new version; without one
 * it only remembers what is under way.
 */
export interface Change {
  order: OrderDocument;
  actor: string;
  event?: OrderEvent;
}

/** The document that a change writes: versions counted, and no work left to resume when nothing is under way. */
export function applied(before: OrderDocument, { order, event }: Change, now: Date): OrderDocument {
  const unfinished = order.cancelling !== undefined || hasUnsettled(order);
  return {
    ...order,
    resumeAt: unfinished ? order.resumeAt : undefined,
    refundDue: refundDue(order) || undefined,
    revision: before.revision + 1,
    ...(event ? { version: before.version + 1, updatedAt: now } : { version: before.version }),
  };
}

type Message = { [C in OrderEvent["channel"]]: { channel: C; payload: Events[C] } }[OrderEvent["channel"]];

/** The durable event of a change: ids, states, and by how many cents the refunded amount moved. */
export function messageOf(before: OrderDocument, after: OrderDocument, actor: string, event: OrderEvent): Message {
  const facts = {
    orderId: after._id,
    version: after.version,
    actor,
    from: { status: before.status, paymentStatus: before.paymentStatus },
    to: { status: after.status, paymentStatus: after.paymentStatus },
  };
  if (event.channel === "order.updated")
    return { channel: event.channel, payload: { ...facts, changed: event.changed } };
  const money = { refundId: event.refundId, amount: after.refundedAmount - before.refundedAmount };
  return event.channel === "order.cancelled"
    ? { channel: event.channel, payload: { ...facts, ...money, reason: event.reason } }
    : { channel: event.channel, payload: { ...facts, ...money, reason: event.reason } };
}
