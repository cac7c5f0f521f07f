import type Stripe from "stripe";

import { applyMetadata, newMetadata, webAddress } from "../protocol/common-parameters.ts";
import { ApiError, noSuchResource, refusal } from "../protocol/errors.ts";
import { listOperation } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import { boolean, list, object, oneOf, required, text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import { customerReference } from "./find-customer.ts";
import { emit } from "./events.ts";
import { assertUsable, attach, behaviourOf, paymentMethodReference } from "./payment-methods.ts";
import { idOf } from "../state/resources.ts";

const createShape = {
  allowed_payment_method_types: list(oneOf("card", "us_bank_account")),
  automatic_payment_methods: object({ allow_redirects: oneOf("always", "never"), enabled: required(boolean) }),
  confirm: boolean,
  customer: text(),
  description: text({ max: 1_000 }),
  metadata: newMetadata,
  payment_method: text(),
  return_url: webAddress,
  usage: oneOf("off_session", "on_session"),
};

export const setupIntentOperations = [
  operation("POST /v1/setup_intents", createShape, (scope, parameters) => {
    if (parameters.customer) customerReference(scope, parameters.customer);
    const intent = createSetupIntent(scope, {
      customer: parameters.customer ?? null,
      description: parameters.description ?? null,
      metadata: applyMetadata({}, parameters.metadata),
      types: parameters.allowed_payment_method_types,
      usage: parameters.usage ?? "off_session",
      allowRedirects: parameters.automatic_payment_methods?.allow_redirects ?? "always",
    });
    if (parameters.confirm) return confirm(scope, intent, parameters.payment_method);
    if (!parameters.payment_method) return intent;
    const method = paymentMethodReference(scope, parameters.payment_method);
    return scope.store.update<Stripe.SetupIntent>({
      ...intent,
      payment_method: method.id,
      status: "requires_confirmation",
    });
  }),
  listOperation("GET /v1/setup_intents", { customer: text(), payment_method: text() }, (parameters) => ({
    object: "setup_intent",
    match: parameters,
  })),
  operation("GET /v1/setup_intents/:id", { client_secret: text() }, (scope, _parameters, { id }) =>
    findSetupIntent(scope, id),
  ),
  operation(
    "POST /v1/setup_intents/:id/confirm",
    { client_secret: text(), payment_method: text(), return_url: webAddress },
    (scope, parameters, { id }) => confirm(scope, findSetupIntent(scope, id), parameters.payment_method),
  ),
  operation(
    "POST /v1/setup_intents/:id/cancel",
    { cancellation_reason: oneOf("abandoned", "duplicate", "requested_by_customer") },
    (scope, parameters, { id }) => {
      const intent = findSetupIntent(scope, id);
      assertOpen(intent, "cancel");
      const reason = parameters.cancellation_reason ?? null;
      const canceled = scope.store.update<Stripe.SetupIntent>({
        ...intent,
        cancellation_reason: reason,
        status: "canceled",
      });
      emit(scope, "setup_intent.canceled", canceled);
      return canceled;
    },
  ),
];

function findSetupIntent(account: Account, id: string): Stripe.SetupIntent {
  const intent = account.store.find("setup_intent", id);
  if (!intent) throw noSuchResource("setupintent", id, "intent");
  return intent;
}

/** Saves the card: the method is attached to the intent's customer and may be charged later without them. */
function confirm(scope: Scope, intent: Stripe.SetupIntent, given: string | undefined): Stripe.SetupIntent {
  assertOpen(intent, "confirm");
  const wanted = given ?? intent.payment_method;
  if (!wanted)
    throw refusal("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: "setup_intent_unexpected_state",
    });
  const method = paymentMethodReference(scope, idOf(wanted));
  const customer = intent.customer ? idOf(intent.customer) : null;
  assertUsable(scope, method, customer);
  const { decline } = behaviourOf(scope, method.id);
  if (decline?.onAttach) {
    const error = {
      type: "card_error" as const,
      code: decline.code,
      decline_code: decline.declineCode,
      message: decline.message,
    };
    const failed = scope.store.update<Stripe.SetupIntent>({
      ...intent,
      last_setup_error: { ...error, payment_method: method },
      payment_method: null,
      status: "requires_payment_method",
    });
    emit(scope, "setup_intent.setup_failed", failed);
    throw new ApiError(402, { ...error, setup_intent: failed, payment_method: method }, "declined");
  }
  if (customer) attach(scope, method, customer);
  const done = scope.store.update<Stripe.SetupIntent>({
    ...intent,
    last_setup_error: null,
    payment_method: method.id,
    status: "succeeded",
  });
  emit(scope, "setup_intent.succeeded", done);
  return done;
}

function assertOpen(intent: Stripe.SetupIntent, verb: "confirm" | "cancel"): void {
  if (["requires_payment_method", "requires_confirmation"].includes(intent.status)) return;
  throw refusal(`You cannot ${verb} this SetupIntent because it has a status of ${intent.status}.`, {
    code: "setup_intent_unexpected_state",
  });
}

function createSetupIntent(
  scope: Scope,
  given: {
    customer: string | null;
    description: string | null;
    metadata: Record<string, string>;
    types: ("card" | "us_bank_account")[] | undefined;
    usage: string;
    allowRedirects: "always" | "never";
  },
): Stripe.SetupIntent {
  const id = newId.setupIntent();
  const intent = scope.store.insert<Stripe.SetupIntent>({
    id,
    object: "setup_intent",
    allowed_payment_method_types: given.types ?? null,
    application: null,
    automatic_payment_methods: { allow_redirects: given.allowRedirects, enabled: true },
    cancellation_reason: null,
    client_secret: newId.clientSecret(id),
    created: scope.now(),
    customer: given.customer,
    customer_account: null,
    description: given.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: given.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: given.types ?? ["card", "us_bank_account"],
    single_use_mandate: null,
    status: "requires_payment_method",
    usage: given.usage,
  });
  emit(scope, "setup_intent.created", intent);
  return intent;
}
