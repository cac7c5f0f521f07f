import type Stripe from "stripe";
import { type Scope, emit } from "../account.ts";
import { ApiError } from "../protocol/errors.ts";
import { operation, retrieval } from "../protocol/operation.ts";
import { oneOf, required, text, webAddress } from "../protocol/parameters.ts";
import { intentShape, openIntent } from "./intents.ts";
import { assertUsable, attach, behaviourOf, findMethod } from "./payment-methods.ts";

export const setupOperations = [
  operation(
    "POST /v1/setup_intents",
    { ...intentShape, usage: oneOf("off_session", "on_session") },
    (scope, { usage = "off_session", ...given }) => {
      if (given.customer) scope.store.get("customer", given.customer, "customer");
      return openIntent(scope, "setup_intent", { ...given, usage });
    },
  ),
  retrieval("/v1/setup_intents", "setup_intent"),
  operation(
    "POST /v1/setup_intents/:id/confirm",
    { payment_method: required(text()), return_url: webAddress },
    (scope, given, { id }) => confirmSetup(scope, scope.store.get("setup_intent", id), given.payment_method),
  ),
];

function confirmSetup(scope: Scope, intent: Stripe.SetupIntent, wanted: string): Stripe.SetupIntent {
  const method = findMethod(scope, wanted, "payment_method");
  const customer = intent.customer as string | null;
  assertUsable(scope, method, customer);
  const { decline } = behaviourOf(scope, method.id);
  if (decline) {
    const error = { type: "card_error" as const, ...decline, payment_method: method };
    const failed = scope.store.update(intent, { last_setup_error: error });
    emit(scope, "setup_intent.setup_failed", failed);
    throw new ApiError(402, { ...error, setup_intent: failed }, "declined");
  }
  if (customer) attach(scope, method, customer);
  const done = scope.store.update(intent, {
    last_setup_error: null,
    payment_method: method.id,
    status: "succeeded",
  });
  emit(scope, "setup_intent.succeeded", done);
  return done;
}
