import { getAt, parseJson } from "@partline/toolkit";
import { nameMethod, type Place } from "@partline/toolkit/pure";
import { describeSupply } from "@partline/papers";
import type { Stripe } from "stripe";
import { shippingPaidForRule } from "../shared/placed-order.ts";
import { rules, createReader } from "@partline/api-contracts";
import type { Cents } from "@partline/parts-language";
import type { ShippingMethod } from "../../mixins/shipping-rates/port.ts";
import type { PricedLine, Line, Purchase } from "./purchase.ts";
import { findDeliveryAddress, toProviderShipping } from "./delivery.ts";

interface SessionInput {
  purchase: Purchase;
  /** STORE_URL. */
  shop: string;
  lines: readonly PricedLine[];
  successUrl: string;
  cancelUrl: string;
  /** Time at which the provider closes the page. */
  expiresAt: Date;
  /** Countries that the page takes an address of, unless the purchase has a whole one. */
  shipTo: readonly string[];
  /** The provider's id of the shopper's customer. */
  customer: string | null;
  automaticTax: boolean;
  promotionCodes: boolean;
}

/** Longest names that the provider takes, characters. */
const PRODUCT_NAME_MAX = 250;
const SHIPPING_NAME_MAX = 100;

/**
 * Tax is added to all prices. Unless a request says so, the provider takes the default of its account: sessions and
 * intents of one cart would cost differently, or be refused.
 */
const TAX_BEHAVIOR = "exclusive";

/** The provider's library cannot send half of a surrogate pair. */
const cut = (name: string, most: number): string => name.slice(0, most).toWellFormed();

/** The same input gives the same request. */
export function toSessionRequest(input: SessionInput): Stripe.Checkout.SessionCreateParams {
  const { purchase, shop, lines, successUrl, cancelUrl, expiresAt, shipTo, customer, automaticTax, promotionCodes } =
    input;
  const references = toReferences(purchase, shop);
  const address = findDeliveryAddress(purchase);
  const offers = purchase.shippingRate ? [purchase.shippingRate] : (purchase.shippingOffers ?? []);
  const asksForAddress = purchase.fulfilment !== "pickup" && !address;
  return {
    mode: "payment",
    // An account may show prices in the shopper's currency; the order is in the store's.
    adaptive_pricing: { enabled: false },
    line_items: lines.map((line) => toLineItem(line, purchase)),
    success_url: successUrl,
    cancel_url: cancelUrl,
    expires_at: Math.ceil(expiresAt.getTime() / 1_000),
    ...(purchase.cartId === null ? {} : { client_reference_id: purchase.cartId }),
    metadata: { ...toProviderMetadata(purchase.metadata), ...references },
    payment_intent_data: {
      metadata: { ...references, ...addPrefix(OF_SESSION) },
      ...(address ? { shipping: toProviderShipping(address) } : {}),
    },
    ...(asksForAddress
      ? {
          shipping_address_collection: { allowed_countries: [...shipTo] },
          phone_number_collection: { enabled: true },
        }
      : {}),
    ...(offers.length > 0 ? { shipping_options: offers.map((rate) => toShippingOption(rate, purchase)) } : {}),
    ...(customer === null ? {} : { customer }),
    ...(automaticTax ? { automatic_tax: { enabled: true } } : {}),
    // Tax is of the customer's shipping address, entered on the page or known.
    ...(automaticTax && customer !== null && !address
      ? { customer_update: { address: "auto", ...(asksForAddress ? { shipping: "auto" } : {}) } }
      : {}),
    ...(promotionCodes ? { allow_promotion_codes: true } : {}),
  };
}

export function toIntentRequest(
  purchase: Purchase,
  shop: string,
  amount: Cents,
  customer: string | null,
  calculation?: string,
): Stripe.PaymentIntentCreateParams {
  const address = findDeliveryAddress(purchase);
  const { shippingRate, shippingPaidFor, tax = 0 } = purchase;
  // What an intent pays for shipping and tax.
  const charges: Stripe.Metadata = shippingRate
    ? { ...rateAsMetadata(shippingRate, shippingPaidFor), tax: String(tax) }
    : {};
  return {
    amount,
    currency: purchase.currency,
    automatic_payment_methods: { enabled: true },
    ...(address ? { shipping: toProviderShipping(address) } : {}),
    metadata: { ...toReferences(purchase, shop), ...addPrefix({ ...charges, ...toLinesMetadata(purchase.items) }) },
    ...(customer === null ? {} : { customer }),
    // The provider books the tax once it is paid, and back when it is refunded.
    ...(calculation === undefined ? {} : { hooks: { inputs: { tax: { calculation } } } }),
  };
}

