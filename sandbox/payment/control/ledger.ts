import type { Account } from "../scope.ts";
import type { IntentDetails } from "../resources/new-intent.ts";
import { idOf } from "../state/resources.ts";

const EVERYTHING = 1_000_000;

/**
 * The books, in cents: per payment intent what was asked for, received and given back, and the session it pays for.
 * What a test compares the shop's own books with.
 */
export function ledger(account: Account) {
  const intents = account.store.list("payment_intent", { limit: EVERYTHING }).rows.map((intent) => {
    const charge = intent.latest_charge ? account.store.find("charge", idOf(intent.latest_charge)) : undefined;
    return {
      payment_intent: intent.id,
      checkout_session: (account.store.details(intent.id) as IntentDetails | undefined)?.session ?? null,
      status: intent.status,
      amount: intent.amount,
      amount_received: intent.amount_received,
      amount_refunded: charge?.amount_refunded ?? 0,
      disputed: charge?.disputed ?? false,
      metadata: intent.metadata,
    };
  });
  const received = intents.reduce((sum, intent) => sum + intent.amount_received, 0);
  const refunded = intents.reduce((sum, intent) => sum + intent.amount_refunded, 0);
  return { currency: "usd", received, refunded, net: received - refunded, payment_intents: intents };
}
