import type Stripe from "stripe";

import type { Scope } from "../account.ts";
import { ApiError, invalidParameter, refusal } from "../protocol/errors.ts";
import { listing, operation, retrieval } from "../protocol/operation.ts";
import type { Parameters } from "../protocol/parameters.ts";
import {
  applyMetadata,
  automaticMethods,
  boolean,
  cents,
  currency,
  list,
  metadata,
  methodType,
  newMetadata,
  oneOf,
  required,
  text,
  webAddress,
} from "../protocol/parameters.ts";
import { idOf, newId, randomText } from "../state/resources.ts";
import { emit } from "./events.ts";
import { attemptPayment } from "./payment-attempt.ts";
import { assertUsable, findMethod } from "./payment-methods.ts";

type Intent = Stripe.PaymentIntent;

/** What is stored beside an intent: the checkout session that it pays for, if any. */
export type IntentDetails = { session?: string };

const MINIMUM_CENTS = 50;
const NOT_PAID = ["requires_payment_method", "requires_confirmation", "requires_action"];

const changeableShape = {
  metadata,
  payment_method: text(),
  setup_future_usage: oneOf("off_session", "on_session"),
};

export const paymentIntentOperations = [
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
      metadata: newMetadata,
      off_session: boolean,
      return_url: webAddress,
    },
    (scope, given) => {
      assertAmount(given.amount);
      if (given.customer) scope.store.get("customer", given.customer, "customer");
      if (given.confirm && !given.payment_method)
        throw refusal("You must provide a payment method to confirm this PaymentIntent.", {
          code: "parameter_missing",
          param: "payment_method",
        });
      const intent = change(scope, createIntent(scope, given), given);
      return given.confirm ? confirm(scope, intent, given.return_url) : intent;
    },
  ),
  listing("/v1/payment_intents", "payment_intent", { customer: text() }),
  retrieval("/v1/payment_intents", "payment_intent"),
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
      return confirm(scope, change(scope, intent, given), given.return_url);
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
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: { allow_redirects: "always", enabled: true, ...given.automatic_payment_methods },
    capture_method: "automatic_async",
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: "automatic",
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
    next_action: null,
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
    ...(method ? { payment_method: method.id, status: "requires_confirmation", last_payment_error: null } : {}),
    metadata: applyMetadata(intent.metadata, given.metadata),
  });
}

function confirm(scope: Scope, intent: Intent, returnUrl: string | undefined): Intent {
  const method = scope.store.find("payment_method", intent.payment_method);
  if (!method)
    throw unexpectedState(intent, "You cannot confirm this PaymentIntent because it's missing a payment method.");
  if (!intent.payment_method_types.includes(method.type))
    throw refusal(`The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`, {
      param: "payment_method",
    });
  const result = attemptPayment(scope, intent, method, returnUrl);
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
