import { isToBeShipped, lacksAddress } from "./addressing.ts";
import type { OrderDocument } from "./collections.ts";
import { sumDisputed, findDisputeState } from "./disputes.ts";
import { quantitiesOf } from "./quantities.ts";
import { refundDue } from "./refunds/ledger.ts";
import type { Change, OrderRepository } from "./repository.ts";
import { LINE_STATES, type ListedState } from "./shape.ts";

/** Version of `withDerived`: orders with a lower one are derived again. */
const DERIVED = 3;

/** Returns the order with the fields that lists filter by, which follow from the others. */
export function withDerived(order: OrderDocument): OrderDocument {
  const quantities = quantitiesOf(order);
  const states: ListedState[] = LINE_STATES.filter((state) => quantities.some((of) => of[state] > 0));
  if (states.includes("open") || states.includes("backordered")) states.push("unshipped");
  return {
    ...order,
    refundDue: refundDue(order) || undefined,
    disputedAmount: sumDisputed(order) || undefined,
    disputeState: findDisputeState(order),
    addressMissing: lacksAddress(order) || undefined,
    shippingUnderpaid: isToBeShipped(order) ? order.shippingUnderpaid : undefined,
    lineStates: Object.fromEntries(states.map((state) => [state, true])),
    contactKey: contactKey(order.contact?.email),
    derived: DERIVED,
  };
}

/** An address as lists find it: in any case. */
export function contactKey(email: string | undefined): string | undefined {
  return email?.trim().toLowerCase() || undefined;
}

/** Orders that a run reads at once. */
const BATCH = 200;

/** Derives these fields for orders that an older version wrote. Harmless to repeat. */
export function createDeriving({ orders, change }: Pick<OrderRepository, "orders" | "change">) {
  const older = { $or: [{ derived: null }, { derived: { $lt: DERIVED } }] };
  const rewritten = (order: OrderDocument): Change | undefined => {
    if ((order.derived ?? 0) >= DERIVED) return undefined;
    // Figures count what disputes have by events.
    const isNews = order.disputedAmount === undefined && sumDisputed(order) > 0;
    const changed = ["disputedAmount"];
    return { order, actor: "system", event: isNews ? { channel: "order.updated", changed } : undefined };
  };
  return {
    isNeeded: async (): Promise<boolean> => (await orders.findOne(older)) !== null,
    async run(): Promise<void> {
      for (;;) {
        const found = await orders.find(older, { limit: BATCH });
        if (found.length === 0) return;
        for (const { _id } of found) await change(_id, rewritten);
      }
    },
  };
}
