import fc from "fast-check";
import type { OrderDocument } from "../../services/order/collections.ts";
import { begin, requestRefund, settleRefund } from "../../services/order/refunds/decisions.ts";
import { applyChange, createMessage } from "../../services/order/repository.ts";
import type { Change } from "../../services/order/order-change.ts";
import { applyPaymentChange, type PaymentChange } from "../../services/order/payment-change.ts";
import { expectReturn, update } from "../../services/order/changes.ts";
import { placedView } from "../../services/order/views.ts";
import type { StoredEvent } from "../../services/contracts.ts";
import { storedEvent } from "./analytics.support.ts";
import { paidOrder } from "./order.support.ts";

/** Orders and carts as they come to be and go on, made by the order service's own rules. */

export interface Life {
  /** The order as it is in the end. */
  order: OrderDocument;
  events: StoredEvent[];
}

const HAPPENINGS = [
  "paid",
  "failed",
  "refund",
  "refundFails",
  "processing",
  "shipped",
  "pieceCancelled",
  "pieceReturned",
  "cancel",
] as const;
const happening = fc.constantFrom(...HAPPENINGS);

const beginning = fc.record({
  day: fc.integer({ min: 19, max: 21 }),
  hour: fc.constantFrom(0, 10, 23),
  quantity: fc.integer({ min: 1, max: 9 }),
  price: fc.integer({ min: 1, max: 99_999 }),
  isPaid: fc.boolean(),
  currency: fc.constantFrom("usd", "usd", "usd", "eur"),
  hasCart: fc.boolean(),
  /** How the part is written on this order. */
  spelling: fc.constantFrom("X1", "x-1", "X 1"),
});

export const lives: fc.Arbitrary<Life[]> = fc
  .array(fc.tuple(beginning, fc.array(happening, { maxLength: 6 })), { maxLength: 8 })
  .map((all) => all.map(([start, happenings], index) => lifeOf(`ord_${index}`, start, happenings)));

type Beginning = typeof beginning extends fc.Arbitrary<infer T> ? T : never;
type Happening = (typeof HAPPENINGS)[number];

function lifeOf(orderId: string, start: Beginning, happenings: readonly Happening[]): Life {
  const { day, hour, quantity, price, isPaid, currency, hasCart, spelling } = start;
  const createdAt = new Date(Date.UTC(2026, 10, day, hour, 59, 59, 999));
  const paymentStatus = isPaid ? "paid" : "pending";
  const total = quantity * price + 4_000;
  let order = paidOrder({
    _id: orderId,
    createdAt,
    updatedAt: createdAt,
    currency,
    total,
    paymentStatus,
    paymentStatusAtCreation: paymentStatus,
    sessionId: `cs_${orderId}`,
    cartId: hasCart ? `cart_${orderId}` : undefined,
    items: [
      { productId: `part-${quantity % 3}`, partNumber: spelling, name: `Part ${spelling}`, quantity, price },
      { productId: "__proto__", partNumber: "Q", name: "Odd", quantity: 1, price: 4_000 },
    ],
  });
  // What is written down later than it happened.
  const recordedAt = new Date(createdAt.getTime() + 5_000);
  const events: StoredEvent[] = [
    ...(hasCart
      ? [storedEvent("cart", "CART_SAVED", { cartId: order.cartId, items: 2, subtotal: total }, createdAt)]
      : []),
    storedEvent(
      "checkout",
      "CHECKOUT_STARTED",
      { sessionId: order.sessionId, paymentIntentId: null, cartId: order.cartId ?? null, total, currency },
      createdAt,
    ),
    storedEvent("order", "ORDER_CREATED", { ...placedView(order) }, recordedAt),
  ];
  for (const [step, what] of happenings.entries()) {
    const change = changeOf(order, what, step);
    if (!change) continue;
    const after = applyChange(order, change, recordedAt);
    if (change.event) {
      const { channel, payload } = createMessage(order, after, change.actor, change.event);
      events.push(storedEvent("order", channel.replace(".", "_").toUpperCase(), payload, recordedAt));
    }
    order = after;
  }
  return { order, events };
}

function changeOf(order: OrderDocument, what: Happening, step: number): Change | undefined {
  const now = new Date(order.createdAt.getTime() + step * 60_000);
  const facts = { actor: "payment-provider", now, newRefundId: `ref_${step}` };
  const told = (change: PaymentChange): Change | undefined => applyPaymentChange(order, change, facts);
  try {
    switch (what) {
      case "paid":
      case "failed":
        return told({ kind: what });
      case "refund":
        return told({ kind: "refund", providerRefundId: `re_${step}`, amount: 1_000, status: "succeeded" });
      case "refundFails": {
        const providerRefundId = order.refunds[0]?.providerRefundId ?? "re_none";
        return told({ kind: "refund", providerRefundId, amount: 1_000, status: "failed" });
      }
      case "processing":
      case "shipped":
        return update(order, { status: what }, "admin", { now, shipmentId: `shp_${step}` });
      case "pieceCancelled":
      case "pieceReturned": {
        const items = [{ productId: order.items[step % 2]!.productId, quantity: 1 }];
        const returnId = `rma_${step}`;
        const [before, purpose] =
          what === "pieceCancelled"
            ? [order, { cancels: true } as const]
            : [
                expectReturn(
                  order,
                  { lines: items, reason: "other", restockingFee: 0 },
                  { actor: "admin", now, returnId },
                ).order,
                { returnId },
              ];
        const request = { items, reason: "other", actor: "admin", ...purpose } as const;
        const { change, refundId } = requestRefund(before, request, `ref_${step}`, now);
        const taken = { status: "succeeded", providerRefundId: `re_p${step}` } as const;
        return change.event ? change : settleRefund(change.order, refundId, taken, `ref_due_${step}`, now);
      }
      case "cancel": {
        const request = { reason: "other", actor: "admin", force: false } as const;
        const begun = begin(order, request, `ref_${step}`, now);
        const taken = { status: "succeeded", providerRefundId: `re_c${step}` } as const;
        return begun.event ? begun : settleRefund(begun.order, `ref_${step}`, taken, `ref_due_${step}`, now);
      }
    }
  } catch {
    // The order's state does not allow it.
    return undefined;
  }
}

/** In any order, some of them twice, cut into batches. */
export function recorded(events: StoredEvent[]): fc.Arbitrary<StoredEvent[][]> {
  return fc
    .tuple(
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.subarray(events),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
    )
    .map(([shuffled, again, sizes]) => batchesOf([...shuffled, ...again], sizes));
}

export function batchesOf(events: readonly StoredEvent[], sizes: readonly number[]): StoredEvent[][] {
  const batches: StoredEvent[][] = [];
  for (let at = 0; at < events.length;) {
    const size = sizes[batches.length % sizes.length]!;
    batches.push(events.slice(at, at + size));
    at += size;
  }
  return batches;
}
