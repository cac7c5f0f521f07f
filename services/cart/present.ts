import { STORE_CURRENCY } from "../../broker/contract/common.ts";
import { subtotalOf, toDecimal } from "../../mixins/money.ts";
import type { OwnCart, SavedCart } from "./collections.ts";
import type { Line } from "./lines.ts";

/** Null for a cart that was never written, which is shown as empty. */
type OwnCartOrNone = Pick<OwnCart, "items" | "updatedAt"> | null;

export function presentSavedCart({ _id, items, createdAt, expiresAt }: SavedCart) {
  return { cartId: _id, items: presentLines(items), ...money(items), createdAt, expiresAt: expiresAt ?? null };
}

export function presentOwnCart(cart: OwnCartOrNone) {
  const items = cart?.items ?? [];
  return {
    items: presentLines(items),
    total: toDecimal(subtotalOf(items)),
    itemCount: items.reduce((count, line) => count + line.quantity, 0),
    lastSyncedAt: cart?.updatedAt ?? null,
  };
}

export function presentUserCart(userId: string, cart: OwnCartOrNone) {
  const items = cart?.items ?? [];
  return { userId, items: presentLines(items), ...money(items), updatedAt: cart?.updatedAt ?? null };
}

/** For the services that charge: everything in cents. */
export function presentForCheckout({ _id, userId, sessionId, items, createdAt }: SavedCart) {
  return { cartId: _id, userId, sessionId, items, subtotal: subtotalOf(items), createdAt };
}

function presentLines(lines: readonly Line[]) {
  return lines.map((line) => ({ ...line, unitPrice: toDecimal(line.unitPrice), currency: STORE_CURRENCY }));
}

function money(lines: readonly Line[]) {
  return { subtotal: toDecimal(subtotalOf(lines)), currency: STORE_CURRENCY } as const;
}
