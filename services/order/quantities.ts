import { sumByKey } from "@partline/toolkit/pure";
import { getAt } from "@partline/toolkit";
import type { OrderStatus } from "../shared/placed-order.ts";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import type { MovedItem, NamedItem, OrderDocument, OrderLine, OrderReturn, RefundRecord } from "./collections.ts";
import type { LineState } from "./shape.ts";

/**
 * Quantities of a line's pieces by state, from shipments, returns and refunds of both kinds; they add up to its
 * quantity.
 */
export type Quantities = Record<LineState, number>;

/** Returns whether a refund of pieces counts: it is asked for, or the provider took it once. */
export function isCounted(refund: RefundRecord): boolean {
  return refund.status !== "failed" || refund.providerRefundId !== null;
}

/** What the states of an order's pieces depend on. */
export type MovedOrder = Pick<OrderDocument, "status" | "items" | "shipments" | "refunds">;

export function countQuantities(order: MovedOrder): Quantities[] {
  const counted = order.items.map((line) => {
    const quantities = { open: 0, backordered: 0, shipped: 0, cancelled: 0, returned: 0 };
    return { line, quantities: { ...quantities, [isWhollyShipped(order) ? "shipped" : "open"]: line.quantity } };
  });
  const move = (items: readonly NamedItem[], from: LineState, to: LineState): void => {
    for (const item of items) {
      let missing = item.quantity;
      for (const { line, quantities } of counted) {
        if (!isNamed(line, item)) continue;
        const moved = Math.min(missing, quantities[from]);
        quantities[from] -= moved;
        quantities[to] += moved;
        missing -= moved;
      }
    }
  };
  for (const { items } of order.shipments ?? []) move(items, "open", "shipped");
  // A refund may go through after all, when its pieces have left.
  for (const refund of order.refunds)
    if (refund.cancels && isCounted(refund)) move(refund.items ?? [], "open", "cancelled");
  for (const refund of order.refunds)
    if (refund.returnId !== undefined && isCounted(refund)) move(refund.items ?? [], "shipped", "returned");
  return counted.map(({ line, quantities }) => {
    if (order.status === "cancelled")
      return { ...quantities, open: 0, cancelled: quantities.cancelled + quantities.open };
    const backordered = Math.min(quantities.open, line.backordered ?? 0);
    return { ...quantities, open: quantities.open - backordered, backordered };
  });
}

/** Returns whether an order is shipped without a record: versions before shipments wrote only the status. */
const isWhollyShipped = ({ status, shipments }: MovedOrder): boolean =>
  (status === "shipped" || status === "delivered") && !shipments?.length;

/** Returns the refunds that were asked for when pieces of a return came, also those of nothing. */
export function listReceipts({ refunds }: OrderDocument, returnId: string): RefundRecord[] {
  return refunds.filter((refund) => refund.returnId === returnId && isCounted(refund));
}

/** Lists the pieces that refunds are for, each product once. */
export function listRefundPieces(order: MovedOrder, refunds: readonly RefundRecord[]): MovedItem[] {
  const allItems = refunds.flatMap(({ items = [] }) => items);
  return mergePieces(nameItems(order, allItems));
}

/** Lists pieces of the lines, each product once, as many as a count of a line's quantities says. */
export function listPieces(order: MovedOrder, count: (quantities: Quantities, index: number) => number): MovedItem[] {
  const quantities = countQuantities(order);
  return mergePieces(order.items.map((line, index) => ({ ...line, quantity: count(getAt(quantities, index), index) })));
}

function mergePieces(pieces: readonly MovedItem[]): MovedItem[] {
  const merged = new Map<string, MovedItem>();
  for (const { productId, partNumber, quantity } of pieces) {
    const earlierQuantity = merged.get(productId)?.quantity ?? 0;
    merged.set(productId, { productId, partNumber, quantity: earlierQuantity + quantity });
  }
  return [...merged.values()].filter(({ quantity }) => quantity > 0);
}

/** Adds up pieces by product. */
export const countPieces = (items: readonly NamedItem[]): Map<string | undefined, number> =>
  sumByKey(items.map(({ productId, quantity }) => [productId, quantity]));

