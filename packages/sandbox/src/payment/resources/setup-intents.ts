import type Stripe from "stripe";
import { type Scope, emit } from "../account.ts";
import { ApiError } from "../protocol/errors.ts";
import { defineOperation, defineRetrieval } from "../protocol/operation.ts";
import { oneOf, required, text, webAddress } from "../protocol/parameters.ts";
import { intentShape, openIntent } from "./intents.ts";
import { assertUsable, attach, getBehaviour, findMethod } from "./payment-methods.ts";

export const setupOperations = [
  defineOperation(
    "POST /v1/setup_intents",
    { ...intentShape, usage: oneOf("off_session", "on_session") },
    (scope, { usage = "off_session", ...params }) => {
      if (params.customer) scope.store.get("customer", params.customer, "customer");
      return openIntent(scope, "setup_intent", { ...params, usage });
    },
  ),
  defineRetrieval("/v1/setup_intents", "setup_intent"),
  defineOperation(
    "POST /v1/setup_intents/:id/confirm",
    { payment_method: required(text()), return_url: webAddress },
    (scope, params, { id }) => confirmSetup(scope, scope.store.get("setup_intent", id), params.payment_method),
  ),
];

function confirmSetup(scope: Scope, intent: Stripe.SetupIntent, methodId: string): Stripe.SetupIntent {
  const method = findMethod(scope, methodId, "payment_method");
  const customer = intent.customer as string | null;
  assertUsable(scope, method, customer);
  const { decline } = getBehaviour(scope, method.id);
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
