import type Stripe from "stripe";

import type { Scope } from "../account.ts";
import { listing, retrieval } from "../protocol/operation.ts";
import { text } from "../protocol/parameters.ts";
import { idOf } from "../state/resources.ts";
import { openDispute } from "./disputes.ts";
import { emit } from "./events.ts";
import { attach, behaviourOf, markSpent } from "./payment-methods.ts";
import type { Decline } from "./test-cards.ts";

type Intent = Stripe.PaymentIntent;
type Method = Stripe.PaymentMethod;

export const chargeOperations = [
  retrieval("/v1/charges", "charge"),
  listing("/v1/charges", "charge", { customer: text(), payment_intent: text() }),
];

/**
 * Tries to take an intent's amount with a payment method. The intent that comes back is `succeeded`, `processing` (a
 * bank debit), `requires_action` (the bank asks the customer) or, after a decline, `requires_payment_method` with
 * `last_payment_error`.
 */
export function attemptPayment(scope: Scope, intent: Intent, method: Method, returnUrl: string | null = null): Intent {
  const behaviour = behaviourOf(scope, method.id);
  if (behaviour.authentication) {
    const url = `${scope.baseUrl}/c/authenticate/${intent.id}`;
    return changed(scope, intent, "requires_action", {
      next_action: { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url } },
      payment_method: method.id,
    });
  }
  if (behaviour.decline) return failPayment(scope, intent, method, behaviour.decline);
  if (behaviour.type === "card") return completePayment(scope, intent, method);
  const charge = recordCharge(scope, intent, method, "pending");
  emit(scope, "charge.pending", charge);
  return changed(scope, intent, "processing", {
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
  });
}

/** Takes the money: `charge.succeeded`, `payment_intent.succeeded`; the method is saved if that was asked for. */
export function completePayment(scope: Scope, intent: Intent, method: Method): Intent {
  if (!method.customer && intent.customer && intent.setup_future_usage) attach(scope, method, idOf(intent.customer));
  else if (!method.customer) markSpent(scope, method.id);
  const charge = recordCharge(scope, intent, method, "succeeded");
  emit(scope, "charge.succeeded", charge);
  const paid = changed(scope, intent, "succeeded", {
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
  });
  const { dispute } = behaviourOf(scope, method.id);
  if (dispute) openDispute(scope, charge, dispute);
  return paid;
}

/** The bank refuses: `charge.failed`, `payment_intent.payment_failed`; the intent waits for another payment method. */
export function failPayment(scope: Scope, intent: Intent, method: Method, decline: Decline): Intent {
  const charge = recordCharge(scope, intent, method, "failed", decline);
  emit(scope, "charge.failed", charge);
  return changed(
    scope,
    intent,
    "requires_payment_method",
    {
      last_payment_error: {
        type: "card_error",
        charge: charge.id,
        code: decline.code,
        decline_code: decline.declineCode,
        message: decline.message,
        payment_method: method,
      },
      latest_charge: charge.id,
      next_action: null,
      payment_method: null,
    },
    "payment_failed",
  );
}

function changed(
  scope: Scope,
  intent: Intent,
  status: Intent["status"],
  changes: Partial<Intent>,
  event: string = status,
): Intent {
  const after = scope.store.update(intent, { ...changes, status });
  emit(scope, `payment_intent.${event}`, after);
  return after;
}

/** Records an attempt: a new charge, or how the bank debit that was on its way ended. */
function recordCharge(
  { store }: Scope,
  intent: Intent,
  method: Method,
  status: Stripe.Charge["status"],
  decline?: Decline,
): Stripe.Charge {
  const succeeded = status === "succeeded";
  const outcome = {
    status,
    amount_captured: succeeded ? intent.amount : 0,
    captured: succeeded,
    paid: succeeded,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
  };
  const pending = intent.status === "processing" ? store.find("charge", intent.latest_charge) : undefined;
  if (pending) return store.update(pending, outcome);
  return store.insert("charge", {
    ...outcome,
    amount: intent.amount,
    amount_refunded: 0,
    billing_details: { ...method.billing_details, tax_id: null },
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    metadata: intent.metadata,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method),
    refunded: false,
    shipping: intent.shipping,
  });
}

function detailsOf({ type, card, us_bank_account: bank }: Method): Stripe.Charge.PaymentMethodDetails {
  const shown = card
    ? { brand: card.brand, exp_month: card.exp_month, exp_year: card.exp_year, last4: card.last4 }
    : { bank_name: bank?.bank_name, last4: bank?.last4 };
  return { type, [type]: shown };
}
