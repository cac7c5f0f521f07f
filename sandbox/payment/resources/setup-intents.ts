import type Stripe from "stripe";

import type { Scope } from "../account.ts";
import { ApiError, refusal } from "../protocol/errors.ts";
import { operation, retrieval } from "../protocol/operation.ts";
import { automaticMethods, newMetadata, oneOf, required, text, webAddress } from "../protocol/parameters.ts";
import { idOf, newId, randomText } from "../state/resources.ts";
import { emit } from "./events.ts";
import { assertUsable, attach, behaviourOf, findMethod } from "./payment-methods.ts";

const createShape = {
  automatic_payment_methods: automaticMethods,
  customer: text(),
  metadata: newMetadata,
  usage: oneOf("off_session", "on_session"),
};

export const setupIntentOperations = [
  operation("POST /v1/setup_intents", createShape, (scope, given) => {
    if (given.customer) scope.store.get("customer", given.customer, "customer");
    const id = newId("setup_intent");
    const intent = scope.store.insert("setup_intent", {
      id,
      automatic_payment_methods: { allow_redirects: "always", enabled: true, ...given.automatic_payment_methods },
      client_secret: `${id}_secret_${randomText(25)}`,
      customer: given.customer,
      metadata: given.metadata,
      payment_method_types: ["card", "us_bank_account"],
      status: "requires_payment_method",
      usage: given.usage ?? "off_session",
    });
    emit(scope, "setup_intent.created", intent);
    return intent;
  }),
  retrieval("/v1/setup_intents", "setup_intent"),
  operation(
    "POST /v1/setup_intents/:id/confirm",
    { payment_method: required(text()), return_url: webAddress },
    (scope, given, { id }) => confirm(scope, scope.store.get("setup_intent", id), given.payment_method),
  ),
];

/** Saves the card: the method is attached to the intent's customer and may be charged later without them. */
function confirm(scope: Scope, intent: Stripe.SetupIntent, wanted: string): Stripe.SetupIntent {
  if (intent.status !== "requires_payment_method")
    throw refusal(`You cannot confirm this SetupIntent because it has a status of ${intent.status}.`, {
      code: "setup_intent_unexpected_state",
    });
  const method = findMethod(scope, wanted, "payment_method");
  const customer = intent.customer ? idOf(intent.customer) : null;
  assertUsable(scope, method, customer);
  const { decline } = behaviourOf(scope, method.id);
  if (decline?.onAttach) {
    const { code, declineCode: decline_code, message } = decline;
    const error = { type: "card_error" as const, code, decline_code, message, payment_method: method };
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
