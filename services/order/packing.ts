import { PartlineError } from "../../mixins/errors.ts";
import { assertAlive, assertDeliverable } from "./changes.ts";
import type { OrderDocument } from "./collections.ts";
import { assertUndisputed } from "./disputes.ts";
import type { Change } from "./order-change.ts";
import { countPieces, countQuantities, pickMovedItems } from "./quantities.ts";
import { assertPaidFor } from "./transitions.ts";

const countOpen = (order: OrderDocument): Map<string | undefined, number> =>
  countPieces(
    countQuantities(order).map(({ open }, index) => ({ productId: order.items[index]?.productId, quantity: open })),
  );

/** Returns whether all pieces that can ship now are packed: one that arrives later must be packed too. */
export function isPacked(order: OrderDocument): boolean {
  const packedCounts = countPieces(order.packed?.items ?? []);
  const counts = [...countOpen(order)];
  return counts.some(([, open]) => open > 0) && counts.every(([id, open]) => open <= (packedCounts.get(id) ?? 0));
}

/** Returns what is packed after a change: pieces that were shipped or cancelled by it are not any more. */
export function findStillPacked(previous: OrderDocument, order: OrderDocument): OrderDocument["packed"] {
  const { packed } = order;
  if (!packed) return undefined;
  const [openBefore, openAfter] = [countOpen(previous), countOpen(order)];
  const items = packed.items
    .map((item) => {
      const gone = (openBefore.get(item.productId) ?? 0) - (openAfter.get(item.productId) ?? 0);
      return { ...item, quantity: item.quantity - Math.max(0, gone) };
    })
    .filter(({ quantity }) => quantity > 0);
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
  const items = pickMovedItems(order, undefined, ({ open }) => open, "pack");
  return { order: { ...order, packed: { items, actor, at: now.toISOString() } }, actor, event };
}
