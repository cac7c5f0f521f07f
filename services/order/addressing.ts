import type { ShippingAddress } from "../../broker/contract/common.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { countryCode, missingInAddress } from "../../mixins/postal-address.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./repository.ts";

/** Where an order goes: rules as pure functions. */

type Addressed = Pick<OrderDocument, "fulfilment" | "shippingAddress" | "status">;

/** Whether an order that is still to be shipped lacks a whole address. */
export function lacksAddress({ fulfilment, shippingAddress, status }: Addressed): boolean {
  if (fulfilment === "pickup" || (status !== "pending" && status !== "processing")) return false;
  return missingInAddress(shippingAddress).length > 0;
}

/**
 * Sets the address of an order that is still to be shipped. The event names the field alone.
 * @throws VALIDATION_FAILED naming each field that it lacks; INVALID_TRANSITION once anything is shipped, or for an
 * order that is picked up or cancelled
 */
export function setAddress(order: OrderDocument, shippingAddress: ShippingAddress, actor: string): Change {
  const { status, fulfilment, shipments, cancelling } = order;
  if (cancelling) throw new PartlineError("INVALID_TRANSITION", "The order is being cancelled", { status });
  if (fulfilment === "pickup" || (status !== "pending" && status !== "processing") || shipments?.length) {
    const why = fulfilment === "pickup" ? "is picked up" : shipments?.length ? "is shipped in part" : `is ${status}`;
    throw new PartlineError("INVALID_TRANSITION", `The address of an order that ${why} cannot be changed`, { status });
  }
  const missing = missingInAddress(shippingAddress).map((field) => `shippingAddress.${field}`);
  if (missing.length > 0) {
    const fields = missing.map((field) => `'${field}'`).join(", ");
    throw validationFailed({ field: missing[0]!, message: `A whole address needs ${fields} (a country as ISO 3166).` });
  }
  const country = countryCode(shippingAddress.country)!;
  return {
    order: { ...order, shippingAddress: { ...shippingAddress, country } },
    actor,
    event: { channel: "order.updated", changed: ["shippingAddress"] },
  };
}
