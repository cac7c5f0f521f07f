import { validationFailed } from "../../mixins/errors.ts";
import type { ShippingRate } from "../../broker/settings/shipping-rates.ts";
import { formatMoney, toCents, type Cents } from "../../mixins/money.ts";
import type { Checkout } from "./collections.ts";
import type { ShippingSelection } from "./purchase.ts";

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
export function chosenShipping(rate: Omit<ShippingRate, "estimatedDays"> & { estimatedDays?: number }, offered?: readonly ShippingRate[]): ShippingSelection {
  const { provider, serviceType, estimatedDays } = rate;
  const cost = toCents(rate.cost);
  const match = offered?.find((other) => other.provider === provider && other.serviceType === serviceType && toCents(other.cost) === cost);
  if (offered && !match) {
    throw validationFailed({ field: "shippingRate", message: "The 'shippingRate' field must be one of the rates that are offered." });
  }
  return { provider, serviceType, cost, ...withDays(match?.estimatedDays ?? estimatedDays) };
}

function withDays(estimatedDays: number | undefined): { estimatedDays?: number } {
  return estimatedDays === undefined ? {} : { estimatedDays };
}

/**
 * What a cart's last session means for the next submission: `reuse` it, begin a new one (`replace`), or `ask` the
 * provider, because its time is up and no webhook has said how it ended.
 */
export function standingOf(checkout: Pick<Checkout, "status" | "expiresAt"> | null, now: Date): "reuse" | "replace" | "ask" {
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
