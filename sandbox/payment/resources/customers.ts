import type Stripe from "stripe";
import { type Account, type Scope, emit } from "../account.ts";
import { ApiError, noSuchResource, refusal } from "../protocol/errors.ts";
import { listing, operation, retrieval } from "../protocol/operation.ts";
import {
  email,
  methodType,
  newMetadata,
  object,
  oneOf,
  required,
  shipping,
  text,
  webAddress,
  type Parameters,
  boolean,
} from "../protocol/parameters.ts";
import { type ResourceByObject, newId, randomText } from "../store.ts";

const customerShape = {
  email,
  metadata: newMetadata,
  name: text({ max: 256 }),
  phone: text({ max: 20 }),
  shipping,
};

/** Parameters of every new intent. */
export const intentShape = {
  automatic_payment_methods: object({ allow_redirects: oneOf("always", "never"), enabled: required(boolean) }),
  customer: text(),
};

export const customerOperations = [
  operation("POST /v1/customers", customerShape, (scope, given) => {
    const invoice_settings = { default_payment_method: null } as Stripe.Customer["invoice_settings"];
    const customer = scope.store.insert("customer", { ...given, invoice_settings });
    emit(scope, "customer.created", customer);
    return customer;
  }),
  listing("/v1/customers", "customer", { email: text({ max: 512 }) }),
  operation(
    "GET /v1/customers/:id",
    {},
    (scope, _given, { id }) => deletedCustomer(scope, id) ?? scope.store.get("customer", id),
  ),
  operation(
    "POST /v1/customers/:id",
    { ...customerShape, invoice_settings: object({ default_payment_method: required(text()) }) },
    (scope, { invoice_settings: invoice, ...given }, { id }) => {
      const before = scope.store.get("customer", id);
      const method = invoice?.default_payment_method;
      if (method !== undefined && scope.store.find("payment_method", method)?.customer !== id)
        throw noSuchResource("payment_method", method, "invoice_settings[default_payment_method]");
      const changes = Object.entries(given).filter(([, value]) => value !== undefined);
      const invoice_settings = { ...before.invoice_settings, ...invoice };
      const customer = scope.store.update(before, { ...Object.fromEntries(changes), invoice_settings });
      emit(scope, "customer.updated", customer);
      return customer;
    },
  ),
  operation("DELETE /v1/customers/:id", {}, (scope, _given, { id }) => {
    const customer = scope.store.get("customer", id);
    const methods = scope.store.list("payment_method", { match: { customer: id }, limit: 1_000 }).rows;
    for (const method of methods) detach(scope, method);
    scope.store.remove(id);
    scope.store.setDetails(id, { deleted: true });
    emit(scope, "customer.deleted", customer);
    return tombstone(id);
  }),

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

  listing(
    "/v1/customers/:id/payment_methods",
    "payment_method",
    { type: methodType },
    ({ type }, { id }, { store }) => ({ customer: store.get("customer", id).id, type }),
  ),
  operation("GET /v1/customers/:id/payment_methods/:method", {}, ({ store }, _given, { id, method = "" }) => {
    const found = store.get("payment_method", method);
    if (found.customer !== store.get("customer", id).id) throw noSuchResource("payment_method", method);
    return found;
  }),
  operation("POST /v1/payment_methods/:id/attach", { customer: required(text()) }, (scope, { customer }, { id }) => {
    const owner = scope.store.get("customer", customer, "customer");
    return attach(scope, findMethod(scope, id), owner.id);
  }),
  operation("POST /v1/payment_methods/:id/detach", {}, (scope, _given, { id }) =>
    detach(scope, scope.store.get("payment_method", id)),
  ),
];

/** What is left of a deleted customer; undefined for any other id. */
export function deletedCustomer({ store }: Account, id: string): Stripe.DeletedCustomer | undefined {
  return (store.details(id) as { deleted?: true } | undefined)?.deleted && tombstone(id);
}

function tombstone(id: string): Stripe.DeletedCustomer {
  return { id, object: "customer", deleted: true };
}

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

/** How a payment method behaves, and whether it must not be used again. */
type Details = { method: TestMethod; spent: boolean };

/** Returns the payment method that a request names; a new one for a well-known test id. */
export function findMethod(scope: Scope, id: string, param?: string): Stripe.PaymentMethod {
  const method = Object.hasOwn(METHODS, id) ? METHODS[id] : undefined;
  return method ? createTestMethod(scope, method) : scope.store.get("payment_method", id, param);
}

