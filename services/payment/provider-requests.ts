import type { Stripe } from "stripe";
import type { Cents } from "../../mixins/money.ts";
import { linesAsMetadata } from "./kept-lines.ts";
import type { Purchase, ShippingSelection } from "./purchase.ts";
import type { PricedLine } from "./price-check.ts";

export interface SessionInput {
  purchase: Purchase;
  /** STORE_URL. */
  shop: string;
  lines: readonly PricedLine[];
  successUrl: string;
  cancelUrl: string;
  /** The provider's id of the shopper's customer. */
  customer: string | null;
  automaticTax: boolean;
  promotionCodes: boolean;
}

/** Longest names that the provider takes, characters. */
const PRODUCT_NAME_MAX = 250;
const SHIPPING_NAME_MAX = 100;

/** Returns the request for a hosted checkout session. The same input gives the same request. */
export function sessionRequest(input: SessionInput): Stripe.Checkout.SessionCreateParams {
  const { purchase, shop, lines, successUrl, cancelUrl, customer, automaticTax, promotionCodes } = input;
  const references = referencesOf(purchase, shop);
  return {
    mode: "payment",
    line_items: lines.map((line) => lineItem(line, purchase.currency)),
    success_url: successUrl,
    cancel_url: cancelUrl,
    ...(purchase.cartId === null ? {} : { client_reference_id: purchase.cartId }),
    metadata: { ...purchase.metadata, ...references },
    payment_intent_data: { metadata: { ...references, ...OF_SESSION } },
    ...(purchase.shippingRate ? { shipping_options: [shippingOption(purchase.shippingRate, purchase.currency)] } : {}),
    ...(customer === null ? {} : { customer }),
    ...(automaticTax
      ? { automatic_tax: { enabled: true }, ...(customer === null ? {} : { customer_update: { address: "auto" } }) }
      : {}),
    ...(promotionCodes ? { allow_promotion_codes: true } : {}),
  };
}

/** Returns the request for a payment intent that the store's own form confirms. */
export function intentRequest(
  purchase: Purchase,
  shop: string,
  amount: Cents,
  customer: string | null,
): Stripe.PaymentIntentCreateParams {
  return {
    amount,
    currency: purchase.currency,
    automatic_payment_methods: { enabled: true },
    metadata: { ...referencesOf(purchase, shop), ...linesAsMetadata(purchase.items) },
    ...(customer === null ? {} : { customer }),
  };
}

/** Marks the intent of a session. Older versions did not write it. */
const OF_SESSION = { checkout: "session" };

/** Returns the cart of an intent of ours; undefined for a session's intent, or one that others made. */
export function cartOfIntent({ userId, cartId, checkout }: Stripe.Metadata): string | undefined {
  return userId !== undefined && checkout !== OF_SESSION.checkout && /^[\x21-\x7e]{1,255}$/.test(cartId ?? "")
    ? cartId
    : undefined;
}

/**
 * Whether metadata says that this shop made a session or an intent: the provider's account may have other uses, and
 * other shops. Older versions named no shop.
 */
export function isOfShop(metadata: Stripe.Metadata | null, shop: string): boolean {
  return metadata?.userId !== undefined && (metadata.shop ?? shop) === shop;
}

/** Names our sessions and intents at the provider; the contract refuses these names in a client's metadata. */
function referencesOf(purchase: Purchase, shop: string): Record<string, string> {
  return { shop, userId: purchase.userId, ...(purchase.cartId === null ? {} : { cartId: purchase.cartId }) };
}

function lineItem(line: PricedLine, currency: string): Stripe.Checkout.SessionCreateParams.LineItem {
  return {
    quantity: line.quantity,
    price_data: {
      currency,
      unit_amount: line.price,
      product_data: {
        name: line.name.slice(0, PRODUCT_NAME_MAX),
        metadata: { productId: line.productId, partNumber: line.partNumber },
        ...(line.imageUrl !== undefined && URL.canParse(line.imageUrl) ? { images: [line.imageUrl] } : {}),
      },
    },
  };
}

function shippingOption(rate: ShippingSelection, currency: string): Stripe.Checkout.SessionCreateParams.ShippingOption {
  const days = rate.estimatedDays === undefined ? 0 : Math.ceil(rate.estimatedDays);
  return {
    shipping_rate_data: {
      type: "fixed_amount",
      display_name: `${rate.provider} ${rate.serviceType}`.slice(0, SHIPPING_NAME_MAX),
      fixed_amount: { amount: rate.cost, currency },
      ...(days > 0 ? { delivery_estimate: { maximum: { unit: "business_day", value: days } } } : {}),
    },
  };
}
