import { isToBeShipped, isAddressMissing } from "./addressing.ts";
import type { OrderDocument } from "./collections.ts";
import { sumDisputed, findDisputeState } from "./disputes.ts";
import { countQuantities } from "./quantities.ts";
import { findQueues } from "./queues.ts";
import { refundDue } from "./refunds/ledger.ts";
import { contains, type Collection, type Condition } from "@partline/durable";
import { fold, foldName } from "@partline/parts-language";
import type { Change } from "./order-change.ts";
import { LINE_STATES, type ListedState } from "./shape.ts";

/** Version of `withDerived`: orders with a lower one are derived again. */
export const DERIVED = 9;

/** Returns the order with the fields that lists filter by, which follow from the others. */
export function withDerived(order: OrderDocument): OrderDocument {
  const quantities = countQuantities(order);
  const states: ListedState[] = LINE_STATES.filter((state) => quantities.some((quantity) => quantity[state] > 0));
  const hasBuyer = (order.contact ?? order.shippingAddress ?? order.returnDetails) !== undefined;
  if (states.includes("open") || states.includes("backordered")) states.push("unshipped");
  return {
    ...order,
    refundDue: refundDue(order) || undefined,
    disputedAmount: sumDisputed(order) || undefined,
    disputeState: findDisputeState(order),
    addressMissing: isAddressMissing(order) || undefined,
    shippingUnderpaid: isToBeShipped(order) ? order.shippingUnderpaid : undefined,
    lineStates: Object.fromEntries(states.map((state) => [state, true])),
    queues: Object.fromEntries(findQueues(order).map((queue) => [queue, true])),
    erasing: hasBuyer ? (order.erased ?? order.erasing) : order.erasing,
    isUncounted: order.items.some(({ uncounted }) => uncounted) || undefined,
    contactKey: toContactKey(order.contact?.email),
    searchText: buildSearchText(order),
    derived: DERIVED,
  };
}

/** An address as lists find it: in any case. */
export function toContactKey(email: string | undefined): string | undefined {
  return email?.trim().toLowerCase() || undefined;
}

/** Returns what a search finds an order by: each text as it is written, and without its spaces and punctuation. */
function buildSearchText(order: OrderDocument): string {
  const { _id, orderNumber, items, contact, shippingAddress, trackingNumber, shipments = [], labels = [] } = order;
  const texts = [
    ...[_id, orderNumber, contact?.name, contact?.email, contact?.phone],
    ...[shippingAddress?.name, shippingAddress?.phone, trackingNumber],
    ...[...shipments, ...labels].map((parcel) => parcel.trackingNumber),
    ...items.map(({ partNumber }) => partNumber),
  ];
  return [...new Set(texts.flatMap((text) => (text ? toSearchForms(text) : [])))].join("\n");
}

/**
 * Filters orders whose search text has what was typed, or has it without its spaces and punctuation. An `@` counts: only
 * email addresses have one.
 */
export function findText(typed: string): Condition {
  const forms = toSearchForms(typed);
  return typed.includes("@") ? contains(forms[0].replaceAll(/ ?@ ?/g, "@")) : contains(...forms);
}

function toSearchForms(text: string): [string, ...string[]] {
  const compact = foldName(text);
  return [fold(text).replace(/\s+/g, " ").trim(), ...(compact === "" ? [] : [compact])];
}

/** Orders that a run reads at once. */
const BATCH = 200;

interface Orders {
  orders: Pick<Collection<OrderDocument>, "find" | "findOne">;
  change(orderId: string, decide: (order: OrderDocument) => Change | undefined): Promise<unknown>;
}

/** Derives these fields for orders that an older version wrote. Harmless to repeat. */
export function createDeriving({ orders, change }: Orders) {
  const older = { $or: [{ derived: null }, { derived: { $lt: DERIVED } }] };
  const rewriteOrder = (order: OrderDocument): Change | undefined => {
    if ((order.derived ?? 0) >= DERIVED) return undefined;
    // Figures count what disputes have by events.
    const isNews = order.disputedAmount === undefined && sumDisputed(order) > 0;
    const changedFields = ["disputedAmount"];
    return { order, actor: "system", event: isNews ? { channel: "order.updated", changed: changedFields } : undefined };
  };
  return {
    isNeeded: async (): Promise<boolean> => (await orders.findOne(older)) !== null,
    async run(): Promise<void> {
      for (;;) {
        const batch = await orders.find(older, { limit: BATCH });
        if (batch.length === 0) return;
        for (const { _id } of batch) await change(_id, rewriteOrder);
      }
    },
  };
}