/** Builds the request for a tax calculation, from what a session's own is made of. */
export function taxRequest(
  { items, shippingRate, currency, ...delivered }: Purchase,
  to: Place,
): Stripe.Tax.CalculationCreateParams {
  const address = findDeliveryAddress(delivered);
  const { country, state, postalCode } = to;
  return {
    currency,
    line_items: items.map(({ price, quantity }, index) => ({
      amount: price * quantity,
      quantity,
      reference: String(index + 1),
      tax_behavior: TAX_BEHAVIOR,
    })),
    customer_details: {
      address: address ? toProviderShipping(address).address : { country, state, postal_code: postalCode },
      address_source: "shipping",
    },
    ...(shippingRate ? { shipping_cost: { amount: shippingRate.cost, tax_behavior: TAX_BEHAVIOR } } : {}),
  };
}

/** Marks the intent of a session. */
const OF_SESSION = { checkout: "session" };

/** Prefix of our names in the provider's metadata; all other names are a client's. */
const PREFIX = "partline_";

function addPrefix(entries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [PREFIX + name, value]));
}

/**
 * Returns what we wrote into metadata, without the prefix. Version 0.2 wrote its names without one, and what it opened
 * may be paid after an upgrade.
 */
export function readOwnMetadata(metadata: Readonly<Stripe.Metadata> | null): Stripe.Metadata {
  const prefixed = Object.entries(metadata ?? {}).filter(([name]) => name.startsWith(PREFIX));
  if (prefixed.length === 0) return { ...metadata };
  return Object.fromEntries(prefixed.map(([name, value]) => [name.slice(PREFIX.length), value]));
}

/** The provider's limits of metadata: characters of a key and a value. Of its 50 keys, a client has 20. */
const KEY_MAX = 40;
const VALUE_MAX = 500;

/** Returns the client's entries that the provider takes; the order keeps the others too. */
function toProviderMetadata(metadata: Purchase["metadata"] = {}): Record<string, string> {
  const isSendable = ([key, value]: [string, string]): boolean =>
    key.length <= KEY_MAX && !/[[\]]/.test(key) && !key.startsWith(PREFIX) && value.length <= VALUE_MAX;
  return Object.fromEntries(Object.entries(metadata).filter(isSendable));
}

/** Returns the cart of an intent's metadata; undefined for a session's intent, or one that others made. */
export function findCartOfIntent(metadata: Stripe.Metadata | null): string | undefined {
  const { userId, cartId, checkout } = readOwnMetadata(metadata);
  return userId !== undefined && checkout !== OF_SESSION.checkout && /^[\x21-\x7e]{1,255}$/.test(cartId ?? "")
    ? cartId
    : undefined;
}

/**
 * Returns whether metadata says that this shop made a session or an intent: the provider's account may have other uses,
 * and other shops.
 */
export function isOfShop(metadata: Stripe.Metadata | null, shop: string): boolean {
  return readOwnMetadata(metadata).shop === shop;
}

export function isOfAnother(metadata: Stripe.Metadata | null, shop: string): boolean {
  return (readOwnMetadata(metadata).shop ?? shop) !== shop;
}

/** Names a session or an intent as ours. */
function toReferences({ userId, cartId }: Purchase, shop: string): Record<string, string> {
  return addPrefix({ shop, userId, ...(cartId === null ? {} : { cartId }) });
}

function toLineItem(
  { backordered = 0, ...line }: PricedLine,
  { currency, language }: Purchase,
): Stripe.Checkout.SessionCreateParams.LineItem {
  const description = describeSupply({ backordered, ...line }, language);
  return {
    quantity: line.quantity,
    price_data: {
      currency,
      unit_amount: line.price,
      tax_behavior: TAX_BEHAVIOR,
      product_data: {
        name: cut(line.name, PRODUCT_NAME_MAX),
        ...(description !== undefined && { description: description.replace(/^./, (letter) => letter.toUpperCase()) }),
        metadata: { productId: line.productId, partNumber: line.partNumber },
        ...(line.imageUrl !== undefined && URL.canParse(line.imageUrl) ? { images: [line.imageUrl] } : {}),
      },
    },
  };
}

