import { sumByKey } from "@partline/toolkit/pure";
import { hash } from "node:crypto";
import { getAt } from "@partline/toolkit";
import { type Caller, assertIsUser } from "../../broker/contract/context.ts";
import type { Result } from "@partline/api-contracts";
import { type Availability, type Cents, formatMoney, toDecimal } from "@partline/parts-language";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import type { Actions } from "../contracts.ts";
import type { Checkout } from "./collections.ts";
import type { BuyersCart, Line, Owner, PricedLine, Purchase } from "./purchase.ts";

/** How long a quote holds, and so do prices that a checkout was opened at. */
export const PRICES_HOLD_MS = 30 * 60_000;

/** The provider's bounds of a payment in usd. */
const LEAST_TOTAL: Cents = 50;
const GREATEST_TOTAL: Cents = 99_999_999;

/** The field of a request by which its items come. */
export type ItemsField = "items" | "cartId";

/** @throws VALIDATION_FAILED for a total that the provider cannot take */
export function assertPayable(total: Cents, field: ItemsField = "items"): void {
  if (total >= LEAST_TOTAL && total <= GREATEST_TOTAL) return;
  const bounds = `from ${formatMoney(LEAST_TOTAL)} to ${formatMoney(GREATEST_TOTAL)}`;
  throw invalidField(field, `must have a total with shipping ${bounds}: it is ${formatMoney(total)}`);
}

export function createCartPaidError(): PartlineError {
  return invalidField("cartId", "names a cart that is already paid");
}

/** Returns whether the order would belong to another than the user who now pays. */
export function isAnothers({ purchase }: Checkout, buyer: string | undefined): boolean {
  return buyer !== undefined && purchase.userId !== buyer;
}

type CartPurchase = { purchase: Pick<Purchase, "cartSavedAt"> };

/**
 * Returns whether a payment covers another checkout of the cartId: not if that one's cart was saved later. A checkout's
 * record may be written while the payment is made, so the times of saving count.
 */
export function isPaidWith(otherCheckout: CartPurchase, paid: CartPurchase | null, paidAt: Date): boolean {
  const { cartSavedAt = null } = otherCheckout.purchase;
  return cartSavedAt === null || cartSavedAt <= (paid?.purchase.cartSavedAt ?? paidAt.getTime());
}

/**
 * Resolves what the next submission of a cart does with its last session: `reuse` it, `replace` it, or `ask` the
 * provider, because it has expired by our clock and no webhook has said how it ended.
 */
export function resolveStanding(
  checkout: Pick<Checkout, "status" | "expiresAt"> | null,
  now: Date,
): "reuse" | "replace" | "ask" {
  if (checkout?.status === "complete") return "reuse";
  if (checkout?.status !== "open") return "replace";
  return checkout.expiresAt === undefined || checkout.expiresAt > now ? "reuse" : "ask";
}

const FOREIGN = "This checkout belongs to someone else";

/**
 * Returns the user who buys: the one that the request names, else the cart's, else the one of the token; undefined for
 * a guest. Keys and the admin token are nobody's.
 */
export function findBuyer(customerId: string | undefined, cart: Owner | null, { user }: Caller): string | undefined {
  return customerId ?? cart?.userId ?? user?.sub;
}

/** A user's saved cart has no other owner; a guest's cart also belongs to the customer who checks it out. */
export function resolveOwner(cart: Owner | null, buyer: string | undefined): Owner {
  const userId = cart?.userId ?? buyer;
  return { userId, sessionId: cart?.userId === undefined ? cart?.sessionId : undefined };
}

/** Returns whose own cart loses what is paid; undefined for nobody's. */
export function resolveOwnCart(caller: Caller, owner: Owner): BuyersCart | undefined {
  const userId = owner.userId ?? caller.user?.sub;
  // An admin's session has none of the customer's cart.
  const sessionId = userId === caller.user?.sub ? (caller.sessionId ?? owner.sessionId) : undefined;
  if (userId === undefined && sessionId === undefined) return undefined;
  return { userId, sessionId, openedAt: Date.now() };
}

/**
 * Lets pass who may see or repeat a checkout. Source: design, Carts and Checkout; spec, section 5, rule 5.
 * @throws UNAUTHORIZED without the user's token, FORBIDDEN for another's checkout
 */
export function assertMayUse(caller: Caller, owner: Owner): void {
  if (caller.admin) return;
  if (owner.sessionId !== undefined && owner.sessionId === caller.sessionId) return;
  if (owner.userId !== undefined) assertIsUser(caller, owner.userId, FOREIGN);
  else if (owner.sessionId !== undefined) throw new PartlineError("FORBIDDEN", FOREIGN);
}

/** A checkout is made for its user by that user, or by an admin. @throws UNAUTHORIZED, FORBIDDEN */
export function assertMayPayFor(caller: Caller, customerId: string | undefined): void {
  if (customerId !== undefined) assertIsUser(caller, customerId, "The 'customerId' field must be the token's user id");
}

