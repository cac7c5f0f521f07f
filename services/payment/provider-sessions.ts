import type { Stripe } from "stripe";
import { STORE_CURRENCY, type ShippingAddress } from "../../broker/contract/common.ts";
import { isOfShop } from "./provider-requests.ts";
import type { Purchase } from "./purchase.ts";

/** Reads the purchase of a session that our store does not know from the provider; null if it is not of this shop. */
export async function purchaseOfSession(stripe: Stripe, sessionId: string, shop: string): Promise<Purchase | null> {
  const session = await stripe.checkout.sessions.retrieve(sessionId);
  if (!isOfShop(session.metadata, shop)) return null;
  const lineItems: Stripe.LineItem[] = [];
  for await (const item of stripe.checkout.sessions.listLineItems(sessionId, {
    limit: 100,
    expand: ["data.price.product"],
  })) {
    lineItems.push(item);
  }
  // An older version named no shop, but the part of each line.
  if (
    session.metadata?.shop === undefined &&
    !lineItems.every((item) => productOf(item)?.metadata.partNumber !== undefined)
  )
    return null;
  const cartId = session.client_reference_id ?? session.metadata?.cartId ?? null;
  const userId = session.metadata?.userId ?? "guest";
  const address = session.collected_information?.shipping_details;
  return {
    cartId,
    userId,
    owner: userId === "guest" ? {} : { userId },
    items: lineItems.map(lineOf),
    subtotal: session.amount_subtotal ?? 0,
    currency: session.currency ?? STORE_CURRENCY,
    ...(address ? { shippingAddress: addressOf(address) } : {}),
  };
}

function productOf({ price }: Stripe.LineItem): Stripe.Product | undefined {
  return typeof price?.product === "object" && !("deleted" in price.product) ? price.product : undefined;
}

function lineOf(item: Stripe.LineItem) {
  const { description, quantity, price, amount_subtotal } = item;
  const product = productOf(item);
  const count = quantity ?? 1;
  const productId = product?.metadata.productId ?? product?.id ?? "unknown";
  return {
    productId,
    partNumber: product?.metadata.partNumber ?? productId,
    name: product?.name ?? description ?? productId,
    quantity: count,
    price: price?.unit_amount ?? Math.round(amount_subtotal / count),
  };
}

function addressOf({ name, address }: { name: string; address: Stripe.Address }): ShippingAddress {
  const { line1, line2, city, state, postal_code, country } = address;
  const fields = {
    name,
    street: [line1, line2].filter(Boolean).join(", "),
    city,
    state,
    postalCode: postal_code,
    country,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== ""));
}
