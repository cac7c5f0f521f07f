import { getAt } from "@partline/toolkit";
import { LINE_COUNT, STORE_CURRENCY, type sentCartItemRule } from "../shared/commerce.ts";
import type { Infer } from "@partline/api-contracts";
import { invalidField, notFound } from "../../mixins/errors.ts";
import { formatMoney, computeSubtotal, toCents, toDecimal } from "@partline/parts-language";
import type { Line, OwnCart, SavedCart } from "./collections.ts";

/** Line as a client sends it, unitPrice in currency units. */
export type LineInput = Infer<typeof sentCartItemRule>;

/** Largest quantity of a product. Source: design, Carts. */
export const MAX_QUANTITY = 9_999;

export function toLine(item: LineInput): Line {
  const { productId, partNumber, title, quantity, manufacturer, availability } = item;
  const [unitPrice, imageUrl] = [toCents(item.unitPrice), item.imageUrl ?? undefined];
  return { productId, partNumber, title, quantity, unitPrice, manufacturer, imageUrl, availability };
}

/**
 * Returns one line for each product: lines of a product at the same price are added up.
 * @throws VALIDATION_FAILED for a product at two prices, or more than 9,999 of it
 */
export function toLines(items: readonly LineInput[]): Line[] {
  const linesByProduct = new Map<string, Line>();
  for (const [index, item] of items.entries()) {
    const line = toLine(item);
    const existingLine = linesByProduct.get(line.productId);
    if (existingLine && existingLine.unitPrice !== line.unitPrice) {
      const prices = `${formatMoney(existingLine.unitPrice)} and ${formatMoney(line.unitPrice)}`;
      const why = `must be that of the other line with the same productId: they are ${prices}`;
      throw invalidField(`items[${index}].unitPrice`, why);
    }
    if (existingLine)
      existingLine.quantity = sumWithinLimit(existingLine.quantity, line.quantity, `items[${index}].quantity`);
    else linesByProduct.set(line.productId, line);
  }
  return [...linesByProduct.values()];
}

/**
 * Adds to the line of the same product, which keeps its place and takes the new title and price (the shopper saw those
 * last); otherwise appends a line.
 * @throws VALIDATION_FAILED beyond 9,999 of a product or 100 lines
 */
export function addLine(lines: readonly Line[], newLine: Line, field = "item"): Line[] {
  const index = findLineIndex(lines, newLine.productId);
  if (index >= 0) {
    const quantity = sumWithinLimit(getAt(lines, index).quantity, newLine.quantity, `${field}.quantity`);
    return lines.with(index, { ...newLine, quantity });
  }
  if (lines.length < LINE_COUNT.max) return [...lines, newLine];
  throw invalidField(field, `does not fit: a cart has at most ${LINE_COUNT.max} lines`);
}

/** Adds each line with `addLine`, all or none. */
export function addLines(lines: readonly Line[], newLines: readonly Line[]): Line[] {
  return newLines.reduce<Line[]>((sum, line, index) => addLine(sum, line, `items[${index}]`), [...lines]);
}

/**
 * Sets the quantity of a product's line; 0 removes it if it exists.
 * @throws NOT_FOUND for another quantity without a line
 */
export function setQuantity(lines: readonly Line[], productId: string, quantity: number): Line[] {
  const index = findLineIndex(lines, productId);
  if (quantity === 0) return index < 0 ? [...lines] : lines.toSpliced(index, 1);
  if (index < 0) throw notFound("Cart item");
  return lines.with(index, { ...getAt(lines, index), quantity });
}

/** @throws NOT_FOUND */
export function getLine(lines: readonly Line[], productId: string): Line {
  const line = lines[findLineIndex(lines, productId)];
  if (!line) throw notFound("Cart item");
  return line;
}

/**
 * Puts another product in the place of a line, adding to its quantity that of a line that it has already.
 * @throws NOT_FOUND without the line; VALIDATION_FAILED beyond 9,999 of the product
 */
