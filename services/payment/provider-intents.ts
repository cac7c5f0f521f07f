import type { Stripe } from "stripe";
import { subtotalOf } from "../../mixins/money.ts";
import { linesInMetadata } from "./kept-lines.ts";
import type { Purchase } from "./purchase.ts";

/** An intent of ours is paid, and what was bought is known neither here nor at the provider: somebody has to look into it. */
export class LostPurchase extends Error {
  override readonly name = "LostPurchase";

  constructor(paymentIntentId: string, cartId: string) {
    super(`Payment intent ${paymentIntentId} of cart ${cartId} is paid, and what was bought is not known any more: no order can be made of it. Pay it back in full at the provider`);
  }
}

/**
 * What was bought by a paid intent that names a cart of ours and that our store does not know, as the provider kept it. Null
 * when it is a session's, or when its money went back; `lost` for one of a version before, which left no lines at the provider.
 */
export async function purchaseOfIntent(stripe: Stripe, paymentIntentId: string, cartId: string): Promise<Purchase | null | "lost"> {
  const { metadata, currency, latest_charge: charge } = await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ["latest_charge"] });
  const items = linesInMetadata(metadata);
  if (items) {
    const userId = metadata.userId ?? "guest";
    const subtotal = subtotalOf(items.map(({ price, quantity }) => ({ unitPrice: price, quantity })));
    return { cartId, userId, owner: userId === "guest" ? {} : { userId }, items, subtotal, currency };
  }
  const sessions = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 });
  return sessions.data.length > 0 || (typeof charge === "object" && charge?.refunded) ? null : "lost";
}
