import type Stripe from "stripe";
import { type Scope, emit } from "../account.ts";
import { ApiError, invalidParameter, refusal } from "../protocol/errors.ts";
import { operation, readings } from "../protocol/operation.ts";
import {
  type Parameters,
  applyMetadata,
  automaticMethods,
  boolean,
  cents,
  currency,
  list,
  metadata,
  methodType,
  newMetadata,
  object,
  oneOf,
  required,
  shipping,
  text,
  webAddress,
} from "../protocol/parameters.ts";
import { idOf, newId, randomText } from "../store.ts";
import { type Decline, assertUsable, attach, behaviourOf, findMethod, markSpent } from "./customers.ts";
import { openDispute } from "./refunds.ts";

type Intent = Stripe.PaymentIntent;

/** What is stored beside an intent: the checkout session that it pays for, if any. */
export type IntentDetails = { session?: string };

const MINIMUM_CENTS = 50;
const NOT_PAID = ["requires_payment_method", "requires_confirmation"];

const changeableShape = {
  metadata,
  payment_method: text(),
  setup_future_usage: oneOf("off_session", "on_session"),
  shipping,
};

export const paymentOperations = [
  operation(
    "POST /v1/payment_intents",
    {
      ...changeableShape,
      allowed_payment_method_types: list(methodType),
      amount: required(cents),
      automatic_payment_methods: automaticMethods,
      confirm: boolean,
      currency: required(currency),
      customer: text(),
      description: text({ max: 1_000 }),
      hooks: object({ inputs: object({ tax: object({ calculation: text() }) }) }),
      metadata: newMetadata,
      off_session: boolean,
      return_url: webAddress,
    },
    (scope, given) => {
      assertAmount(given.amount);
      if (given.customer) scope.store.get("customer", given.customer, "customer");
      const calculation = given.hooks?.inputs?.tax?.calculation;
      if (calculation) scope.store.get("tax.calculation", calculation, "hooks[inputs][tax][calculation]");
      if (given.confirm && !given.payment_method)
        throw refusal("You must provide a payment method to confirm this PaymentIntent.", {
          code: "parameter_missing",
          param: "payment_method",
        });
      const intent = change(scope, createIntent(scope, given), given);
      return given.confirm ? confirm(scope, intent) : intent;
    },
  ),
  ...readings("/v1/payment_intents", "payment_intent", { customer: text() }),
  ...readings("/v1/charges", "charge", { customer: text(), payment_intent: text() }),
  operation("POST /v1/payment_intents/:id", { ...changeableShape, amount: cents }, (scope, given, { id }) => {
    const intent = scope.store.get("payment_intent", id);
    // Its metadata can be changed at any time.
    const { metadata: _, ...others } = given;
    if (Object.values(others).some((value) => value !== undefined)) assertStatus(intent, "update");
    if (given.amount !== undefined) assertAmount(given.amount);
    return change(scope, intent, given);
  }),
  operation(
    "POST /v1/payment_intents/:id/confirm",
    { ...changeableShape, off_session: boolean, return_url: webAddress },
    (scope, given, { id }) => {
      const intent = scope.store.get("payment_intent", id);
      assertStatus(intent, "confirm");
      return confirm(scope, change(scope, intent, given));
    },
  ),
  operation(
    "POST /v1/payment_intents/:id/cancel",
    { cancellation_reason: oneOf("abandoned", "duplicate", "fraudulent", "requested_by_customer") },
    (scope, given, { id }) => {
      const intent = scope.store.get("payment_intent", id);
      if ((scope.store.details(id) as IntentDetails | undefined)?.session)
        throw unexpectedState(
          intent,
          "You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.",
        );
      return cancelIntent(scope, intent, given.cancellation_reason ?? null);
    },
  ),
];

