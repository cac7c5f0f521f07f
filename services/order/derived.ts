import { lacksAddress } from "./addressing.ts";
import type { OrderDocument } from "./collections.ts";
import { quantitiesOf } from "./lines/quantities.ts";
import { refundDue } from "./refunds/ledger.ts";
import { LINE_STATES } from "./shape.ts";

/** Counts what `withDerived` derives: orders with a lower number are derived again. */
export const DERIVED = 1;

/** Returns the order with the fields that lists filter by, which follow from the others. */
export function withDerived(order: OrderDocument): OrderDocument {
  const quantities = quantitiesOf(order);
  const states = LINE_STATES.filter((state) => quantities.some((of) => of[state] > 0));
  return {
    ...order,
    refundDue: refundDue(order) || undefined,
    addressMissing: lacksAddress(order) || undefined,
    lineStates: Object.fromEntries(states.map((state) => [state, true])),
    contactKey: contactKey(order.contact?.email),
    derived: DERIVED,
  };
}

/** An address as lists find it: in any case. */
export function contactKey(email: string | undefined): string | undefined {
  return email?.trim().toLowerCase() || undefined;
}
