import type Stripe from "stripe";

import type { Scope } from "../scope.ts";
import { emit } from "./events.ts";
import { cancelIntent } from "./payment-intents.ts";
import { idOf } from "../state/resources.ts";

const BATCH = 100;

/** Closes an open session for good: no url, its unpaid intent canceled, `checkout.session.expired`. */
export function expireSession(scope: Scope, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  const expired = scope.store.update<Stripe.Checkout.Session>({ ...session, status: "expired", url: null });
  const intent = session.payment_intent ? scope.store.find("payment_intent", idOf(session.payment_intent)) : undefined;
  if (intent) cancelIntent(scope, intent, "automatic");
  emit(scope, "checkout.session.expired", expired);
  return expired;
}

/** Expires every open session whose time has come. Called before each request and by a timer. */
export function expireDueSessions(scope: Scope): void {
  for (;;) {
    const due = scope.store.dueSessions(scope.now(), BATCH);
    for (const session of due) expireSession(scope, session);
    if (due.length < BATCH) return;
  }
}