export function behaviourOf({ store }: Account, id: string): TestMethod {
  return (store.details(id) as Details).method;
}

/** Refuses another's method, and one that was detached or used up. */
export function assertUsable({ store }: Account, method: Stripe.PaymentMethod, customer: string | null): void {
  const refused = (message: string) => refusal(message, { param: "payment_method" });
  if (method.customer && method.customer !== customer)
    throw refused("The payment method belongs to another customer than the `customer` parameter says.");
  if (!method.customer && (store.details(method.id) as Details | undefined)?.spent)
    throw refused(
      "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.",
    );
}

/** Binds a method to a customer, who may use it again. */
function attach(scope: Scope, method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
  assertUsable(scope, method, customer);
  const attached = scope.store.update(method, { customer });
  emit(scope, "payment_method.attached", attached);
  return attached;
}

function detach(scope: Scope, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const customer = scope.store.find("customer", method.customer);
  if (!customer) {
    const message = "The payment method you provided is not attached to a customer so detachment is impossible.";
    throw refusal(message, { param: "payment_method" });
  }
  const detached = scope.store.update(method, { customer: null });
  markSpent(scope, method.id);
  const settings = customer.invoice_settings;
  if (settings.default_payment_method === method.id) {
    const updated = scope.store.update(customer, { invoice_settings: { ...settings, default_payment_method: null } });
    emit(scope, "customer.updated", updated);
  }
  emit(scope, "payment_method.detached", detached);
  return detached;
}

/** A method that paid without belonging to a customer pays no second time. */
export function markSpent(scope: Scope, id: string): void {
  scope.store.setDetails(id, { method: behaviourOf(scope, id), spent: true } satisfies Details);
}

function createTestMethod({ store, now }: Scope, method: TestMethod): Stripe.PaymentMethod {
  const { type, brand, last4 } = method;
  const shown =
    type === "card"
      ? { brand, country: "US", exp_month: 12, exp_year: new Date(now() * 1_000).getUTCFullYear() + 3, last4 }
      : { last4 };
  const created = store.insert("payment_method", { type, [type]: shown });
  store.setDetails(created.id, { method, spent: false } satisfies Details);
  return created;
}

/** Why a bank refuses a payment. */
export type Decline = { code: string; decline_code: string; message: string };

/** How one of the provider's well-known test payment methods behaves. */
type TestMethod = {
  type: "card" | "us_bank_account";
  brand?: string;
  last4: string;
  /** Refused when it is charged or saved. */
  decline?: Decline;
  /** A refund succeeds and then fails, or stays pending. */
  refund?: "fails" | "pends";
  dispute?: string;
};

const visa: TestMethod = { type: "card", brand: "visa", last4: "4242" };

function declined(last4: string, decline_code: string, message: string): TestMethod {
  return { ...visa, last4, decline: { code: "card_declined", decline_code, message } };
}

/** The provider's documented test payment methods that the sandbox knows, by id. */
const METHODS: Record<string, TestMethod> = {
  pm_card_visa: visa,
  pm_card_mastercard: { ...visa, brand: "mastercard", last4: "4444" },
  pm_card_chargeDeclined: declined("0002", "generic_decline", "Your card was declined."),
  pm_card_chargeDeclinedInsufficientFunds: declined("9995", "insufficient_funds", "Your card has insufficient funds."),
  pm_card_refundFail: { ...visa, last4: "5126", refund: "fails" },
  pm_card_pendingRefund: { ...visa, last4: "7726", refund: "pends" },
  pm_card_createDispute: { ...visa, last4: "0259", dispute: "fraudulent" },
  pm_usBankAccount_success: { type: "us_bank_account", last4: "6789" },
};

/** Creates an intent in `requires_payment_method`, and says so. */
export function openIntent<K extends "payment_intent" | "setup_intent">(
  scope: Scope,
  kind: K,
  given: Omit<Partial<ResourceByObject[K]>, keyof typeof intentShape> & Partial<Parameters<typeof intentShape>>,
): ResourceByObject[K] {
  const id = newId(kind);
  const intent = scope.store.insert<K>(kind, {
    ...given,
    id,
    automatic_payment_methods: { allow_redirects: "always", enabled: true, ...given.automatic_payment_methods },
    client_secret: `${id}_secret_${randomText(25)}`,
    status: "requires_payment_method",
  } as Partial<ResourceByObject[K]>);
  emit(scope, `${kind}.created`, intent);
  return intent;
}