/** Item as the shopper saw it. */
export interface ShownItem {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  unitPrice: Cents;
  manufacturer?: string;
  deliveryPromise?: Line["deliveryPromise"];
}

export type CatalogItem = Result<Actions["catalog.price"]>["items"][number];

/** Items that a refusal names in its message; its details list all. */
const NAMED_IN_MESSAGE = 10;

/**
 * Returns the lines to be paid, each at its catalog price, which must be the one that was shown. `catalog` is in the
 * order of the items. Source: spec, section 7; design, Checkout.
 * @throws VALIDATION_FAILED naming every item that cannot be sold (`details`: { field, message, successor }) and every
 * one whose price changed ({ partNumber, oldPrice, newPrice }, in currency units)
 */
export function checkPrices(
  items: readonly ShownItem[],
  catalog: readonly CatalogItem[],
  from: ItemsField = "items",
): PricedLine[] {
  const unavailable: { message: string; details: object }[] = [];
  const changedLines: typeof unavailable = [];
  const lines = items.flatMap((item, index): PricedLine[] => {
    const catalogItem = catalog[index];
    const why = explainUnavailable(catalogItem);
    const { productId, partNumber, title, quantity, unitPrice, deliveryPromise } = item;
    if (why !== undefined || catalogItem?.price == null) {
      const message = `"${title}" (${partNumber}) ${why}`;
      const successor = catalogItem?.successor && presentSuccessor(catalogItem.successor);
      const field = from === "items" ? `items[${index}]` : from;
      unavailable.push({ message, details: { field, message, successor } });
      return [];
    }
    const { price, imageUrl } = catalogItem;
    if (price !== unitPrice) {
      changedLines.push({
        message: `Price changed for "${title}" (${partNumber}): was ${formatMoney(unitPrice)}, now ${formatMoney(price)}`,
        details: { partNumber, oldPrice: toDecimal(unitPrice), newPrice: toDecimal(price) },
      });
    }
    return [
      {
        productId: catalogItem.productId ?? productId,
        partNumber: catalogItem.partNumber ?? partNumber,
        name: catalogItem.title ?? title,
        quantity,
        price,
        imageUrl,
        deliveryPromise,
      },
    ];
  });
  const refusals = [...unavailable, ...changedLines];
  if (refusals.length === 0) return lines;
  const messages = refusals.slice(0, NAMED_IN_MESSAGE).map(({ message }) => message);
  if (refusals.length > NAMED_IN_MESSAGE) messages.push(`and ${refusals.length - NAMED_IN_MESSAGE} more`);
  throw new PartlineError(
    "VALIDATION_FAILED",
    messages.join("; "),
    refusals.map(({ details }) => details),
  );
}

/** Returns the quantities by the shopper's productIds. */
export function toSentItems({ items, sentIds = [] }: Pick<Purchase, "items" | "sentIds">) {
  return items.map(({ productId, quantity }, index) => ({ productId: sentIds[index] ?? productId, quantity }));
}

/** Returns whether a checkout was opened for other products, quantities or prices than are sent now. */
export function areItemsDifferent(
  purchase: Pick<Purchase, "items" | "sentIds">,
  sentItems: readonly ShownItem[],
): boolean {
  const bought = toSentItems(purchase).map((item, index) => ({ ...item, price: getAt(purchase.items, index).price }));
  return (
    computeLinesDigest(bought) !== computeLinesDigest(sentItems.map((item) => ({ ...item, price: item.unitPrice })))
  );
}

/** The same for lines of the same products, quantities and prices, in any order. */
export function computeLinesDigest(lines: readonly Pick<Line, "productId" | "quantity" | "price">[]): string {
  const quantities = sumByKey(
    lines.map(({ productId, quantity, price }) => [JSON.stringify([productId, price]), quantity]),
  );
  const sorted = [...quantities].sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify(sorted), "base64url").slice(0, 22);
}

/** Explains why an item cannot be sold; undefined if it can. */
export function explainUnavailable(catalogItem: CatalogItem | undefined): string | undefined {
  if (!catalogItem?.found) return "is not in the catalog";
  if (catalogItem.status !== "discontinued") return catalogItem.price === null ? "has no price" : undefined;
  if (!catalogItem.successor) return "is discontinued";
  const { title, partNumber, price, availability } = catalogItem.successor;
  const priceText = price === null ? "without a price" : `at ${formatMoney(price)}`;
  return `is discontinued, replaced by "${title}" (${partNumber}) ${priceText}, ${AVAILABILITY_WORDS[availability]}`;
}

const AVAILABILITY_WORDS: Record<Availability, string> = {
  in_stock: "in stock",
  low_stock: "low stock",
  out_of_stock: "out of stock",
  unknown: "stock unknown",
};

function presentSuccessor(successor: NonNullable<CatalogItem["successor"]>) {
  const { productId, partNumber, title, price, availability } = successor;
  return { productId, partNumber, title, price: price === null ? null : toDecimal(price), availability };
}
