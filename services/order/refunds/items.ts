import { validationFailed } from "../../../mixins/errors.ts";
import { subtotalOf, type Cents } from "../../../mixins/money.ts";
import type { OrderDocument, OrderLine, RefundedItem } from "../collections.ts";

/** A line with the quantity that is not refunded yet. `before` is the worth of the lines in front of it. */
type OpenLine = OrderLine & { left: number; before: Cents };

/**
 * Returns what was paid for these items: their share of the total without shipping, with tax and less discounts. The
 * shares of all items add up to the whole, to the cent.
 * @throws VALIDATION_FAILED naming an item that is not in the order, is ambiguous, or exceeds what is left
 */
export function paidFor(order: OrderDocument, items: RefundedItem[]): Cents {
  const lines = openLines(order);
  const worth = subtotalOf(order.items.map(({ price, quantity }) => ({ unitPrice: price, quantity })));
  const paid = Math.max(0, order.total - order.shipping);
  const share = (value: Cents): Cents => (worth === 0 ? 0 : Math.round((value * paid) / worth));
  return items
    .flatMap((item, index) => take(lines, item, `items[${index}]`))
    .reduce((sum, { from, to }) => sum + share(to) - share(from), 0);
}

/** Whether both name the same products and quantities, by whichever id. */
export function areSameItems(
  { items: lines }: OrderDocument,
  one: RefundedItem[] | undefined,
  other: RefundedItem[] | undefined,
): boolean {
  const countsOf = (items: RefundedItem[] = []): string => {
    const counts = new Map<string, number>();
    for (const item of items) {
      const { productId } = lines.find((line) => isNamed(line, item)) ?? item;
      counts.set(productId ?? "", (counts.get(productId ?? "") ?? 0) + item.quantity);
    }
    return JSON.stringify([...counts].sort());
  };
  return countsOf(one) === countsOf(other);
}

function openLines(order: OrderDocument): OpenLine[] {
  let before = 0;
  const lines = order.items.map((line) => {
    const open = { ...line, left: line.quantity, before };
    before += line.price * line.quantity;
    return open;
  });
  for (const refund of order.refunds) {
    if (refund.status === "failed") continue;
    for (const item of refund.items ?? [])
      takeFrom(
        lines.filter((line) => isNamed(line, item)),
        item.quantity,
      );
  }
  return lines;
}

function take(open: readonly OpenLine[], item: RefundedItem, path: string): { from: Cents; to: Cents }[] {
  const lines = namedLines(open, item, path);
  const available = lines.reduce((total, { left }) => total + left, 0);
  if (item.quantity > available) {
    const message = `The '${path}.quantity' field is ${item.quantity}, and ${available} of ${lines[0]!.partNumber} is left to refund.`;
    throw validationFailed({ field: `${path}.quantity`, message });
  }
  return takeFrom(lines, item.quantity);
}

/**
 * Returns the lines of the product that an item names. Part numbers are unique within a vendor only.
 * @throws VALIDATION_FAILED if it names no product, or several
 */
function namedLines(lines: readonly OpenLine[], item: RefundedItem, path: string): OpenLine[] {
  const field = `${path}.${item.productId === undefined && item.partNumber !== undefined ? "partNumber" : "productId"}`;
  if (item.productId === undefined && item.partNumber === undefined) {
    throw validationFailed({ field, message: `The '${field}' field is required without a 'partNumber'.` });
  }
  const named = lines.filter((line) => isNamed(line, item));
  if (named.length === 0)
    throw validationFailed({ field, message: `The '${field}' field names no item of the order.` });
  const products = new Set(named.map(({ productId }) => productId));
  if (products.size > 1) {
    const message = `The '${field}' field names ${products.size} products of the order; 'productId' tells them apart: ${[...products].join(", ")}.`;
    throw validationFailed({ field, message });
  }
  return named;
}

function isNamed(line: OrderLine, { productId, partNumber }: RefundedItem): boolean {
  return (productId ?? line.productId) === line.productId && (partNumber ?? line.partNumber) === line.partNumber;
}

/** Takes the quantity off the lines, and returns which stretches of the order's worth were taken. */
function takeFrom(lines: OpenLine[], quantity: number): { from: Cents; to: Cents }[] {
  let missing = quantity;
  return lines.map((line) => {
    const taken = Math.min(missing, line.left);
    const from = line.before + line.price * (line.quantity - line.left);
    line.left -= taken;
    missing -= taken;
    return { from, to: from + line.price * taken };
  });
}
