import { validationFailed, type PartlineError } from "../../mixins/errors.ts";
import type { ShippingRate } from "../../broker/settings.ts";
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

/** Returns a shopper's rate in cents. @throws VALIDATION_FAILED if the store offers rates and this is none of them */
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
  const days = match?.estimatedDays ?? estimatedDays;
  return { provider, serviceType, cost, ...(days === undefined ? {} : { estimatedDays: days }) };
}

export function cartIsPaid(): PartlineError {
  return validationFailed({ field: "cartId", message: "The 'cartId' field names a cart that is paid." });
}

/** Whether the order of a checkout would belong to another than the user who now pays. */
export function isAnothers(
  { purchase }: { purchase: Pick<Purchase, "userId"> },
  customerId: string | undefined,
): boolean {
  return customerId !== undefined && purchase.userId !== customerId;
}

type OfCart = Pick<Checkout, "createdAt"> & { purchase: Pick<Purchase, "cartSavedAt"> };

/**
 * Whether a payment also covers another checkout of the same cartId: it does unless that one is of a cart that was saved
 * again since. Compares when the carts were saved: a checkout's record may be written while the payment is.
 */
export function isPaidWith(other: OfCart, paid: OfCart | null, paidAt: Date): boolean {
  const { cartSavedAt } = other.purchase;
  // Written by an older version: compare when the checkout was opened with when the payment was recorded.
  if (cartSavedAt === undefined) return other.createdAt <= paidAt;
  return cartSavedAt === null || cartSavedAt <= (paid?.purchase.cartSavedAt ?? paidAt.getTime());
}

/**
 * Decides what the next submission of a cart does with its last session: `reuse` it, open a new one (`replace`), or
 * `ask` the provider, because it has expired by our clock and no webhook has said how it ended.
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
