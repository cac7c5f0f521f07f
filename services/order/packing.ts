import { PartlineError } from "../../mixins/errors.ts";
import { assertAlive, assertDeliverable } from "./changes.ts";
import type { OrderDocument } from "./collections.ts";
import { assertUndisputed } from "./disputes.ts";
import type { Change } from "./order-change.ts";
import { listPieces, pickMovedItems, withoutPieces } from "./quantities.ts";
import { assertPaidFor } from "./transitions.ts";

const listOpen = (order: OrderDocument) => listPieces(order, ({ open }) => open);

/** Returns whether all pieces that can ship now are packed: one that arrives later must be packed too. */
export function isPacked(order: OrderDocument): boolean {
  const open = listOpen(order);
  return open.length > 0 && withoutPieces(open, order.packed?.items ?? []).length === 0;
}

/** Returns what is packed after a change: pieces that were shipped or cancelled by it are not any more. */
export function findStillPacked(previous: OrderDocument, order: OrderDocument): OrderDocument["packed"] {
  const { packed } = order;
  if (!packed) return undefined;
  const items = withoutPieces(packed.items, withoutPieces(listOpen(previous), listOpen(order)));
  return items.length === 0 ? undefined : { ...packed, items };
}

/**
 * Marks the pieces that can ship now as packed, or takes the mark away. Undefined if nothing changes.
 * @throws INVALID_TRANSITION if there is nothing to pack; PAYMENT_DISPUTED, ADDRESS_MISSING
 */
export function markPacked(order: OrderDocument, packed: boolean, actor: string, now: Date): Change | undefined {
  const event = { channel: "order.updated" as const, changed: ["packed"], packed };
  if (!packed) return order.packed && { order: { ...order, packed: undefined }, actor, event };
  if (isPacked(order)) return undefined;
  const { status } = order;
  if (order.fulfilment === "pickup")
    throw new PartlineError("INVALID_TRANSITION", "A pickup order is made ready for pickup instead", { status });
  assertAlive(order);
  assertPaidFor("shipped", order.paymentStatus);
  assertUndisputed(order);
  assertDeliverable(order);
  const items = pickMovedItems(order, undefined, listOpen(order), "pack");
  return { order: { ...order, packed: { items, actor, at: now.toISOString() } }, actor, event };
}