export function replaceLine(lines: readonly Line[], productId: string, part: Omit<Line, "quantity">): Line[] {
  const { quantity } = getLine(lines, productId);
  const existingLines = lines.filter((line) => line.productId === part.productId && line.productId !== productId);
  const sum = existingLines.reduce((total, line) => sumWithinLimit(total, line.quantity, "productId"), quantity);
  return lines.flatMap((line) =>
    line.productId === productId ? [{ ...part, quantity: sum }] : existingLines.includes(line) ? [] : [line],
  );
}

/**
 * Merges a guest's lines at sign-in: at most 9,999 of a product, and the first new products that fit into 100 lines.
 * Caps instead of refusing, as no request asked for it.
 */
export function mergeLines(lines: readonly Line[], guestLines: readonly Line[]): Line[] {
  return guestLines.reduce<Line[]>(
    (sum, line) => {
      const index = findLineIndex(sum, line.productId);
      if (index >= 0)
        return sum.with(index, {
          ...line,
          quantity: Math.min(getAt(sum, index).quantity + line.quantity, MAX_QUANTITY),
        });
      return sum.length < LINE_COUNT.max ? [...sum, line] : sum;
    },
    [...lines],
  );
}

/**
 * Takes what was bought out of a cart, and out of `bought` (quantities by productId): nothing of lines that were added
 * since the checkout was opened (`openedAt`), and not what was added to the others. @returns undefined if nothing is
 * taken
 */
export function takeBought(lines: readonly Line[], bought: Map<string, number>, openedAt: number): Line[] | undefined {
  let isChanged = false;
  const remainingLines = lines.flatMap((line) => {
    const openQuantity = bought.get(line.productId) ?? 0;
    const takenQuantity = (line.addedAt ?? 0) > openedAt ? 0 : Math.min(line.quantity, openQuantity);
    if (takenQuantity === 0) return [line];
    isChanged = true;
    bought.set(line.productId, openQuantity - takenQuantity);
    return takenQuantity === line.quantity ? [] : [{ ...line, quantity: line.quantity - takenQuantity }];
  });
  return isChanged ? remainingLines : undefined;
}

function findLineIndex(lines: readonly Line[], productId: string): number {
  return lines.findIndex((line) => line.productId === productId);
}

function sumWithinLimit(quantity: number, increment: number, field: string): number {
  const sum = quantity + increment;
  if (sum <= MAX_QUANTITY) return sum;
  const why = `must not bring the product's quantity above ${MAX_QUANTITY}: the cart has ${quantity} of it`;
  throw invalidField(field, why);
}

export function presentSavedCart({ _id, items, createdAt, expiresAt }: SavedCart) {
  return {
    cartId: _id,
    items: presentLines(items),
    ...presentSubtotal(items),
    createdAt,
    expiresAt: expiresAt ?? null,
  };
}

/** A cart that was never written, null, is shown as empty. */
export function presentOwnCart(cart: OwnCart | null) {
  const items = cart?.items ?? [];
  return {
    items: presentLines(items),
    total: toDecimal(computeSubtotal(items)),
    itemCount: items.reduce((count, line) => count + line.quantity, 0),
    lastSyncedAt: cart?.updatedAt ?? null,
  };
}

export function presentUserCart(userId: string, cart: OwnCart | null) {
  const items = cart?.items ?? [];
  return { userId, items: presentLines(items), ...presentSubtotal(items), updatedAt: cart?.updatedAt ?? null };
}

/** Presents the cart to services that charge, with all amounts in cents. */
export function presentForCheckout({ _id, userId, sessionId, items, createdAt }: SavedCart) {
  return { cartId: _id, userId, sessionId, items, subtotal: computeSubtotal(items), createdAt };
}

function presentLines(lines: readonly Line[]) {
  return lines.map(({ addedAt: _addedAt, ...line }) => ({
    ...line,
    unitPrice: toDecimal(line.unitPrice),
    currency: STORE_CURRENCY,
  }));
}

function presentSubtotal(lines: readonly Line[]) {
  return { subtotal: toDecimal(computeSubtotal(lines)), currency: STORE_CURRENCY } as const;
}
