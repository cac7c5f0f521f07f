import { ulid } from "ulid";
import type { Params } from "../../broker/contract/define.ts";
import { hasStoreCode, type AtomicWrite } from "../../mixins/document-store/port.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { Sequences } from "../../mixins/sequence.ts";
import { ORDER_PARTS, ORDERS, type OrderDocument } from "./collections.ts";
import type { orderContract } from "./contract.ts";
import type { Erasure } from "./erasure.ts";
import { numberSequence, orderNumber } from "./order-number.ts";
import type { OrderRepository } from "./repository.ts";

export type CompletedPayment = Params<(typeof orderContract)["actions"]["createFromPayment"]>;

interface CreationDeps {
  repository: OrderRepository;
  sequences: Sequences;
  erasure: Erasure;
}

/**
 * Exactly one order for a payment, whatever races: unique indexes decide who makes it, the others get what was made.
 * The number is taken in the same atomic write, so that no failed attempt burns one.
 */
export function createOrderMaker({ repository, sequences, erasure }: CreationDeps) {
  const find = ({ paymentKey, sessionId, paymentIntentId }: CompletedPayment): Promise<OrderDocument | null> =>
    repository.findByPayment({
      paymentKey,
      sessionId: sessionId ?? undefined,
      paymentIntentId: paymentIntentId ?? undefined,
    });

  return async (payment: CompletedPayment): Promise<{ order: OrderDocument; created: boolean }> => {
    const known = await find(payment);
    if (known) return { order: known, created: false };
    const userId = await erasure.currentUserId(payment.userId);
    const shippingAddress = userId === payment.userId ? payment.shippingAddress : undefined;
    const sequence = numberSequence(new Date());
    let order: OrderDocument | undefined;
    try {
      await sequences.next(sequence, (number) => {
        order = newOrder({ ...payment, userId, shippingAddress }, orderNumber(sequence, number), new Date());
        return [{ collection: ORDERS, insertOne: { ...order } }, ...partRows(order)];
      });
      // The account may have been deleted since it was looked at.
      if ((await erasure.currentUserId(payment.userId)) !== userId) await erasure.erase(payment.userId);
      return { order: order!, created: true };
    } catch (error) {
      const winner = hasStoreCode(error, "DUPLICATE_KEY") ? await find(payment) : null;
      if (!winner) throw error;
      return { order: winner, created: false };
    }
  };
}

function newOrder(payment: CompletedPayment, number: string, at: Date): OrderDocument {
  const {
    paymentKey,
    sessionId,
    paymentIntentId,
    cartId,
    userId,
    items,
    subtotal,
    tax,
    shipping,
    discount,
    total,
    currency,
    paymentStatus,
    shippingAddress,
  } = payment;
  return {
    _id: `ord_${ulid(at.getTime())}`,
    orderNumber: number,
    paymentKey,
    sessionId: sessionId ?? undefined,
    paymentIntentId: paymentIntentId ?? undefined,
    cartId: cartId ?? undefined,
    userId,
    items,
    subtotal,
    tax,
    shipping,
    discount,
    total,
    currency,
    status: "pending",
    paymentStatus,
    paymentStatusAtCreation: paymentStatus,
    refunds: [],
    chargeRefunded: 0,
    refundedAmount: 0,
    disputes: [],
    shippingAddress,
    version: 1,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}

function partRows(order: OrderDocument): AtomicWrite[] {
  const numbers = new Set(
    order.items.map(({ partNumber }) => normalizePartNumber(partNumber)).filter((pnNorm) => pnNorm !== ""),
  );
  return [...numbers].map((pnNorm) => ({
    collection: ORDER_PARTS,
    insertOne: { _id: `${order._id}:${pnNorm}`, orderId: order._id, pnNorm, createdAt: order.createdAt },
  }));
}
