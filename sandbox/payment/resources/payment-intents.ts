import type Stripe from "stripe";

import {
  applyMetadata,
  cents,
  currency,
  email,
  metadata,
  newMetadata,
  shipping,
  webAddress,
} from "../protocol/common-parameters.ts";
import { invalidParameter, noSuchResource, refusal } from "../protocol/errors.ts";
import { listOperation } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { boolean, list, object, oneOf, required, text, unsettable } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { customerReference } from "./find-customer.ts";
import { emit } from "./events.ts";
import type { IntentDetails } from "./new-intent.ts";
import { createIntent, toShipping } from "./new-intent.ts";
import { attemptPayment, declineError } from "./payment-attempt.ts";
import { assertUsable, paymentMethodReference } from "./payment-methods.ts";
import { idOf } from "../state/resources.ts";

const MINIMUM_CENTS = 50;
const METHOD_TYPES = list(oneOf("card", "us_bank_account"));

const changeableShape = {
  customer: text(),
  description: unsettable(text({ max: 1_000 })),
  metadata,
  payment_method: text(),
  receipt_email: unsettable(email),
  setup_future_usage: unsettable(oneOf("off_session", "on_session")),
  shipping: unsettable(shipping),
  statement_descriptor: text({ max: 22 }),
  statement_descriptor_suffix: text({ max: 22 }),
};

const createShape = {
  ...changeableShape,
  amount: required(cents),
  automatic_payment_methods: object({ allow_redirects: oneOf("always", "never"), enabled: required(boolean) }),
  capture_method: oneOf("automatic", "automatic_async"),
  confirm: boolean,
  currency: required(currency),
  metadata: newMetadata,
  off_session: boolean,
  receipt_email: email,
  shipping,
  allowed_payment_method_types: METHOD_TYPES,
  return_url: webAddress,
  setup_future_usage: oneOf("off_session", "on_session"),
};

