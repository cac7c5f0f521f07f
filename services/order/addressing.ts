import type { ShippingAddress } from "../../broker/contract/common.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { assertShipsTo, countryCode, missingInAddress } from "../../mixins/postal-address.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./repository.ts";

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
