import { PartlineError } from "../../mixins/errors.ts";
import { assertAlive, assertDeliverable } from "./changes.ts";
import type { OrderDocument } from "./collections.ts";
import { assertUndisputed } from "./disputes.ts";
import type { Change } from "./order-change.ts";
import { countPieces, countQuantities, pickMovedItems } from "./quantities.ts";
import { assertPaidFor } from "./transitions.ts";

/** Returns whether all pieces that can ship now are packed: one that arrives later must be packed too. */
export function isPacked(order: OrderDocument): boolean {
  const packedCounts = countPieces(order.packed?.items ?? []);
  const openCounts = countPieces(
    countQuantities(order).map(({ open }, index) => ({ productId: order.items[index]?.productId, quantity: open })),
  );
  const counts = [...openCounts];
  return counts.some(([, open]) => open > 0) && counts.every(([id, open]) => open <= (packedCounts.get(id) ?? 0));
}

/**
 * Marks the pieces that can ship now as packed, or takes the mark away. Undefined if nothing changes.
 * @throws INVALID_TRANSITION if there is nothing to pack; PAYMENT_DISPUTED, ADDRESS_MISSING
 */
export function markPacked(order: OrderDocument, packed: boolean, actor: string, now: Date): Change | undefined {
  const event = { channel: "order.updated" as const, changed: ["packed"] };
  if (!packed) return order.packed && { order: { ...order, packed: undefined }, actor, event };
  if (isPacked(order)) return undefined;
  const { status } = order;
  if (order.fulfilment === "pickup")
    throw new PartlineError("INVALID_TRANSITION", "A pickup order is made ready for pickup instead", { status });
  assertAlive(order);
  assertPaidFor("shipped", order.paymentStatus);
  assertUndisputed(order);
  assertDeliverable(order);
  const items = pickMovedItems(order, undefined, ({ open }) => open, "pack");
  return { order: { ...order, packed: { items, actor, at: now.toISOString() } }, actor, event };
}