export const paymentIntentOperations = [
  operation("POST /v1/payment_intents", createShape, (scope, parameters) => {
    assertAmount(parameters.amount);
    if (parameters.customer) customerReference(scope, parameters.customer);
    if (parameters.confirm && !parameters.payment_method) {
      throw refusal("You must provide a payment method to confirm this PaymentIntent.", {
        code: "parameter_missing",
        param: "payment_method",
      });
    }
    const intent = change(scope, createIntent(scope, parameters), parameters);
    return parameters.confirm ? confirm(scope, intent, { return_url: parameters.return_url }) : intent;
  }),
  listOperation("GET /v1/payment_intents", { customer: text() }, ({ customer }) => ({
    object: "payment_intent",
    match: { customer },
  })),
  operation("GET /v1/payment_intents/:id", { client_secret: text() }, (scope, _parameters, { id }) =>
    findIntent(scope, id),
  ),
  operation(
    "POST /v1/payment_intents/:id",
    { ...changeableShape, amount: cents, currency, allowed_payment_method_types: METHOD_TYPES },
    (scope, parameters, { id }) => {
      const intent = findIntent(scope, id);
      const frozen = !["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status);
      if (
        frozen &&
        Object.entries(parameters).some(
          ([name, value]) => value !== undefined && name !== "metadata" && name !== "description",
        )
      ) {
        throw unexpectedState(
          intent,
          `This PaymentIntent's status is ${intent.status}, so only metadata and description can be updated.`,
        );
      }
      if (parameters.amount !== undefined) assertAmount(parameters.amount);
      if (parameters.customer) customerReference(scope, parameters.customer);
      return change(scope, { ...intent, amount: parameters.amount ?? intent.amount }, parameters);
    },
  ),
  operation(
    "POST /v1/payment_intents/:id/confirm",
    {
      client_secret: text(),
      off_session: boolean,
      payment_method: text(),
      allowed_payment_method_types: METHOD_TYPES,
      receipt_email: unsettable(email),
      return_url: webAddress,
      setup_future_usage: unsettable(oneOf("off_session", "on_session")),
      shipping: unsettable(shipping),
    },
    (scope, parameters, { id }) => {
      const intent = findIntent(scope, id);
      assertConfirmable(intent);
      return confirm(scope, change(scope, intent, parameters), parameters);
    },
  ),
  operation(
    "POST /v1/payment_intents/:id/cancel",
    { cancellation_reason: oneOf("abandoned", "duplicate", "fraudulent", "requested_by_customer") },
    (scope, parameters, { id }) => {
      const intent = findIntent(scope, id);
      if ((scope.store.details(id) as IntentDetails | undefined)?.session) {
        const message =
          "You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.";
        throw unexpectedState(intent, message);
      }
      return cancelIntent(scope, intent, parameters.cancellation_reason ?? null);
    },
  ),
];

export function findIntent(account: Account, id: string): Stripe.PaymentIntent {
  const intent = account.store.find("payment_intent", id);
  if (!intent) throw noSuchResource("payment_intent", id, "intent");
  return intent;
}

/**
 * Cancels an intent that is not paid yet; throws 400 `payment_intent_unexpected_state` for one that is paid, on its way
 * or canceled.
 */
export function cancelIntent(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Stripe.PaymentIntent {
  const cancelable = ["requires_payment_method", "requires_confirmation", "requires_action"];
  if (!cancelable.includes(intent.status)) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable.join(", ")}.`;
    throw unexpectedState(intent, message);
  }
  const canceled = scope.store.update<Stripe.PaymentIntent>({
    ...intent,
    canceled_at: scope.now(),
    cancellation_reason: reason,
    next_action: null,
    status: "canceled",
  });
  emit(scope, "payment_intent.canceled", canceled);
  return canceled;
}

type Changes = Partial<Parameters<typeof changeableShape & { allowed_payment_method_types: typeof METHOD_TYPES }>>;

function change(scope: Scope, intent: Stripe.PaymentIntent, given: Changes): Stripe.PaymentIntent {
  const customer = given.customer ?? intent.customer;
  const method = given.payment_method === undefined ? undefined : paymentMethodReference(scope, given.payment_method);
  if (method) assertUsable(scope, method, customer ? idOf(customer) : null);
  const plain = {
    customer,
    description: given.description,
    receipt_email: given.receipt_email,
    setup_future_usage: given.setup_future_usage,
    shipping: given.shipping && toShipping(given.shipping),
    statement_descriptor: given.statement_descriptor,
    statement_descriptor_suffix: given.statement_descriptor_suffix,
    ...(given.allowed_payment_method_types ? allowing(given.allowed_payment_method_types) : {}),
    ...(method
      ? { payment_method: method.id, status: "requires_confirmation" as const, last_payment_error: null }
      : {}),
  };
  const defined = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return scope.store.update({ ...intent, ...defined, metadata: applyMetadata(intent.metadata, given.metadata) });
}

function allowing(types: ("card" | "us_bank_account")[]) {
  return { allowed_payment_method_types: types, payment_method_types: types };
}

function confirm(scope: Scope, intent: Stripe.PaymentIntent, options: { return_url?: string }): Stripe.PaymentIntent {
  const method = intent.payment_method ? scope.store.find("payment_method", idOf(intent.payment_method)) : undefined;
  if (!method) {
    const message =
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";
    throw unexpectedState(intent, message);
  }
  if (!intent.payment_method_types.includes(method.type)) {
    throw refusal(`The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`, {
      param: "payment_method",
    });
  }
  const result = attemptPayment(scope, intent, method, options.return_url);
  if (result.last_payment_error) throw declineError(result);
  return result;
}

function assertConfirmable(intent: Stripe.PaymentIntent): void {
  if (intent.status === "succeeded") {
    throw unexpectedState(
      intent,
      "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
    );
  }
  if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status)) {
    throw unexpectedState(intent, `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`);
  }
}

function assertAmount(amount: number): void {
  if (amount >= MINIMUM_CENTS) return;
  const message = "Amount must be at least $0.50 usd";
  throw invalidParameter(amount === 0 ? "parameter_invalid_integer" : "amount_too_small", "amount", message);
}

function unexpectedState(intent: Stripe.PaymentIntent, message: string) {
  return refusal(message, { code: "payment_intent_unexpected_state", payment_intent: intent });
}
