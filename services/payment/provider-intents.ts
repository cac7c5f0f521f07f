import type { Stripe } from "stripe";
import { subtotalOf } from "../../mixins/money.ts";
import { linesInMetadata } from "./kept-lines.ts";
import { isOfShop } from "./provider-requests.ts";
import type { Purchase } from "./purchase.ts";

/**
 * An intent of ours is paid and has no order, and what was bought is known neither here nor at the provider: somebody
 * has to look into it.
 */
export class LostPurchase extends Error {
  override readonly name = "LostPurchase";

  constructor(paymentIntentId: string, cartId: string) {
    super(
      `Payment intent ${paymentIntentId} of cart ${cartId} is paid, and what was bought is not known any more: no order can be made of it. Pay it back in full at the provider`,
    );
  }
}

/** Whoever looks into a lost purchase is told of it once a day. */
const TOLD_EVERY_MS = 24 * 60 * 60 * 1000;

/** How long an event waits for its next try after this failure; undefined for the sweep's own pauses. */
export function pauseAfter(error: unknown): number | undefined {
  return error instanceof LostPurchase ? TOLD_EVERY_MS : undefined;
}

/**
 * What was bought by a paid intent that names a cart and that our store does not know, as the provider kept it. Null
 * when it is a session's or not of this shop, or when its money is gone again; `lost` where the provider has no lines
 * of it, because more lines than the metadata holds are left out; `unclaimed` where it has no lines and names no shop:
 * an older version may have made it, or another application.
 */
export async function purchaseOfIntent(
  stripe: Stripe,
  paymentIntentId: string,
  cartId: string,
  shop: string,
): Promise<Purchase | null | "lost" | "unclaimed"> {
  const {
    metadata,
    currency,
    latest_charge: charge,
  } = await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ["latest_charge"] });
  if (!isOfShop(metadata, shop)) return null;
  const items = linesInMetadata(metadata);
  if (items) {
    const userId = metadata.userId ?? "guest";
    const subtotal = subtotalOf(items.map(({ price, quantity }) => ({ unitPrice: price, quantity })));
    return { cartId, userId, owner: userId === "guest" ? {} : { userId }, items, subtotal, currency };
  }
  const sessions = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 });
  if (sessions.data.length > 0 || (await isMoneyGone(stripe, charge))) return null;
  return metadata.shop === undefined ? "unclaimed" : "lost";
}

/** Paid back in full, or lost in a dispute. */
async function isMoneyGone(stripe: Stripe, charge: Stripe.PaymentIntent["latest_charge"]): Promise<boolean> {
  if (typeof charge !== "object" || !charge) return false;
  if (charge.refunded || !charge.disputed) return charge.refunded;
  const disputes = await stripe.disputes.list({ charge: charge.id, limit: 100 });
  return disputes.data.some(({ status }) => status === "lost");
}
