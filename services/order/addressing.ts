import { getAt } from "@partline/toolkit";
import type { ShippingAddress } from "../shared/commerce.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { formatAmount, toMajorUnits } from "@partline/parts-language";
import { toCountryCode, listMissingFields } from "@partline/toolkit/pure";
import { assertShipsTo } from "../shared/shipping-costs.ts";
import type { Underpaid } from "../../mixins/shipping-rates/underpaid.ts";
import type { OrderDocument } from "./collections.ts";
import { type Change, recordFields } from "./order-change.ts";

type Addressed = Pick<OrderDocument, "fulfilment" | "status" | "paymentStatus" | "shippingAddress">;

/**
 * Returns whether the address is in another country or state than the one that tax was paid for, as far as the order
 * knows it. So is shipping of an order that does not say what place it was paid for.
 */
function isTaxedElsewhere(order: OrderDocument, to: ShippingAddress): boolean {
  if (isAddressMissing(order) && !order.shippingMethod) return false;
  const { country, state } = order.shippingAddress ?? {};
  const toCode = (name = ""): string => name.trim().toUpperCase();
  return (
    (country !== undefined && toCountryCode(country) !== to.country) ||
    (state !== undefined && toCode(state) !== toCode(to.state))
  );
}

/** Returns whether an address costs more than the one that an order has: what it already lacks is no new fault. */
function isDearer(to: Underpaid | undefined, now: Underpaid | undefined): to is Underpaid {
  if (!to) return false;
  if (to.amount === undefined || now?.amount === undefined) return to.goesTo !== now?.goesTo;
  return to.amount > now.amount;
}

/** @throws SHIPPING_UNDERPAID with the difference */
function assertPaidFor(underpaid: Underpaid | undefined, { shippingUnderpaid, currency }: OrderDocument): void {
  if (!isDearer(underpaid, shippingUnderpaid)) return;
  const { amount, paidFor, goesTo } = underpaid;
  const difference = amount === undefined ? "is not known" : `is ${formatAmount(amount, currency)} more`;
  throw new PartlineError(
    "SHIPPING_UNDERPAID",
    `Shipping was paid for ${paidFor}. To ${goesTo} its cost ${difference}: ask the shop to change the address`,
    { ...(amount === undefined ? {} : { amount: toMajorUnits(amount, currency) }), paidFor, goesTo },
  );
}

export function isToBeShipped({ fulfilment, status, paymentStatus }: Addressed): boolean {
  return fulfilment !== "pickup" && (status === "pending" || status === "processing") && paymentStatus !== "refunded";
}

/** Returns whether an order that is still to be shipped lacks a whole address. */
export function isAddressMissing(order: Addressed): boolean {
  return isToBeShipped(order) && listMissingFields(order.shippingAddress).length > 0;
}

/** Terms for an address that a buyer gives. */
export interface BuyerTerms {
  /** Countries that the shop ships to; undefined where that is not enforced. */
  shipTo: readonly string[] | undefined;
  /** Tax is calculated for a place. */
  isTaxed: boolean;
}

/**
 * Sets the address of an order that is still to be shipped. The event names the fields alone. A buyer paid for shipping
 * and tax of a place, which the shop alone changes.
 * @param buyerTerms undefined for the shop's staff
 * @param underpaid what shipping there costs more than was paid
 * @throws VALIDATION_FAILED naming each field that it lacks, or a country that is not shipped to; INVALID_TRANSITION
 * once anything is shipped, for an order that is picked up or cancelled, or for another state than a buyer paid tax
 * for; SHIPPING_UNDERPAID if it costs a buyer more than was paid
 */
export function setAddress(
  order: OrderDocument,
  shippingAddress: ShippingAddress,
  actor: string,
  buyerTerms?: BuyerTerms,
  underpaid?: Underpaid,
): Change {
  const { fulfilment, paymentStatus, shipments, cancelling } = order;
  const status = paymentStatus === "refunded" ? paymentStatus : order.status;
  const createRefusal = (message: string) => new PartlineError("INVALID_TRANSITION", message, { status });
  if (cancelling) throw createRefusal("The order is being cancelled");
  if (!isToBeShipped(order) || shipments?.length) {
    const why = fulfilment === "pickup" ? "is picked up" : shipments?.length ? "is shipped in part" : `is ${status}`;
    throw createRefusal(`The address of an order that ${why} cannot be changed`);
  }
  const missing = listMissingFields(shippingAddress).map((field) => `shippingAddress.${field}`);
  if (missing.length > 0) {
    const fields = missing.map((field) => `'${field}'`).join(", ");
    throw validationFailed({
      field: getAt(missing, 0),
      message: `A complete address needs ${fields} (country as an ISO 3166 code).`,
    });
  }
  const wholeAddress = { ...shippingAddress, country: toCountryCode(shippingAddress.country)! };
  if (buyerTerms?.shipTo) assertShipsTo(wholeAddress, "shippingAddress", buyerTerms.shipTo);
  if (buyerTerms) assertPaidFor(underpaid, order);
  const isOfState = buyerTerms?.isTaxed || order.tax > 0 || !order.shippingPaidFor;
  if (buyerTerms && isOfState && isTaxedElsewhere(order, wholeAddress))
    throw createRefusal("Shipping and tax were paid for another state: ask the shop to change it");
  const isOther = underpaid !== undefined || order.shippingUnderpaid !== undefined;
  const next = { ...order, shippingAddress: wholeAddress, shippingUnderpaid: underpaid };
  return recordFields(next, actor, "shippingAddress", ...(isOther ? ["shippingUnderpaid"] : []));
}
