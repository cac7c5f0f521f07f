import {
  type AtomicWrite,
  type Channels,
  type DocumentStore,
  compareAndSet,
  createReplacement,
} from "@partline/durable";
import type { EventDefinition } from "@partline/api-contracts";
import { notFound } from "../../mixins/errors.ts";
import { type Events, outbox } from "../contracts.ts";
import { orderEvents } from "./events.ts";
import { toShip } from "./quantities.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";
import { withDerived } from "./derived.ts";
import { findStillPacked } from "./packing.ts";
import { hasUnsettled } from "./refunds/ledger.ts";
import { followParcels } from "./tracking.ts";
import { placedView } from "./views.ts";
import { followWaiting } from "./waiting.ts";
import type { Change, Channel, OrderEvent } from "./order-change.ts";

type Message<C extends Channel> = { [K in C]: { channel: K; payload: Events[K] } }[C];

/** Returns what a change writes; resumeAt goes when nothing is under way. */
export function applyChange(previous: OrderDocument, { order, event }: Change, now: Date): OrderDocument {
  const unfinished = order.cancelling !== undefined || hasUnsettled(order);
  return withDerived({
    ...order,
    packed: findStillPacked(previous, order),
    resumeAt: unfinished ? order.resumeAt : undefined,
    revision: previous.revision + 1,
    ...(event ? { version: previous.version + 1, updatedAt: now } : { version: previous.version }),
  });
}

/** Returns the durable event of a change: ids, states, and by how many cents the refunded amount changed, if it says so. */
export function createMessage<C extends Channel>(
  before: OrderDocument,
  after: OrderDocument,
  actor: string,
  { channel, ...fields }: OrderEvent<C>,
): Message<C> {
  const { refundedAmount, disputedAmount = 0 } = before;
  const change = {
    ...{ orderId: after._id, version: after.version, actor, toShip: toShip(after) },
    from: { status: before.status, paymentStatus: before.paymentStatus },
    to: { status: after.status, paymentStatus: after.paymentStatus },
    disputedAmount: (after.disputedAmount ?? 0) - disputedAmount || undefined,
    ...fields,
    ...("amount" in orderEvents[channel].payload && { amount: after.refundedAmount - refundedAmount }),
  };
  return { channel, payload: channel === "order.created" ? { ...placedView(after), actor } : change } as Message<C>;
}

type PaymentRefs = { [ref in "paymentKey" | "sessionId" | "paymentIntentId"]?: string | null };

export type OrderRepository = ReturnType<typeof createOrderRepository>;

export function createOrderRepository(documents: DocumentStore, channels: Pick<Channels, "wake">) {
  const orders = documents.collection<OrderDocument>(ORDERS);

  /** @throws NOT_FOUND */
  async function get(orderId: string): Promise<OrderDocument> {
    const order = await orders.findOne({ _id: orderId });
    if (!order) throw notFound("Order", orderId);
    return order;
  }

  /** Reads orders in one query, in the order of the ids. @throws NOT_FOUND */
  async function getAll(orderIds: readonly string[]): Promise<OrderDocument[]> {
    const ordersById = new Map((await orders.find({ _id: { $in: [...orderIds] } })).map((order) => [order._id, order]));
    return orderIds.map((orderId) => {
      const order = ordersById.get(orderId);
      if (!order) throw notFound("Order", orderId);
      return order;
    });
  }

  /** Returns the first order that any of these refers to. A null refers to none: many orders lack one. */
  async function findByPayment({ paymentKey, sessionId, paymentIntentId }: PaymentRefs): Promise<OrderDocument | null> {
    for (const [field, value] of Object.entries({ paymentKey, sessionId, paymentIntentId })) {
      const order = value == null ? null : await orders.findOne({ [field]: value });
      if (order) return order;
    }
    return null;
  }

  return {
    orders,
    get,
    getAll,
    findByPayment,
    /**
     * Writes what `decide` makes of the order, with its event, in one atomic batch, and decides again after a
     * concurrent write. Undefined changes nothing. @returns the order as it is then
     * @throws NOT_FOUND, VERSION_CONFLICT (see `compareAndSet`), and what `decide` throws
     */
    async change(orderId: string, decide: (order: OrderDocument) => Change | undefined): Promise<OrderDocument> {
      const { order, hasEvent } = await compareAndSet(documents, "The order", async () => {
        const current = await get(orderId);
        const change = decide(current);
        if (!change) return { conditions: [], result: { order: current, hasEvent: false } };
        const after = applyChange(current, change, new Date());
        return {
          conditions: [createReplacement(ORDERS, current, "revision", after)],
          also: [
            ...followWaiting(current, after),
            ...followParcels(current, after),
            ...createEventWrites(current, after, change),
            ...(change.also ?? []),
          ],
          result: { order: after, hasEvent: change.event !== undefined },
        };
      });
      if (hasEvent) channels.wake();
      return order;
    },
  };
}

/** Returns the write of a change's event to the outbox. */
export function createEventWrites(
  previous: OrderDocument,
  after: OrderDocument,
  { actor, event }: Change,
): AtomicWrite[] {
  if (!event) return [];
  const { channel, payload } = createMessage(previous, after, actor, event);
  const eventId = channel === "order.created" ? `order.created:${after._id}` : undefined;
  const { version }: EventDefinition = orderEvents[channel];
  return [outbox(channel, payload, eventId, version)];
}
