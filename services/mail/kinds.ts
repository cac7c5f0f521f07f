import type { Events, OrderChannel } from "../contracts.ts";
import type { Kind } from "./contract.ts";

/** Facts of a mail beside the order at the time of sending, without personal data. */
export interface Facts {
  /** Those that have shipped are refunded with others, which are cancelled. */
  items?: (Events["order.returned"]["items"][number] & { isShipped?: true })[];
  shipmentId?: string;
  returnId?: string;
  /** The rest of the order was not shipped or cancelled then. */
  isPart?: boolean;
  /** The shipment, of which the buyer was notified, travels by another number or carrier. */
  isCorrected?: boolean;
  /** Of a delay that staff announced. */
  days?: number;
  /** The day that it is about. */
  day?: string | undefined;
  /** Of the dispute that it is about, as the payment provider names it. */
  disputeStatus?: string | undefined;
  /** The payment provider did not take the refund of a cancelled order. */
  isRefused?: boolean;
  /** Amount in the currency's smallest unit; for a failed refund, by default what is due when the mail is sent. */
  amount?: number;
  /** Restocking fee of a return, in the currency's smallest unit. */
  fee?: number;
  /** How the shop paid a refund without the payment provider. */
  paidBy?: Events["order.refunded"]["paidBy"];
  /** State in which the pieces of a return came back. */
  condition?: Events["order.returned"]["condition"];
  /** A webhook's endpoint, of a mail that is of no order. */
  endpoint?: { endpointId: string; host: string; failingSince: string };
  /** An incident of the system, of a mail that is of no order. */
  incident?: { cause: string; advice: string; startedAt: string; endedAt?: string };
}

export interface Cause {
  kind: Kind;
  facts: Facts;
  /** Milliseconds until it is sent, if it is true then. */
  afterMs?: number;
}

/** Time that a provider needs for the label of a return, with a margin; or staff for one handed over at the counter. */
const UNDER_WAY_MS = 60_000;

export const CAUSES: { [C in OrderChannel]: (payload: Events[C]) => Cause[] } = {
  "order.created": ({ paymentStatus, addressMissing, shippingUnderpaid }) => {
    const first = paymentStatus === "pending" ? "received" : "confirmation";
    return [
      createCause(first),
      ...(paymentStatus === "pending" ? [] : [createCause("new-order")]),
      ...(addressMissing ? [createCause("address-missing")] : []),
      ...(shippingUnderpaid ? [createCause("shipping-underpaid")] : []),
    ];
  },
  "order.updated": ({ changed: changedFields, to, returnId, shipmentId, items = [], dispute }) => {
    const isOfPayment = changedFields.includes("paymentStatus") && to.status !== "cancelled";
    return [
      ...(isOfPayment && to.paymentStatus === "paid" ? [createCause("confirmation"), createCause("new-order")] : []),
      ...(isOfPayment && to.paymentStatus === "failed" ? [createCause("payment-failed")] : []),
      ...(changedFields.includes("disputes") ? [createCause("dispute", { disputeStatus: dispute?.status })] : []),
      ...(changedFields.includes("shippingAddress") ? [createCause("address-changed", { items: [] })] : []),
      ...(returnId === undefined ? [] : [createCause("return-cancelled", { returnId, items })]),
      ...(changedFields.includes("items") && items.length > 0 ? [createCause("delayed", { items })] : []),
      ...(shipmentId === undefined ? [] : [createCause("shipped", { shipmentId, items, isCorrected: true })]),
    ];
  },
  "order.shipped": ({ items, shipmentId, to }) => [
    createCause("shipped", { items, isPart: to.status !== "shipped", shipmentId }),
  ],
  "order.shipment_cancelled": ({ items }) => [createCause("shipment-cancelled", { items })],
  "order.delivered": () => [],
  "order.erased": () => [],
  "order.delayed": ({ actor, items, days, day }) => [
    createCause("delayed", actor === "system" && day !== undefined ? { items, day } : { items, days, day }),
  ],
  "order.allocated": ({ items, day }) => [createCause("arrived", { items, day })],
  "order.return_updated": ({ state, returnId, items, owed: amount, labelled, byStaff: isByStaff }) => [
    createCause(`return-${state}`, { returnId, items, amount }, labelled || isByStaff ? UNDER_WAY_MS : 0),
    ...(state === "requested" ? [createCause("new-return", { returnId, items })] : []),
  ],
  "order.lines_cancelled": ({ items: cancelledItems, shippedItems = [], amount }) => {
    const items = [...cancelledItems, ...shippedItems.map((item) => ({ ...item, isShipped: true as const }))];
    return [createCause("lines-cancelled", { items, amount, isPart: true })];
  },
  "order.cancelled": ({ amount, refundId, to }) => {
    // By force. What the provider reported before its answer is refunded already.
    const isRefused = amount === 0 && refundId !== null && to.paymentStatus !== "refunded";
    return [createCause("cancelled", { amount, isRefused }), ...(isRefused ? [createCause("refund-failed")] : [])];
  },
  "order.returned": ({ amount, items, returnId, restockingFee: fee, condition }) => [
    createCause("returned", { amount, items, returnId, ...(fee ? { fee } : {}), ...(condition ? { condition } : {}) }),
  ],
  // One that comes back and is tried again is one promise to the buyer, one failure to the shop.
  "order.refunded": ({ amount, disputedAmount = 0, items = [], paidBy, repeated: isRepeated }) => {
    if (amount === 0 || isRepeated) return [];
    // What came back and a dispute has is not with the shop.
    const cameBack = -amount - disputedAmount;
    if (amount < 0) return cameBack > 0 ? [createCause("refund-failed", { amount: cameBack })] : [];
    return [createCause("refunded", { amount, items, ...(paidBy && { paidBy }) })];
  },
};

function createCause(kind: Kind, facts: Facts = {}, afterMs = 0): Cause {
  return { kind, facts, afterMs };
}
