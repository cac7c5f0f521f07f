import type Stripe from "stripe";

import { ApiError } from "../protocol/errors.ts";
import type { Scope } from "../scope.ts";
import { recordCharge } from "./charges.ts";
import { openDispute } from "./disputes.ts";
import { emit } from "./events.ts";
import { attach, behaviourOf, markSpent } from "./payment-methods.ts";
import type { Decline } from "./test-cards.ts";
import { idOf } from "../state/resources.ts";

/**
 * Tries to take an intent's amount with a payment method, and tells in events what came of it. The intent that comes
 * back is `succeeded`, `processing` (a bank debit), `requires_action` (the bank wants to see the customer) or, after a
 * decline, `requires_payment_method` with `last_payment_error`.
 */
export function attemptPayment(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  returnUrl?: string,
): Stripe.PaymentIntent {
  const behaviour = behaviourOf(scope, method.id);
  if (behaviour.authentication) return requireAction(scope, intent, method, returnUrl);
  if (behaviour.decline) return failPayment(scope, intent, method, behaviour.decline);
  if (behaviour.type === "us_bank_account") return startBankDebit(scope, intent, method);
  return completePayment(scope, intent, method);
}

/**
 * The money is there: a charge, `charge.succeeded`, `payment_intent.succeeded`, and the method kept if that was asked
 * for.
 */
export function completePayment(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent {
  if (!method.customer && intent.customer && intent.setup_future_usage) attach(scope, method, idOf(intent.customer));
  else if (!method.customer) markSpent(scope, method.id);
  const pending =
    intent.status === "processing" && intent.latest_charge
      ? scope.store.find("charge", idOf(intent.latest_charge))
      : undefined;
  const charge = pending
    ? scope.store.update({
        ...pending,
        status: "succeeded",
        paid: true,
        captured: true,
        amount_captured: pending.amount,
      })
    : recordCharge(scope, intent, method, { status: "succeeded" });
  const paid = scope.store.update<Stripe.PaymentIntent>({
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    processing: null,
    status: "succeeded",
  });
  emit(scope, "charge.succeeded", charge);
  emit(scope, "payment_intent.succeeded", paid);
  const { dispute } = behaviourOf(scope, method.id);
  if (dispute) openDispute(scope, charge, { reason: dispute });
  return paid;
}

/**
 * The bank says no: `charge.failed` and `payment_intent.payment_failed`; the intent waits for another payment method.
 */
export function failPayment(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): Stripe.PaymentIntent {
  const pending =
    intent.status === "processing" && intent.latest_charge
      ? scope.store.find("charge", idOf(intent.latest_charge))
      : undefined;
  const charge = pending
    ? scope.store.update({ ...pending, status: "failed", failure_code: decline.code, failure_message: decline.message })
    : recordCharge(scope, intent, method, { status: "failed", decline });
  const failed = scope.store.update<Stripe.PaymentIntent>({
    ...intent,
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
    processing: null,
    status: "requires_payment_method",
  });
  emit(scope, "charge.failed", charge);
  emit(scope, "payment_intent.payment_failed", failed);
  return failed;
}

/** The 402 that an API call answers with after a decline; what was recorded of the attempt stays. */
export function declineError(intent: Stripe.PaymentIntent): ApiError {
  const error = intent.last_payment_error;
  return new ApiError(
    402,
    {
      type: "card_error",
      message: error?.message ?? "Your card was declined.",
      code: error?.code ?? "card_declined",
      decline_code: error?.decline_code,
      charge: error?.charge,
      payment_intent: intent,
      payment_method: error?.payment_method,
    },
    "declined",
  );
}

function startBankDebit(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent {
  const charge = recordCharge(scope, intent, method, { status: "pending" });
  const processing = scope.store.update<Stripe.PaymentIntent>({
    ...intent,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
    status: "processing",
  });
  emit(scope, "charge.pending", charge);
  emit(scope, "payment_intent.processing", processing);
  return processing;
}

function requireAction(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  returnUrl: string | undefined,
): Stripe.PaymentIntent {
  const url = `${scope.baseUrl}/c/authenticate/${intent.id}`;
  const waiting = scope.store.update<Stripe.PaymentIntent>({
    ...intent,
    next_action: { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl ?? null, url } },
    payment_method: method.id,
    status: "requires_action",
  });
  emit(scope, "payment_intent.requires_action", waiting);
  return waiting;
}
