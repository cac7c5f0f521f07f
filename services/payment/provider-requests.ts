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

/** The longest name that the provider takes for a product and for a shipping option. */
const PRODUCT_NAME_MAX = 250;
const SHIPPING_NAME_MAX = 100;

/** The provider's request for a hosted checkout session. Deterministic: the same input gives the same request. */
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

/** The provider's request for a payment intent that the store's own form confirms. */
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

/** Tells a session's intent from one of ours. Those that older versions made have it not. */
const OF_SESSION = { checkout: "session" };

/** The cart that a paid intent of ours is of; undefined for a session's, and for what others made at the provider. */
export function cartOfIntent({ userId, cartId, checkout }: Stripe.Metadata): string | undefined {
  return userId !== undefined && checkout !== OF_SESSION.checkout && /^[\x21-\x7e]{1,255}$/.test(cartId ?? "")
    ? cartId
    : undefined;
}

/**
 * Whether a session or an intent was made by a checkout of this shop, as its metadata tells: an account of the
 * provider may have other uses, and other shops. Older versions named no shop.
 */
export function isOfShop(metadata: Stripe.Metadata | null, shop: string): boolean {
  return metadata?.userId !== undefined && (metadata.shop ?? shop) === shop;
}

/**
 * What our sessions and intents are known by at the provider; the contract refuses these
 * names in a client's metadata.
 */
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
