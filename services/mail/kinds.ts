import type { Events } from "../contracts.ts";
import type { Kind } from "./resources.ts";

/** What a mail tells besides the order as it is when it is sent: never of a person. */
export interface Facts {
  items?: { productId: string; partNumber: string; quantity: number }[];
  shipmentId?: string;
  returnId?: string;
  /** The rest of the order was not shipped or cancelled then. */
  isPart?: boolean;
  days?: number;
  /** In the smallest unit of the order's currency. Of a refund that failed, what is due when the mail is sent unless given. */
  amount?: number;
  /** A webhook's endpoint, of a mail that is of no order. */
  endpoint?: { endpointId: string; host: string; failingSince: string };
}

export interface Cause {
  kind: Kind;
  facts: Facts;
}

export type OrderEvent = {
  [C in Extract<keyof Events, `order.${string}`>]: { channel: C; payload: Events[C] };
}[Extract<keyof Events, `order.${string}`>];

export function mailsOf(event: OrderEvent): Cause[] {
  switch (event.channel) {
    case "order.created": {
      const { paymentStatus, addressMissing } = event.payload;
      const first = paymentStatus === "pending" ? "received" : "confirmation";
      return [cause(first), ...(addressMissing ? [cause("address-missing")] : [])];
    }
    case "order.updated": {
      const { changed, to } = event.payload;
      const isOfPayment = changed.includes("paymentStatus") && to.status !== "cancelled";
      return [
        ...(isOfPayment && to.paymentStatus === "paid" ? [cause("confirmation")] : []),
        ...(isOfPayment && to.paymentStatus === "failed" ? [cause("payment-failed")] : []),
        ...(changed.includes("disputes") ? [cause("dispute")] : []),
      ];
    }
    case "order.shipped": {
      const { items, shipmentId, to } = event.payload;
      const isPart = to.status !== "shipped";
      return [cause("shipped", { items, isPart, shipmentId })];
    }
    case "order.delayed":
      return [cause("delayed", { items: event.payload.items, days: event.payload.days })];
    case "order.lines_cancelled":
      return [cause("lines-cancelled", { items: event.payload.items, amount: event.payload.amount, isPart: true })];
    case "order.cancelled": {
      const { amount, refundId, to } = event.payload;
      // By force, though the provider did not take the refund. After the last of its pieces, the rest is on its way.
      const isUnpaid = to.paymentStatus === "paid" || to.paymentStatus === "partially_refunded";
      const isDue = amount === 0 && refundId !== null && isUnpaid;
      return [cause("cancelled", { amount }), ...(isDue ? [cause("refund-failed")] : [])];
    }
    case "order.returned":
    case "order.refunded": {
      const { amount, items = [] } = event.payload;
      if (amount === 0) return [];
      if (amount < 0) return [cause("refund-failed", { amount: -amount })];
      const isReturn = event.channel === "order.returned";
      return [cause("refunded", { amount, items, ...(isReturn ? { returnId: event.payload.returnId } : {}) })];
    }
  }
}

function cause(kind: Kind, facts: Facts = {}): Cause {
  return { kind, facts };
}