function toShippingOption(
  rate: ShippingMethod,
  { currency, shippingPaidFor, language }: Purchase,
): Stripe.Checkout.SessionCreateParams.ShippingOption {
  const days = rate.estimatedDays === undefined ? 0 : Math.ceil(rate.estimatedDays);
  return {
    shipping_rate_data: {
      type: "fixed_amount",
      display_name: cut(nameMethod(rate, language), SHIPPING_NAME_MAX),
      fixed_amount: { amount: rate.cost, currency },
      tax_behavior: TAX_BEHAVIOR,
      ...(days > 0 ? { delivery_estimate: { maximum: { unit: "business_day", value: days } } } : {}),
      metadata: rateAsMetadata(rate, shippingPaidFor),
    },
  };
}

/** A rate as the provider's metadata holds it, from which a lost purchase is restored. */
function rateAsMetadata(
  { provider, serviceType, cost, estimatedDays }: ShippingMethod,
  paidFor: Purchase["shippingPaidFor"],
): Record<string, string> {
  return {
    rate: JSON.stringify([provider, serviceType, cost, ...(estimatedDays === undefined ? [] : [estimatedDays])]),
    ...(paidFor ? { paidFor: JSON.stringify(paidFor) } : {}),
  };
}

const readPaidFor = createReader(rules({ paidFor: shippingPaidForRule }));

export function rateInMetadata({
  rate = "",
  paidFor = "",
}: Stripe.Metadata): Pick<Purchase, "shippingRate" | "shippingPaidFor"> {
  const row = parseJson(rate);
  if (!Array.isArray(row)) return {};
  const [provider, serviceType, cost, estimatedDays] = row as unknown[];
  if (typeof provider !== "string" || typeof serviceType !== "string" || typeof cost !== "number") return {};
  return {
    shippingRate: { provider, serviceType, cost, ...(typeof estimatedDays === "number" && { estimatedDays }) },
    shippingPaidFor: readPaidFor({ paidFor: parseJson(paidFor) ?? undefined }).value?.paidFor,
  };
}

/**
 * An intent's metadata holds its lines, so that it becomes an order even if its record is lost, for example with a
 * restored store; a session keeps its line items itself. The provider takes 50 keys of 500 characters; ten are left for
 * the purchase's references.
 */
const MOST_VALUES = 40;
const NAME_MAX = 100;

const toKey = (index: number): string => `items_${index + 1}`;

/** The name defaults to the part number. */
type Row = [productId: string, partNumber: string, quantity: number, price: number, name?: string];

/** Returns nothing if the lines do not fit even without their names. */
export function toLinesMetadata(lines: readonly Line[]): Record<string, string> {
  const short = lines.map(({ productId, partNumber, quantity, price }): Row => [
    productId,
    partNumber,
    quantity,
    price,
  ]);
  const namedRows = short.map((row, index) => [...row, cut(getAt(lines, index).name, NAME_MAX)]);
  const values = [namedRows, short].map(splitValues).find(({ length }) => length <= MOST_VALUES) ?? [];
  return Object.fromEntries(values.map((value, index) => [toKey(index), value]));
}

/** @param metadata of ours, without the prefix */
export function readLinesMetadata(metadata: Readonly<Record<string, string>>): Line[] | null {
  let text = "";
  for (let index = 0; Object.hasOwn(metadata, toKey(index)); index++) text += metadata[toKey(index)]!;
  const rows = parseJson(text);
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isRow)) return null;
  return rows.map(([productId, partNumber, quantity, price, name = partNumber]) => ({
    productId,
    partNumber,
    name,
    quantity,
    price,
  }));
}

/** Writes ASCII, so that no cut goes through a character. */
function splitValues(rows: readonly unknown[]): string[] {
  const text = JSON.stringify(rows).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return Array.from({ length: Math.ceil(text.length / VALUE_MAX) }, (_, index) =>
    text.slice(index * VALUE_MAX, (index + 1) * VALUE_MAX),
  );
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row)) return false;
  const [productId, partNumber, quantity, price, name] = row as unknown[];
  return (
    typeof productId === "string" &&
    typeof partNumber === "string" &&
    (name === undefined || typeof name === "string") &&
    Number.isSafeInteger(quantity) &&
    (quantity as number) > 0 &&
    Number.isSafeInteger(price) &&
    (price as number) >= 0
  );
}