export type NewIntent = {
  amount: number;
  allowed_payment_method_types?: ("card" | "us_bank_account")[];
  automatic_payment_methods?: { allow_redirects?: "always" | "never"; enabled: boolean };
  customer?: string | null;
  description?: string;
  metadata?: Record<string, string>;
  setup_future_usage?: "off_session" | "on_session";
  shipping?: Intent["shipping"];
};

/** Creates an intent in `requires_payment_method`, with `payment_intent.created`. */
export function createIntent(scope: Scope, given: NewIntent): Intent {
  const id = newId("payment_intent");
  const intent = scope.store.insert("payment_intent", {
    id,
    amount: given.amount,
    amount_received: 0,
    automatic_payment_methods: { allow_redirects: "always", enabled: true, ...given.automatic_payment_methods },
    client_secret: `${id}_secret_${randomText(25)}`,
    currency: "usd",
    customer: given.customer,
    description: given.description,
    metadata: given.metadata,
    payment_method_types: given.allowed_payment_method_types ?? ["card", "us_bank_account"],
    setup_future_usage: given.setup_future_usage,
    shipping: given.shipping,
    status: "requires_payment_method",
  });
  emit(scope, "payment_intent.created", intent);
  return intent;
}

/** Cancels an intent that is not paid. @throws ApiError 400 `payment_intent_unexpected_state` */
export function cancelIntent(
  scope: Scope,
  intent: Intent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Intent {
  assertStatus(intent, "cancel");
  const canceled = scope.store.update(intent, {
    canceled_at: scope.now(),
    cancellation_reason: reason,
    status: "canceled",
  });
  emit(scope, "payment_intent.canceled", canceled);
  return canceled;
}

function change(
  scope: Scope,
  intent: Intent,
  given: Partial<Parameters<typeof changeableShape>> & { amount?: number },
): Intent {
  const method =
    given.payment_method === undefined ? undefined : findMethod(scope, given.payment_method, "payment_method");
  if (method) assertUsable(scope, method, intent.customer && idOf(intent.customer));
  return scope.store.update(intent, {
    amount: given.amount ?? intent.amount,
    setup_future_usage: given.setup_future_usage ?? intent.setup_future_usage,
    shipping: given.shipping ?? intent.shipping,
    ...(method ? { payment_method: method.id, status: "requires_confirmation", last_payment_error: null } : {}),
    metadata: applyMetadata(intent.metadata, given.metadata),
  });
}

function confirm(scope: Scope, intent: Intent): Intent {
  const method = scope.store.find("payment_method", intent.payment_method);
  if (!method)
    throw unexpectedState(intent, "You cannot confirm this PaymentIntent because it's missing a payment method.");
  if (!intent.payment_method_types.includes(method.type))
    throw refusal(`The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`, {
      param: "payment_method",
    });
  const result = attemptPayment(scope, intent, method);
  const error = result.last_payment_error;
  if (!error) return result;
  const { message = "Your card was declined.", code, decline_code, charge, payment_method } = error;
  const body = { message, code, decline_code, charge, payment_method, payment_intent: result };
  throw new ApiError(402, { type: "card_error", ...body }, "declined");
}

function assertStatus(intent: Intent, verb: "confirm" | "cancel" | "update"): void {
  if (NOT_PAID.includes(intent.status)) return;
  throw unexpectedState(intent, `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`);
}

function assertAmount(amount: number): void {
  if (amount < MINIMUM_CENTS) throw invalidParameter("amount_too_small", "amount", "Amount must be at least $0.50 usd");
}

function unexpectedState(intent: Intent, message: string) {
  return refusal(message, { code: "payment_intent_unexpected_state", payment_intent: intent });
}

type Method = Stripe.PaymentMethod;

/**
 * Tries to take an intent's amount with a payment method. The intent that comes back is `succeeded`, `processing` (a
 * bank debit) or, after a decline, `requires_payment_method` with `last_payment_error`.
 */
export function attemptPayment(scope: Scope, intent: Intent, method: Method): Intent {
  const behaviour = behaviourOf(scope, method.id);
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
