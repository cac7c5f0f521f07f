import type { Stripe } from "stripe";
import { type ShippingAddress, shippingAddressRule } from "../shared/commerce.ts";
import { assertUpcoming } from "../shared/upcoming-day.ts";
import type { deliveryPromiseRule } from "../shared/placed-order.ts";
import { invalidField } from "../../mixins/errors.ts";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { toCountryCode, listMissingFields } from "@partline/toolkit/pure";
import { onOneLine } from "@partline/parts-language";
import type { Infer } from "@partline/api-contracts";

interface Delivered {
  deliveryPromise?: Infer<typeof deliveryPromiseRule>;
  fulfilment?: "ship" | "pickup";
  pickupPlace?: string;
  shippingAddress?: ShippingAddress;
}

const LONGEST_PROMISE_DAYS = 365;

type ToCheck = Delivered & { items?: readonly Pick<Delivered, "deliveryPromise">[] };

/**
 * Returns where the buyer collects a pickup order; undefined if it ships, or if the shop names no places.
 * @throws VALIDATION_FAILED for a place that is missing or that the shop has not, and a place or a promise that is of
 * another fulfilment
 */
export function resolvePickupPlace(
  { fulfilment = "ship", pickupPlace, deliveryPromise, items = [] }: ToCheck,
  { pickupPlaces }: Pick<ShopFacts, "pickupPlaces">,
): string | undefined {
  const kinds = fulfilment === "pickup" ? ["ready"] : ["arrives", "ships"];
  for (const [index, { deliveryPromise: promise }] of [{ deliveryPromise }, ...items].entries()) {
    const field = `${index === 0 ? "" : `items[${index - 1}].`}deliveryPromise`;
    if (promise && !kinds.includes(promise.kind))
      throw invalidField(`${field}.kind`, `must be ${kinds.join(" or ")} with the fulfilment ${fulfilment}`);
    assertUpcoming(promise?.day, `${field}.day`, LONGEST_PROMISE_DAYS);
  }
  if (fulfilment !== "pickup" && pickupPlace !== undefined)
    throw invalidField("pickupPlace", 'needs `fulfilment: "pickup"`');
  if (fulfilment !== "pickup") return undefined;
  const ids = pickupPlaces.map(({ id }) => id);
  const mustBeNamed = pickupPlace !== undefined || ids.length > 1;
  if (mustBeNamed && !ids.some((id) => id === pickupPlace))
    throw invalidField("pickupPlace", "must be a pickup place of the shop: GET /api/shop lists them");
  return pickupPlace ?? ids[0];
}

/** An address that a parcel can be sent to; `country` is its ISO 3166 code. */
export type WholeAddress = ShippingAddress & { name: string; street: string; city: string; country: string };

/** Returns the address that a parcel goes to; undefined if it is incomplete, or if the buyer collects the order. */
export function findDeliveryAddress({ fulfilment, shippingAddress: address }: Delivered): WholeAddress | undefined {
  if (fulfilment === "pickup" || !address || listMissingFields(address).length > 0) return undefined;
  return { ...(address as WholeAddress), country: toCountryCode(address.country)! };
}

export function toProviderShipping({ name, phone, street, city, state, postalCode, country }: WholeAddress) {
  return {
    name,
    ...(phone ? { phone } : {}),
    address: {
      line1: street,
      city,
      ...(state ? { state } : {}),
      ...(postalCode ? { postal_code: postalCode } : {}),
      country,
    },
  };
}

interface ProviderShipping {
  name?: string | null;
  phone?: string | null;
  address?: Partial<Stripe.Address> | null;
}

export function fromProviderShipping({ name, phone, address }: ProviderShipping): ShippingAddress {
  const { line1, line2, city, state, postal_code: postalCode, country } = address ?? {};
  const street = [line1, line2].filter(Boolean).join(", ");
  return toOrderableAddress({ name, street, city, state, postalCode, country, phone });
}

/** Drops unusable parts of an address: what is paid is ordered in any case. */
export function toOrderableAddress(address: {
  [F in keyof ShippingAddress]: string | null | undefined;
}): ShippingAddress {
  const fields = Object.entries(shippingAddressRule.props).flatMap(([field, { max }]) => {
    const value: unknown = address[field as keyof ShippingAddress];
    const text = typeof value === "string" ? onOneLine(value).slice(0, max).toWellFormed() : "";
    return text === "" ? [] : [[field, text] as const];
  });
  return Object.fromEntries(fields);
}
