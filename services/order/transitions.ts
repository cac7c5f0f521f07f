import { type OrderStatus, type PaymentStatus, isCharged } from "../../broker/contract/placed-order.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import type { Cents } from "../../mixins/money.ts";
import type { ShippingAddress } from "../../broker/contract/common.ts";
import { assertShipsTo, countryCode, missingInAddress } from "../../mixins/postal-address.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./repository.ts";

/** Only the cancel action cancels. Source: section 3 of the commerce specification, "Orders" of the design. */
const NEXT_STATUS: Partial<Record<OrderStatus, OrderStatus>> = {
  pending: "processing",
  processing: "shipped",
  shipped: "delivered",
};

/** Whether `to` is the step after `from`; false for the same status. @throws INVALID_TRANSITION */
export function isStep(from: OrderStatus, to: OrderStatus): boolean {
  if (from === to) return false;
  if (NEXT_STATUS[from] === to) return true;
  throw new PartlineError("INVALID_TRANSITION", `An order that is ${from} cannot become ${to}`, { from, to });
}

/**
 * An order is shipped only once it is paid: a delayed payment may fail. A fully refunded order is not processed either.
 * @throws INVALID_TRANSITION
 */
export function assertPaidFor(to: OrderStatus, paymentStatus: PaymentStatus): void {
  const refused = (why: string) => new PartlineError("INVALID_TRANSITION", `An order ${why}`, { paymentStatus });
  if (paymentStatus === "refunded" && (to === "processing" || to === "shipped"))
    throw refused(`that is refunded in full cannot become ${to}; it can be cancelled`);
  if (to === "shipped" && !isCharged(paymentStatus))
    throw refused(`whose payment is ${paymentStatus} cannot be shipped`);
}

/** @throws ORDER_NOT_CANCELLABLE once the order, or a part of it, is shipped */
export function assertCancellable({ status, shipments }: Pick<OrderDocument, "status" | "shipments">): void {
  const isOpen = status === "pending" || status === "processing";
  if (isOpen && !shipments?.length) return;
  const what = isOpen ? "An order that is shipped in part" : `An order that is ${status}`;
  throw new PartlineError("ORDER_NOT_CANCELLABLE", `${what} cannot be cancelled`, { status });
}

export function paymentStatusAfter(current: PaymentStatus, refunded: Cents, total: Cents): PaymentStatus {
  if (refunded > 0) return refunded >= total ? "refunded" : "partially_refunded";
  return current === "refunded" || current === "partially_refunded" ? "paid" : current;
}

/** @throws VERSION_CONFLICT */
export function assertVersion(order: OrderDocument, version: number | undefined): void {
  if (version === undefined || version === order.version) return;
  const message = `The order is at version ${order.version}, not ${version}`;
  throw new PartlineError("VERSION_CONFLICT", message, { version: order.version });
}

type Addressed = Pick<OrderDocument, "fulfilment" | "shippingAddress" | "status">;

/** Whether shipping and tax were paid for another country or state, as far as the order knows one. */
function isPaidElsewhere(order: Addressed & Pick<OrderDocument, "shippingMethod">, to: ShippingAddress): boolean {
  if (lacksAddress(order) && !order.shippingMethod) return false;
  const { country, state } = order.shippingAddress ?? {};
  const codeOf = (name = ""): string => name.trim().toUpperCase();
  return (
    (country !== undefined && countryCode(country) !== to.country) ||
    (state !== undefined && codeOf(state) !== codeOf(to.state))
  );
}

/** Whether an order that is still to be shipped lacks a whole address. */
export function lacksAddress({ fulfilment, shippingAddress, status }: Addressed): boolean {
  if (fulfilment === "pickup" || (status !== "pending" && status !== "processing")) return false;
  return missingInAddress(shippingAddress).length > 0;
}

/**
 * Sets the address of an order that is still to be shipped. The event names the field alone. A buyer paid for shipping
 * and tax of a place, which the shop alone changes.
 * @param ofBuyer where the shop ships to; undefined for the shop's staff
 * @throws VALIDATION_FAILED naming each field that it lacks, or a country that is not shipped to; INVALID_TRANSITION
 * once anything is shipped, for an order that is picked up or cancelled, or for another state than a buyer paid for
 */
export function setAddress(
  order: OrderDocument,
  shippingAddress: ShippingAddress,
  actor: string,
  ofBuyer?: { shipTo: readonly string[] | undefined },
): Change {
  const { status, fulfilment, shipments, cancelling } = order;
  const refused = (message: string) => new PartlineError("INVALID_TRANSITION", message, { status });
  if (cancelling) throw refused("The order is being cancelled");
  if (fulfilment === "pickup" || (status !== "pending" && status !== "processing") || shipments?.length) {
    const why = fulfilment === "pickup" ? "is picked up" : shipments?.length ? "is shipped in part" : `is ${status}`;
    throw refused(`The address of an order that ${why} cannot be changed`);
  }
  const missing = missingInAddress(shippingAddress).map((field) => `shippingAddress.${field}`);
  if (missing.length > 0) {
    const fields = missing.map((field) => `'${field}'`).join(", ");
    throw validationFailed({ field: missing[0]!, message: `A whole address needs ${fields} (a country as ISO 3166).` });
  }
  const country = countryCode(shippingAddress.country)!;
  if (ofBuyer?.shipTo) assertShipsTo({ country }, "shippingAddress", ofBuyer.shipTo);
  if (ofBuyer && isPaidElsewhere(order, { ...shippingAddress, country }))
    throw refused("Shipping and tax were paid for another state: ask the shop to change it");
  return {
    order: { ...order, shippingAddress: { ...shippingAddress, country } },
    actor,
    event: { channel: "order.updated", changed: ["shippingAddress"] },
  };
}
