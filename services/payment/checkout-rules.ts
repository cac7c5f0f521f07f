import { validationFailed, type PartlineError } from "../../mixins/errors.ts";
import type { ShippingRate } from "../../broker/settings/shipping-rates.ts";
import { formatMoney, toCents, type Cents } from "../../mixins/money.ts";
import type { Checkout } from "./collections.ts";
import type { Purchase, ShippingSelection } from "./purchase.ts";

/** The provider's bounds of a payment in usd. */
const LEAST_TOTAL: Cents = 50;
const GREATEST_TOTAL: Cents = 99_999_999;

/** @throws VALIDATION_FAILED for a total that the provider cannot take */
export function assertPayable(total: Cents): void {
  if (total >= LEAST_TOTAL && total <= GREATEST_TOTAL) return;
  throw validationFailed({
    field: "items",
    message: `The total of the 'items' field and shipping must be from ${formatMoney(LEAST_TOTAL)} to ${formatMoney(GREATEST_TOTAL)}: it is ${formatMoney(total)}.`,
  });
}

/**
 * The rate that a shopper chose, in cents.
 * @throws VALIDATION_FAILED when the store offers rates and this is none of them
 */
export function chosenShipping(
  rate: Omit<ShippingRate, "estimatedDays"> & { estimatedDays?: number },
  offered?: readonly ShippingRate[],
): ShippingSelection {
  const { provider, serviceType, estimatedDays } = rate;
  const cost = toCents(rate.cost);
  const match = offered?.find(
    (other) => other.provider === provider && other.serviceType === serviceType && toCents(other.cost) === cost,
  );
  if (offered && !match) {
    throw validationFailed({
      field: "shippingRate",
      message: "The 'shippingRate' field must be one of the rates that are offered.",
    });
  }
  return { provider, serviceType, cost, ...withDays(match?.estimatedDays ?? estimatedDays) };
}

function withDays(estimatedDays: number | undefined): { estimatedDays?: number } {
  return estimatedDays === undefined ? {} : { estimatedDays };
}

export function cartIsPaid(): PartlineError {
  return validationFailed({ field: "cartId", message: "The 'cartId' field names a cart that is paid." });
}

/** Whether the order of a checkout would not be that of the user who now pays. */
export function isAnothers(
  { purchase }: { purchase: Pick<Purchase, "userId"> },
  customerId: string | undefined,
): boolean {
  return customerId !== undefined && purchase.userId !== customerId;
}

/** A checkout of a cart, as far as it tells which one. */
type OfCart = Pick<Checkout, "createdAt"> & { purchase: Pick<Purchase, "cartSavedAt"> };

/**
 * Whether what is paid stands for another checkout of the same cartId too: it does unless the other one is of a cart
 * that was saved anew since. Goes by when the cart was saved, not the checkout, whose record may be written while the
 * payment is.
 */
export function isPaidWith(other: OfCart, paid: OfCart | null, paidAt: Date): boolean {
  const { cartSavedAt } = other.purchase;
  // Of an older version: opened before the payment was heard of.
  if (cartSavedAt === undefined) return other.createdAt <= paidAt;
  return cartSavedAt === null || cartSavedAt <= (paid?.purchase.cartSavedAt ?? paidAt.getTime());
}

/**
 * What a cart's last session means for the next submission: `reuse` it, begin a new one (`replace`), or `ask` the
 * provider, because its time is up and no webhook has said how it ended.
 */
export function standingOf(
  checkout: Pick<Checkout, "status" | "expiresAt"> | null,
  now: Date,
): "reuse" | "replace" | "ask" {
  switch (checkout?.status) {
    case "complete":
      return "reuse";
    case "open":
      return checkout.expiresAt === undefined || checkout.expiresAt > now ? "reuse" : "ask";
    case "expired":
    case "failed":
    case undefined:
      return "replace";
  }
}
