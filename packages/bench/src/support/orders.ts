import type { OrderDocument, OrderPartDocument } from "../../../../services/order/collections.ts";
import { AUSTIN } from "../../../../test/support/addresses.ts";
import { withDerived } from "../../../../services/order/derived.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-01-01T00:00:00Z");
const DAYS = 300;
/** One order in so many has the part that most buy. */
const TOP_EVERY = 4;

/** Orders of 300 days, the oldest first: most are delivered, the newest open; some are returned, cancelled, unpaid. */
export function* generatedOrders(count: number): Generator<{ order: OrderDocument; rows: OrderPartDocument[] }> {
  const aDay = Math.ceil(count / DAYS);
  for (let n = 0; n < count; n += 1) {
    const order = withDerived(madeOrder(n, count, aDay));
    const numbers = [...new Set(order.items.map(({ partNumber }) => partNumber.replaceAll("-", "")))];
    const rows = numbers.map((pnNorm) => ({
      _id: `${order._id}:${pnNorm}`,
      orderId: order._id,
      pnNorm,
      createdAt: order.createdAt,
    }));
    yield { order, rows };
  }
}

function madeOrder(n: number, count: number, aDay: number): OrderDocument {
  const placedAt = new Date(FIRST_DAY + Math.floor(n / aDay) * DAY_MS + ((n % aDay) * DAY_MS) / aDay);
  const id = String(n).padStart(8, "0");
  const isNew = n > count * 0.97;
  const status = n % 50 === 7 ? "cancelled" : isNew ? "pending" : n > count * 0.9 ? "shipped" : "delivered";
  const items = [1, 2, 3].map((line) => {
    const number = line === 1 && n % TOP_EVERY === 0 ? "TOP" : String(100_000 + ((n * line * 7_919) % 40_000));
    const partNumber = `BNS-${number}`;
    const price = 1_000 + (n % 997) * line;
    return { productId: partNumber.toLowerCase(), partNumber, name: `Part ${number}`, quantity: line, price };
  });
  const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const refund = n % 40 === 3 && !isNew && status !== "cancelled";
  const sentItems = items.map(({ productId, partNumber, quantity }) => ({ productId, partNumber, quantity }));
  const back = sentItems.slice(0, 1);
  return {
    _id: `ord_${id}`,
    orderNumber: `ORD-${placedAt.toISOString().slice(0, 10).replaceAll("-", "")}-${String((n % aDay) + 1).padStart(6, "0")}`,
    paymentKey: `cs_${id}`,
    sessionId: `cs_${id}`,
    paymentIntentId: `pi_${id}`,
    userId: n % 3 === 0 ? "guest" : `user_${n % 20_000}`,
    items,
    subtotal: total,
    tax: 0,
    shipping: 0,
    total,
    currency: "usd",
    status,
    paymentStatus: n % 100 === 1 ? "failed" : refund ? "partially_refunded" : "paid",
    paymentStatusAtCreation: "paid",
    contact: { email: `buyer${n % 20_000}@example.com`, name: "Ada Mechanic" },
    ...(n % 200 === 5
      ? {}
      : {
          shippingAddress: AUSTIN,
        }),
    ...(refund
      ? {
          shipments: [{ shipmentId: `shp_${id}`, items: sentItems, createdAt: placedAt.toISOString() }],
          returns: [
            {
              returnId: `ret_${id}`,
              items: back,
              reason: "not_needed" as const,
              restockingFee: 0,
              createdAt: placedAt.toISOString(),
            },
          ],
        }
      : {}),
    refunds: refund
      ? [
          {
            refundId: `ref_${id}`,
            amount: items[0]!.price,
            status: "succeeded",
            providerRefundId: `re_${id}`,
            reason: "requested_by_customer",
            actor: "admin",
            figureBefore: 0,
            items: back,
            returnId: `ret_${id}`,
            createdAt: placedAt.toISOString(),
          },
        ]
      : [],
    chargeRefunded: refund ? items[0]!.price : 0,
    refundedAmount: refund ? items[0]!.price : 0,
    disputes: [],
    version: 1,
    revision: 1,
    createdAt: placedAt,
    updatedAt: placedAt,
  };
}
