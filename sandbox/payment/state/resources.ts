import type Stripe from "stripe";

/** A price as it is on the wire, where a decimal is text. */
export type WirePrice = Omit<Stripe.Price, "unit_amount_decimal"> & { unit_amount_decimal: string | null };
export type WireLineItem = Omit<Stripe.LineItem, "price"> & { price: WirePrice };
export type WireEvent = Omit<Stripe.EventBase, "data" | "type"> & {
  type: string;
  data: { object: AnyResource; previous_attributes?: object };
};

/**
 * Every kind of thing that the sandbox keeps, by its `object` name. References are ids; expansion happens on the way
 * out.
 */
export type ResourceByObject = {
  "checkout.session": Stripe.Checkout.Session;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  customer: Stripe.Customer;
  payment_method: Stripe.PaymentMethod;
  price: WirePrice;
  product: Stripe.Product;
  shipping_rate: Stripe.ShippingRate;
  event: WireEvent;
};

export type ResourceObject = keyof ResourceByObject;
export type AnyResource = ResourceByObject[ResourceObject];

/** Returns the id of what a resource refers to, expanded or not; the empty text where it refers to nothing. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  return typeof reference === "string" ? reference : (reference?.id ?? "");
}
