import { isToBeShipped, isAddressMissing } from "./addressing.ts";
import type { OrderDocument } from "./collections.ts";
import { sumDisputed, findDisputeState } from "./disputes.ts";
import { countQuantities } from "./quantities.ts";
import { refundDue } from "./refunds/ledger.ts";
import type { Collection } from "@partline/durable";
import type { Change } from "./order-change.ts";
import { LINE_STATES, type ListedState } from "./shape.ts";

/** Version of `withDerived`: orders with a lower one are derived again. */
const DERIVED = 3;

/** Returns the order with the fields that lists filter by, which follow from the others. */
export function withDerived(order: OrderDocument): OrderDocument {
  const quantities = countQuantities(order);
  const states: ListedState[] = LINE_STATES.filter((state) => quantities.some((quantity) => quantity[state] > 0));
  if (states.includes("open") || states.includes("backordered")) states.push("unshipped");
  return {
    ...order,
    refundDue: refundDue(order) || undefined,
    disputedAmount: sumDisputed(order) || undefined,
    disputeState: findDisputeState(order),
    addressMissing: isAddressMissing(order) || undefined,
    shippingUnderpaid: isToBeShipped(order) ? order.shippingUnderpaid : undefined,
    lineStates: Object.fromEntries(states.map((state) => [state, true])),
    contactKey: toContactKey(order.contact?.email),
    derived: DERIVED,
  };
}

/** An address as lists find it: in any case. */
export function toContactKey(email: string | undefined): string | undefined {
  return email?.trim().toLowerCase() || undefined;
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