/** Leaves out as many pieces of each product as are taken. */
export function withoutPieces(items: readonly MovedItem[], takenItems: readonly NamedItem[]): MovedItem[] {
  const counts = countPieces(takenItems);
  return items
    .map((item) => ({ ...item, quantity: item.quantity - (counts.get(item.productId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Returns the pieces of a return that have not come: none once it is called off, or before it is approved. */
export function listAwaited(order: OrderDocument, orderReturn: OrderReturn): MovedItem[] {
  return orderReturn.state === "requested" ? [] : listPromised(order, orderReturn);
}

/** Returns the pieces that a return has to itself: those that are awaited, or asked for. */
export function listPromised(order: OrderDocument, { returnId, items, cancelledAt, state }: OrderReturn): MovedItem[] {
  if (cancelledAt !== undefined || state === "refused") return [];
  return withoutPieces(items, listRefundPieces(order, listReceipts(order, returnId)));
}

/** Returns the state of the pieces for which the most is still to be done. */
export function resolveState(quantities: Quantities): LineState {
  const states = ["backordered", "open", "shipped", "returned"] as const;
  return states.find((state) => quantities[state] > 0) ?? "cancelled";
}

/** Returns the specification's status, as the lines have it. What may be refused is not cancelled yet. */
export function resolveStatus(order: OrderDocument): OrderStatus {
  const refunds = order.refunds.filter(({ status }) => status !== "requested");
  const quantities = countQuantities({ ...order, refunds });
  const sumState = (state: LineState): number => quantities.reduce((sum, quantity) => sum + quantity[state], 0);
  const gone = sumState("shipped") + sumState("returned");
  if (sumState("open") + sumState("backordered") > 0)
    return gone > 0 && order.status === "pending" ? "processing" : order.status;
  if (gone === 0) return "cancelled";
  return order.status === "delivered" ? "delivered" : "shipped";
}

/** Sets how many pieces of a line wait; one of which none waits says nothing of waiting. */
export function setBackordered(line: OrderLine, backordered: number): OrderLine {
  if (backordered > 0) return { ...line, backordered };
  const { backordered: _before, backorderDays, expectedAt, uncounted, ...rest } = line;
  return rest;
}

/** Returns the pieces that are still to be shipped, for which stock is held. */
export function toShip(order: OrderDocument): { productId: string; quantity: number }[] {
  if (order.paymentStatus === "failed" || order.paymentStatus === "refunded") return [];
  return listUnshipped(order).map(({ productId, quantity }) => ({ productId, quantity }));
}

export const countUnshipped = ({ open, backordered }: Quantities): number => open + backordered;

/** Lists the pieces that the buyer has or will have. */
export const listKept = (order: OrderDocument): MovedItem[] =>
  listPieces(order, (quantities) => countUnshipped(quantities) + quantities.shipped);

export const listShipped = (order: OrderDocument): MovedItem[] => listPieces(order, ({ shipped }) => shipped);
export const listUnshipped = (order: OrderDocument): MovedItem[] => listPieces(order, countUnshipped);

/**
 * Returns the pieces that a request names, each product once; all that are left without `items`.
 * @param left pieces that the request may take
 * @throws VALIDATION_FAILED naming an item that is unknown or ambiguous; INVALID_TRANSITION if fewer or none are left
 */
export function pickMovedItems(
  order: OrderDocument,
  items: readonly NamedItem[] | undefined,
  left: readonly MovedItem[],
  what: string,
): MovedItem[] {
  const namedItems = items?.map(({ quantity, ...item }, index) => {
    return { ...getAt(findLines(order.items, item, `lines[${index}]`), 0), quantity };
  });
  const pickedItems = namedItems ? mergePieces(namedItems) : [...left];
  const counts = countPieces(left);
  const short = pickedItems
    .map((item) => ({ ...item, left: counts.get(item.productId) ?? 0 }))
    .filter((item) => item.quantity > item.left);
  if (short.length === 0 && pickedItems.length > 0) return pickedItems;
  const shortItems = short
    .map(({ partNumber, quantity, left }) => `${quantity} of ${partNumber} (${left} left)`)
    .join(", ");
  const message =
    pickedItems.length === 0
      ? `Nothing of the order is left to ${what}`
      : `The order has not so many to ${what}: ${shortItems}`;
  throw new PartlineError("INVALID_TRANSITION", message, short);
}

type ItemReference = Omit<NamedItem, "quantity">;

export function isNamed(line: OrderLine, { productId, partNumber }: ItemReference): boolean {
  return (productId ?? line.productId) === line.productId && (partNumber ?? line.partNumber) === line.partNumber;
}

/** Adds both names of their products to items of the order. */
export const nameItems = <I extends NamedItem>(order: MovedOrder, items: readonly I[]): (I & MovedItem)[] =>
  items.map((item) => {
    const { productId = "", partNumber = "" } = order.items.find((line) => isNamed(line, item)) ?? item;
    return { ...item, productId, partNumber };
  });

/**
 * Returns the lines of the product that an item names. Part numbers are unique within a vendor only.
 * @throws VALIDATION_FAILED if it names no product, or several
 */
export function findLines<L extends OrderLine>(lines: readonly L[], item: ItemReference, path: string): L[] {
  const field = `${path}.${item.productId === undefined && item.partNumber !== undefined ? "partNumber" : "productId"}`;
  if (item.productId === undefined && item.partNumber === undefined)
    throw invalidField(field, "is required without a 'partNumber'");
  const matchingLines = lines.filter((line) => isNamed(line, item));
  if (matchingLines.length === 0) throw invalidField(field, "names no item of the order");
  const products = [...new Set(matchingLines.map(({ productId }) => productId))];
  if (products.length === 1) return matchingLines;
  const ids = products.join(", ");
  throw invalidField(field, `names ${products.length} products of the order; name one by 'productId': ${ids}`);
}
