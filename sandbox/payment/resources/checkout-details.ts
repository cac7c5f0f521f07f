import type Stripe from "stripe";

import { noSuchResource } from "../protocol/errors.ts";
import type { ApiList } from "../protocol/lists.ts";
import { toList } from "../protocol/lists.ts";
import type { Account } from "../scope.ts";
import type { WireLineItem } from "../state/resources.ts";
import type { CreateSession } from "./checkout-parameters.ts";
import type { createIntent } from "./new-intent.ts";

/**
 * What is kept beside a session: its lines, what its payment intent is to be made with, what to write to its customer.
 */
export type CheckoutDetails = {
  lines: WireLineItem[];
  customerUpdate: CreateSession["customer_update"];
  intent: Omit<Parameters<typeof createIntent>[1], "amount">;
};

export function findSession(account: Account, id: string): Stripe.Checkout.Session {
  const session = account.store.find("checkout.session", id);
  if (!session) throw noSuchResource("checkout.session", id, "session");
  return session;
}

export function checkoutDetails(account: Account, session: string): CheckoutDetails {
  const details = account.store.details(session) as CheckoutDetails | undefined;
  if (!details) throw noSuchResource("checkout.session", session, "session");
  return details;
}

/** The first lines of a session, as its `line_items` shows them when expanded. */
export function lineItemsOf(account: Account, session: string): ApiList<WireLineItem> {
  const { lines } = checkoutDetails(account, session);
  return toList(`/v1/checkout/sessions/${session}/line_items`, lines.slice(0, 10), lines.length > 10);
}
