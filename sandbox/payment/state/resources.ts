import { randomInt } from "node:crypto";
import type Stripe from "stripe";

/** A price as it is on the wire, where a decimal is text. */
type WirePrice = Omit<Stripe.Price, "unit_amount_decimal"> & { unit_amount_decimal: string | null };
export type WireLineItem = Omit<Stripe.LineItem, "price"> & { price: WirePrice };
export type WireEvent = Omit<Stripe.EventBase, "data" | "type"> & {
  type: string;
  data: { object: AnyResource; previous_attributes?: object };
};

/** What the sandbox stores, by `object`. References are ids; expansion happens on the way out. */
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
/** The id of another resource, or the resource itself where it is expanded. */
export type Reference = string | { id: string } | null | undefined;

/** Prefix and number of random characters of an id. */
const ID_FORMS: Record<ResourceObject | "item" | "request", [prefix: string, length: number]> = {
  "checkout.session": ["cs_test_a1", 56],
  payment_intent: ["pi_3", 23],
  setup_intent: ["seti_1", 23],
  charge: ["ch_3", 23],
  refund: ["re_3", 23],
  dispute: ["du_1", 23],
  customer: ["cus_", 14],
  payment_method: ["pm_1", 23],
  item: ["li_1", 23],
  price: ["price_1", 23],
  product: ["prod_", 14],
  shipping_rate: ["shr_1", 23],
  event: ["evt_1", 23],
  request: ["req_", 14],
};

/** Fields that are null by default: many always, as the sandbox knows no invoices, transfers, subscriptions. */
const NULL_FIELDS: { [K in ResourceObject]?: (keyof ResourceByObject[K])[] } = {
  "checkout.session": [
    "after_expiration",
    "allow_promotion_codes",
    "billing_address_collection",
    "cancel_url",
    "client_reference_id",
    "client_secret",
    "consent",
    "consent_collection",
    "currency_conversion",
    "customer",
    "customer_details",
    "customer_email",
    "invoice",
    "invoice_creation",
    "locale",
    "payment_intent",
    "payment_link",
    "setup_intent",
    "shipping_address_collection",
    "submit_type",
    "subscription",
  ],
  payment_intent: [
    "application",
    "canceled_at",
    "cancellation_reason",
    "customer",
    "description",
    "last_payment_error",
    "latest_charge",
    "next_action",
    "on_behalf_of",
    "payment_method",
    "processing",
    "receipt_email",
    "review",
    "setup_future_usage",
    "shipping",
    "transfer_data",
  ],
  setup_intent: [
    "customer",
    "description",
    "last_setup_error",
    "latest_attempt",
    "mandate",
    "next_action",
    "payment_method",
  ],
  charge: [
    "application",
    "balance_transaction",
    "description",
    "receipt_email",
    "receipt_url",
    "review",
    "shipping",
    "transfer_data",
  ],
  refund: ["balance_transaction", "reason", "receipt_number", "source_transfer_reversal", "transfer_reversal"],
  customer: ["address", "currency", "default_source", "description", "email", "name", "phone", "shipping"],
  payment_method: ["customer"],
  product: ["default_price", "description", "tax_code", "url"],
  price: ["lookup_key", "nickname", "recurring"],
};

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Returns a new id in the provider's form. */
export function newId(kind: keyof typeof ID_FORMS): string {
  const [prefix, length] = ID_FORMS[kind];
  return prefix + randomText(length);
}

/** Returns a new resource: what is given and not undefined, and the defaults of its kind. */
export function newResource<K extends ResourceObject>(
  object: K,
  created: number,
  given: Partial<ResourceByObject[K]>,
): ResourceByObject[K] {
  const nulls = Object.fromEntries((NULL_FIELDS[object] ?? []).map((name) => [name, null]));
  const blank = { id: newId(object), object, ...nulls, created, livemode: false, metadata: {} };
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...blank, ...Object.fromEntries(defined) } as unknown as ResourceByObject[K];
}

/** Returns the id that a reference holds; the empty text if it refers to nothing. */
export function idOf(reference: Reference): string {
  return typeof reference === "string" ? reference : (reference?.id ?? "");
}
