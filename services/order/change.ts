import type { Events } from "../contracts.ts";
import type { OrderDocument } from "./collections.ts";
import { hasUnsettled, refundDue } from "./refunds/ledger.ts";
import { placedView } from "./views.ts";

type Channel = Extract<keyof Events, `order.${string}`>;
/** Fields of every event of a change, which follow from the order before and after it. */
type Facts = "orderId" | "version" | "actor" | "from" | "to" | "amount";

/** An event without those fields. */
export type OrderEvent =
  | { channel: "order.created" }
  | { [C in Exclude<Channel, "order.created">]: { channel: C } & Omit<Events[C], Facts> }[Exclude<
      Channel,
      "order.created"
    >];

/**
 * What a decision writes. With an event it is visible and makes a new version (order.created is the event of version 1);
 * without one it only records what is under way.
 */
export interface Change {
  order: OrderDocument;
  actor: string;
  event?: OrderEvent;
}

/** Returns the document that a change writes: versions are counted, and resumeAt goes when nothing is under way. */
export function applied(before: OrderDocument, { order, event }: Change, now: Date): OrderDocument {
  const seen = event && event.channel !== "order.created";
  const unfinished = order.cancelling !== undefined || hasUnsettled(order);
  return {
    ...order,
    resumeAt: unfinished ? order.resumeAt : undefined,
    refundDue: refundDue(order) || undefined,
    revision: before.revision + 1,
    ...(seen ? { version: before.version + 1, updatedAt: now } : { version: before.version }),
  };
}

/** Returns the durable event of a change: ids, states, and by how many cents the refunded amount changed. */
export function messageOf<C extends Channel>(
  before: OrderDocument,
  after: OrderDocument,
  actor: string,
  { channel, ...said }: OrderEvent & { channel: C },
): { channel: C; payload: Events[C] } {
  if (channel === "order.created") return { channel, payload: { ...placedView(after), actor } as Events[C] };
  const facts = {
    orderId: after._id,
    version: after.version,
    actor,
    from: { status: before.status, paymentStatus: before.paymentStatus },
    to: { status: after.status, paymentStatus: after.paymentStatus },
  };
  const money = "refundId" in said ? { amount: after.refundedAmount - before.refundedAmount } : {};
  return { channel, payload: { ...facts, ...money, ...said } as unknown as Events[C] };
}
