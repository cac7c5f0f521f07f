import { sumByKey } from "@partline/toolkit/pure";
import type { Stripe } from "stripe";
import { STORE_CURRENCY } from "../shared/commerce.ts";
import { type Cents, computeWorth } from "@partline/parts-language";
import { fromProviderShipping } from "./delivery.ts";
import { isOfAnother, isOfShop, readLinesMetadata, rateInMetadata, readOwnMetadata } from "./provider-requests.ts";
import type { Purchase } from "./purchase.ts";

/** A paid intent of ours has no order, and neither we nor the provider know what was bought: a person must act. */
export class LostPurchase extends Error {
  override readonly name = "LostPurchase";

  constructor(paymentIntentId: string, cartId: string) {
    super(
      `Payment intent ${paymentIntentId} of cart ${cartId} is paid, and what was bought is not known any more: no order can be made of it. Pay it back in full at the provider`,
    );
  }
}

/** Far more than a session takes. */
const MOST_LINES = 10_000;

/** Between tries of a lost purchase, each of which is logged. */
export const LOST_PAUSE_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the purchase of a paid intent that our store does not know.
 * @returns null if this shop did not make it, or its money is refunded or lost; `lost` if its lines did not fit its
 * metadata
 */
export async function loadPurchaseOfIntent(
  stripe: Stripe,
  paymentIntentId: string,
  cartId: string,
  shop: string,
): Promise<Purchase | null | "lost"> {
  const intent = await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ["latest_charge"] });
  const { currency } = intent;
  if (!isOfShop(intent.metadata, shop)) return null;
  const metadata = readOwnMetadata(intent.metadata);
  const items = readLinesMetadata(metadata);
  if (!items) return (await isMoneyGone(stripe, intent.latest_charge)) ? null : "lost";
  const tax = Number(metadata.tax ?? 0);
  const charged = { ...rateInMetadata(metadata), ...(tax > 0 ? { tax } : {}) };
  return { cartId, ...readOwner(metadata), items, subtotal: computeWorth(items), currency, ...charged };
}

function readOwner({ userId = "guest" }: Stripe.Metadata): Pick<Purchase, "userId" | "owner"> {
  return { userId, owner: userId === "guest" ? {} : { userId } };
}

/** Refunded in full, or lost in a dispute. */
async function isMoneyGone(stripe: Stripe, charge: Stripe.PaymentIntent["latest_charge"]): Promise<boolean> {
  if (typeof charge !== "object" || !charge) return false;
  if (charge.refunded || !charge.disputed) return charge.refunded;
  const disputes = await stripe.disputes.list({ charge: charge.id, limit: 100 });
  return disputes.data.some(({ status }) => status === "lost");
}

/**
 * Reads the purchase of a session that our store does not know.
 * @returns null if it is of another shop; `unclaimed` if its metadata name no shop
 */
export async function loadPurchaseOfSession(
  stripe: Stripe,
  sessionId: string,
  shop: string,
): Promise<Purchase | null | "unclaimed"> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ["payment_intent", "shipping_cost.shipping_rate"],
  });
  if (!isOfShop(session.metadata, shop)) return isOfAnother(session.metadata, shop) ? null : "unclaimed";
  const listParams = { limit: 100, expand: ["data.price.product"] };
  const listed = stripe.checkout.sessions.listLineItems(sessionId, listParams);
  const lineItems = await listed.autoPagingToArray({ limit: MOST_LINES });
  const { payment_intent: intent, shipping_cost: cost } = session;
  const metadata = readOwnMetadata(session.metadata);
  const rate = typeof cost?.shipping_rate === "object" ? cost.shipping_rate?.metadata : undefined;
  const shipping = typeof intent === "object" ? intent?.shipping : undefined;
  return {
    cartId: session.client_reference_id ?? metadata.cartId ?? null,
    ...readOwner(metadata),
    items: lineItems.map(toLine),
    subtotal: session.amount_subtotal ?? 0,
    currency: session.currency ?? STORE_CURRENCY,
    ...rateInMetadata(rate ?? {}),
    shippingAddress: shipping ? fromProviderShipping(shipping) : undefined,
  };
}

export async function loadTaxesOfSession(
  stripe: Stripe,
  sessionId: string,
): Promise<{ name: string; amount: Cents }[]> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["total_details.breakdown"] });
  const taxes = (session.total_details?.breakdown?.taxes ?? []).filter(({ amount }) => amount > 0);
  const amounts = sumByKey(
    taxes.map(({ amount, rate }) => [[rate.display_name, rate.jurisdiction].filter(Boolean).join(", "), amount]),
  );
  return [...amounts].map(([name, amount]) => ({ name, amount }));
}

function toLine({ description, quantity: count, price, amount_subtotal }: Stripe.LineItem) {
  const sold = price?.product;
  const product = typeof sold === "object" && !("deleted" in sold) ? sold : undefined;
  const quantity = count ?? 1;
  const productId = product?.metadata.productId ?? product?.id ?? "unknown";
  return {
    productId,
    partNumber: product?.metadata.partNumber ?? productId,
    name: product?.name ?? description ?? productId,
    quantity,
    price: price?.unit_amount ?? Math.round(amount_subtotal / quantity),
  };
}
