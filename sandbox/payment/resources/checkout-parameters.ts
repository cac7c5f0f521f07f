import { cents, currency, email, newMetadata, shippingWithLine1, webAddress } from "../protocol/common-parameters.ts";
import { invalidParameter, missingParameter } from "../protocol/errors.ts";
import type { Field, Parameters } from "../protocol/parameters.ts";
import { boolean, integer, list, object, oneOf, required, text } from "../protocol/parameters.ts";
import { DELIVERY_COUNTRIES, LOCALES } from "./places.ts";

const country: Field<string> = (value, param) => {
  const given = text()(value, param);
  if (!DELIVERY_COUNTRIES.has(given))
    throw invalidParameter(
      "parameter_invalid",
      param,
      `Invalid ${param}: ${given.slice(0, 10)} is not a country that Checkout delivers to`,
    );
  return given;
};

const productData = object({
  description: text({ max: 40_000 }),
  images: list(text(), { max: 8 }),
  metadata: newMetadata,
  name: required(text()),
  tax_code: text(),
  unit_label: text({ max: 12 }),
});

const lineItem = object({
  metadata: newMetadata,
  price_data: required(
    object({
      currency: required(currency),
      product_data: required(productData),
      tax_behavior: oneOf("exclusive", "unspecified"),
      unit_amount: required(cents),
    }),
  ),
  quantity: required(integer({ min: 1, max: 999_999 })),
});

const estimate = object({
  unit: required(oneOf("business_day", "day", "hour", "month", "week")),
  value: required(integer({ min: 1 })),
});

const shippingOption = object({
  shipping_rate_data: required(
    object({
      delivery_estimate: object({ maximum: estimate, minimum: estimate }),
      display_name: required(text({ max: 100 })),
      fixed_amount: required(object({ amount: required(cents), currency: required(currency) })),
      metadata: newMetadata,
      tax_behavior: oneOf("exclusive", "unspecified"),
      tax_code: text(),
      type: oneOf("fixed_amount"),
    }),
  ),
});

/** The parameters of `POST /v1/checkout/sessions` that the sandbox knows: a one-time payment on the hosted page. */
export const createSessionShape = {
  adaptive_pricing: object({ enabled: boolean }),
  allow_promotion_codes: boolean,
  allowed_payment_method_types: list(oneOf("card", "us_bank_account")),
  automatic_tax: object({ enabled: required(boolean) }),
  billing_address_collection: oneOf("auto", "required"),
  cancel_url: webAddress,
  client_reference_id: text({ max: 200 }),
  currency,
  customer: text(),
  customer_creation: oneOf("always", "if_required"),
  customer_email: email,
  customer_update: object({
    address: oneOf("auto", "never"),
    name: oneOf("auto", "never"),
    shipping: oneOf("auto", "never"),
  }),
  expires_at: integer(),
  line_items: required(list(lineItem, { max: 100 })),
  locale: oneOf(...LOCALES),
  metadata: newMetadata,
  mode: required(oneOf("payment")),
  payment_intent_data: object({
    capture_method: oneOf("automatic", "automatic_async"),
    description: text({ max: 1_000 }),
    metadata: newMetadata,
    receipt_email: email,
    setup_future_usage: oneOf("off_session", "on_session"),
    shipping: shippingWithLine1,
    statement_descriptor: text({ max: 22 }),
    statement_descriptor_suffix: text({ max: 22 }),
  }),
  phone_number_collection: object({ enabled: required(boolean) }),
  shipping_address_collection: object({ allowed_countries: required(list(country)) }),
  shipping_options: list(shippingOption, { max: 5 }),
  submit_type: oneOf("auto", "book", "donate", "pay"),
  success_url: required(webAddress),
  ui_mode: oneOf("hosted_page"),
};

export type CreateSession = Parameters<typeof createSessionShape>;

const SHORTEST_SECONDS = 30 * 60;
const LONGEST_SECONDS = 24 * 3_600;
/** A client reckons from its own clock, before the request is under way. */
const CLOCK_GRACE_SECONDS = 60;

/** The rules that involve more than one parameter, or the time. Throws ApiError 400. */
export function assertConsistent(given: CreateSession, now: number): void {
  if (given.line_items.length === 0) throw missingParameter("line_items");
  if (given.customer && given.customer_email) {
    throw invalidParameter(
      "parameter_invalid",
      "customer",
      "You may only specify one of these parameters: customer, customer_email.",
    );
  }
  if (given.customer && given.customer_creation) {
    throw invalidParameter(
      "parameter_invalid",
      "customer_creation",
      "You may only specify one of these parameters: customer, customer_creation.",
    );
  }
  if (given.customer_update && !given.customer) {
    throw invalidParameter(
      "parameter_invalid",
      "customer_update",
      "`customer_update` can only be used with `customer`.",
    );
  }
  if (given.expires_at === undefined) return;
  if (given.expires_at < now + SHORTEST_SECONDS - CLOCK_GRACE_SECONDS) {
    throw invalidParameter(
      "parameter_invalid",
      "expires_at",
      "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.",
    );
  }
  if (given.expires_at > now + LONGEST_SECONDS + CLOCK_GRACE_SECONDS) {
    throw invalidParameter(
      "parameter_invalid",
      "expires_at",
      "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.",
    );
  }
}
