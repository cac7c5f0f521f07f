import { ulid } from "@partline/toolkit";
import { type Params, omitPersonal } from "@partline/api-contracts";
import { type AtomicWrite, type Channels, hasStoreCode, type Sequences } from "@partline/durable";
import { normalizePartNumber } from "@partline/parts-language";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { createEventWrites, type OrderRepository } from "./repository.ts";
import { ORDER_PARTS, ORDERS, type OrderDocument, type OrderLine } from "./collections.ts";
import type { orderContract } from "./contract.ts";
import { withDerived } from "./derived.ts";
import type { Erasure } from "./erasure.ts";
import { orderedFields } from "./shape.ts";
import { markLate } from "./promises.ts";
import { followWaiting } from "./waiting.ts";

type CompletedPayment = Params<(typeof orderContract)["actions"]["createFromPayment"]>;

/**
 * Makes exactly one order for a payment: unique indexes decide which call makes it, the others get that one. Its number
 * is taken in the same atomic write, so that no failed attempt uses one up, and its event is in it too.
 */
export function createOrderMaker(
  repository: OrderRepository,
  sequences: Sequences,
  erasure: Erasure,
  channels: Pick<Channels, "wake">,
) {
  return async (payment: CompletedPayment): Promise<{ order: OrderDocument; created: boolean }> => {
    // An order that another of its ids leads to is found by the unique indexes.
    const existing = await repository.findByPayment({ paymentKey: payment.paymentKey });
    if (existing) return { order: existing, created: false };
    const userId = await erasure.resolveUserId(payment.userId);
    const ordered = userId === payment.userId ? payment : { ...omitPersonal(orderedFields, payment), userId };
    const day = shopDays().findDay(new Date());
    let order: OrderDocument | undefined;
    try {
      await sequences.next(`order-number:${day}`, (number) => {
        // `ORD-YYYYMMDD-NNNNNN`, from 1 on each day of the shop. Source: "The completion webhook" of the design.
        const orderNumber = `ORD-${day.replaceAll("-", "")}-${String(number).padStart(6, "0")}`;
        order = createOrder(ordered, orderNumber, new Date());
        const announcement = { order, actor: "payment-provider", event: { channel: "order.created" } } as const;
        const rows = [...createPartRows(order), ...followWaiting(undefined, order)];
        const also = [...rows, ...createEventWrites(order, order, announcement)];
        return [{ collection: ORDERS, insertOne: { ...order } }, ...also];
      });
      channels.wake();
      // The account may have been deleted meanwhile.
      if ((await erasure.resolveUserId(payment.userId)) !== userId) await erasure.erase(payment.userId);
      return { order: order!, created: true };
    } catch (error) {
      const winner = hasStoreCode(error, "DUPLICATE_KEY") ? await repository.findByPayment(payment) : null;
      if (!winner) throw error;
      return { order: winner, created: false };
    }
  };
}

function createOrder(payment: CompletedPayment, orderNumber: string, now: Date): OrderDocument {
  const { sessionId, paymentIntentId, cartId, stockUnconfirmed, ...ordered } = payment;
  const items = ordered.items.map((line): OrderLine => {
    const { estimated: isCounted } = line.deliveryPromise ?? ordered.deliveryPromise ?? {};
    return line.backordered && !isCounted ? markLate(line, now) : line;
  });
  return withDerived({
    ...ordered,
    items,
    _id: `ord_${ulid(now.getTime())}`,
    orderNumber,
    sessionId: sessionId ?? undefined,
    paymentIntentId: paymentIntentId ?? undefined,
    cartId: cartId ?? undefined,
    status: "pending",
    paymentStatusAtCreation: payment.paymentStatus,
    refunds: [],
    chargeRefunded: 0,
    refundedAmount: 0,
    disputes: [],
    ...(stockUnconfirmed ? { notes: [createStockNote(now)] } : {}),
    version: 1,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  });
}

function createStockNote(now: Date): NonNullable<OrderDocument["notes"]>[number] {
  const text = "The stock could not be checked when this was paid. Check the shelf before you promise a date.";
  return { noteId: `note_${ulid(now.getTime())}`, text, actor: "system", createdAt: now.toISOString() };
}

function createPartRows(order: OrderDocument): AtomicWrite[] {
  const { _id: orderId, createdAt, items } = order;
  const numbers = new Set(items.map(({ partNumber }) => normalizePartNumber(partNumber)));
  numbers.delete("");
  return [...numbers].map((pnNorm) => ({
    collection: ORDER_PARTS,
    insertOne: { _id: `${orderId}:${pnNorm}`, orderId, pnNorm, createdAt },
  }));
}
