import type { Channels } from "../../broker/channels/port.ts";
import { compareAndSet } from "../../mixins/compare-and-set.ts";
import { notFound } from "../../mixins/errors.ts";
import type { AtomicWrite, DocumentStore, Filter } from "../../mixins/document-store/port.ts";
import { outbox } from "../contracts.ts";
import { applied, messageOf, type Change } from "./change.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";

export interface PaymentRefs {
  paymentKey?: string;
  sessionId?: string;
  paymentIntentId?: string;
}

export type OrderRepository = ReturnType<typeof createOrderRepository>;

export function createOrderRepository(documents: DocumentStore, channels: Pick<Channels, "wake">) {
  const orders = documents.collection<OrderDocument>(ORDERS);

  /** @throws NOT_FOUND */
  async function get(orderId: string): Promise<OrderDocument> {
    const order = await orders.findOne({ _id: orderId });
    if (!order) throw notFound("Order", orderId);
    return order;
  }

  /** Returns the first order that any of these refers to. */
  async function findByPayment({ paymentKey, sessionId, paymentIntentId }: PaymentRefs): Promise<OrderDocument | null> {
    for (const filter of [{ paymentKey }, { sessionId }, { paymentIntentId }] as Filter[]) {
      const order = Object.values(filter)[0] === undefined ? null : await orders.findOne(filter);
      if (order) return order;
    }
    return null;
  }

  return {
    orders,
    get,
    findByPayment,
    /**
     * Writes what `decide` makes of the order, with its event, in one atomic batch, and decides again after a concurrent
     * write. Undefined changes nothing. @returns the order as it is then
     * @throws NOT_FOUND, VERSION_CONFLICT (see `compareAndSet`), and what `decide` throws
     */
    async change(orderId: string, decide: (order: OrderDocument) => Change | undefined): Promise<OrderDocument> {
      const { order, hasEvent } = await compareAndSet(documents, "The order", async () => {
        const before = await get(orderId);
        const change = decide(before);
        if (!change) return { conditions: [], result: { order: before, hasEvent: false } };
        const after = applied(before, change, new Date());
        return {
          conditions: [replaced(before, after)],
          also: eventOf(before, after, change),
          result: { order: after, hasEvent: change.event !== undefined },
        };
      });
      if (hasEvent) channels.wake();
      return order;
    },
  };
}

function replaced(before: OrderDocument, after: OrderDocument): AtomicWrite {
  return {
    collection: ORDERS,
    require: true,
    replaceOne: { filter: { _id: before._id, revision: before.revision }, replacement: { ...after } },
  };
}

function eventOf(before: OrderDocument, after: OrderDocument, { actor, event }: Change): AtomicWrite[] {
  if (!event) return [];
  const { channel, payload } = messageOf(before, after, actor, event);
  // The step that announces may be repeated.
  return [outbox(channel, payload, channel === "order.created" ? `order.created:${after._id}` : undefined)];
}
