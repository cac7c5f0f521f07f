import type Stripe from "stripe";
import { type Scope, emit } from "../account.ts";
import { ApiError, createInvalidParameter, createRefusal } from "../protocol/errors.ts";
import { defineOperation, defineReadings } from "../protocol/operation.ts";
import {
  applyMetadata,
  cents,
  currency,
  metadata,
  newMetadata,
  object,
  required,
  shipping,
  text,
  webAddress,
} from "../protocol/parameters.ts";
import { getId } from "../store.ts";
import { intentShape, openIntent } from "./intents.ts";
import { type Decline, assertUsable, getBehaviour, findMethod, markSpent } from "./payment-methods.ts";
import { openDispute } from "./refunds.ts";

type Intent = Stripe.PaymentIntent;

/** Stored beside an intent: the checkout session that it pays for. */
export type IntentDetails = { session?: string };

export const MINIMUM_CENTS = 50;

export const paymentOperations = [
  defineOperation(
    "POST /v1/payment_intents",
    {
      ...intentShape,
      amount: required(cents),
      currency: required(currency),
      hooks: object({ inputs: object({ tax: object({ calculation: text() }) }) }),
      metadata: newMetadata,
      shipping,
    },
    (scope, { hooks, ...params }) => {
      if (params.amount < MINIMUM_CENTS)
        throw createInvalidParameter("amount_too_small", "amount", "Amount must be at least $0.50 usd");
      if (params.customer) scope.store.get("customer", params.customer, "customer");
      const calculation = hooks?.inputs?.tax?.calculation;
      if (calculation) scope.store.get("tax.calculation", calculation, "hooks[inputs][tax][calculation]");
      return createIntent(scope, params);
    },
  ),
  ...defineReadings("/v1/payment_intents", "payment_intent", { customer: text() }),
  defineOperation("POST /v1/payment_intents/:id", { metadata }, (scope, params, { id }) => {
    const intent = scope.store.get("payment_intent", id);
    return scope.store.update(intent, { metadata: applyMetadata(intent.metadata, params.metadata) });
  }),
  defineOperation(
    "POST /v1/payment_intents/:id/confirm",
    { payment_method: required(text()), return_url: webAddress, shipping },
    (scope, { payment_method: methodId, shipping }, { id }) => {
      const intent = scope.store.get("payment_intent", id);
      assertUnpaid(intent, "confirm");
      const method = findMethod(scope, methodId, "payment_method");
      assertUsable(scope, method, intent.customer && getId(intent.customer));
      return confirm(scope, shipping ? scope.store.update(intent, { shipping }) : intent, method);
    },
  ),
  defineOperation("POST /v1/payment_intents/:id/cancel", {}, (scope, _given, { id }) => {
    const intent = scope.store.get("payment_intent", id);
    if ((scope.store.details(id) as IntentDetails | undefined)?.session)
      throw createUnexpectedState(
        intent,
        "You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.",
      );
    return cancelIntent(scope, intent, null);
  }),
];

export function createIntent(scope: Scope, params: Parameters<typeof openIntent<"payment_intent">>[2]): Intent {
  return openIntent(scope, "payment_intent", { amount_received: 0, currency: "usd", ...params });
}

/** Cancels an intent that is not paid. @throws ApiError 400 */
export function cancelIntent(
  scope: Scope,
  intent: Intent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Intent {
  assertUnpaid(intent, "cancel");
  const canceled = scope.store.update(intent, { cancellation_reason: reason, status: "canceled" });
  emit(scope, "payment_intent.canceled", canceled);
  return canceled;
}

function confirm(scope: Scope, intent: Intent, method: Method): Intent {
  const result = attemptPayment(scope, intent, method);
  const error = result.last_payment_error;
  if (!error) return result;
  const { message = "Your card was declined.", code, decline_code, charge, payment_method } = error;
  const body = { message, code, decline_code, charge, payment_method, payment_intent: result };
  throw new ApiError(402, { type: "card_error", ...body }, "declined");
}

function assertUnpaid(intent: Intent, verb: "confirm" | "cancel"): void {
  if (intent.status === "requires_payment_method") return;
  throw createUnexpectedState(
    intent,
    `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
  );
}

function createUnexpectedState(intent: Intent, message: string) {
  return createRefusal(message, { code: "payment_intent_unexpected_state", payment_intent: intent });
}

type Method = Stripe.PaymentMethod;

/** Tries to pay an intent: it is `succeeded` then, `processing` (a bank debit), or declined: `last_payment_error`. */
export function attemptPayment(scope: Scope, intent: Intent, method: Method): Intent {
  const behaviour = getBehaviour(scope, method.id);
  if (behaviour.decline) return failPayment(scope, intent, method, behaviour.decline);
  if (behaviour.type === "card") return completePayment(scope, intent, method);
  const charge = recordCharge(scope, intent, method, "pending");
  emit(scope, "charge.pending", charge);
  return updateIntent(scope, intent, "processing", {
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
  });
}

/** Takes the money: `charge.succeeded`, `payment_intent.succeeded`. */
export function completePayment(scope: Scope, intent: Intent, method: Method): Intent {
  if (!method.customer) markSpent(scope, method.id);
  const charge = recordCharge(scope, intent, method, "succeeded");
  emit(scope, "charge.succeeded", charge);
  const paid = updateIntent(scope, intent, "succeeded", {
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
  });
  const { dispute } = getBehaviour(scope, method.id);
  if (dispute) openDispute(scope, charge, { reason: dispute });
  return paid;
}

/** The bank refuses: `charge.failed`, `payment_intent.payment_failed`; the intent waits for another payment method. */
export function failPayment(scope: Scope, intent: Intent, method: Method, decline: Decline): Intent {
  const charge = recordCharge(scope, intent, method, "failed", decline);
  emit(scope, "charge.failed", charge);
  return updateIntent(
    scope,
    intent,
    "requires_payment_method",
    {
      last_payment_error: {
        type: "card_error",
        charge: charge.id,
        ...decline,
        payment_method: method,
      },
      latest_charge: charge.id,
      payment_method: null,
    },
    "payment_failed",
  );
}

function updateIntent(
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
  };
  const pending = intent.status === "processing" ? store.find("charge", intent.latest_charge) : undefined;
  if (pending) return store.update(pending, outcome);
  return store.insert("charge", {
    ...outcome,
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    metadata: intent.metadata,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: method.type,
      card: method.card,
      us_bank_account: method.us_bank_account,
    } as Stripe.Charge.PaymentMethodDetails,
    refunded: false,
    shipping: intent.shipping,
  });
}
