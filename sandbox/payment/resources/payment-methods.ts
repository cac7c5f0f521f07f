import type Stripe from "stripe";

import { fullAddress } from "../protocol/common-parameters.ts";
import { ApiError, noSuchReference, noSuchResource, refusal } from "../protocol/errors.ts";
import { listOperation } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import { oneOf, required, text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import { customerReference, findCustomer } from "./find-customer.ts";
import { emit } from "./events.ts";
import type { TestMethod } from "./test-cards.ts";
import { testMethod } from "./test-cards.ts";
import { idOf } from "../state/resources.ts";

/** What the API does not show of a payment method: how it behaves, and whether it may still be used. */
type Details = { method: TestMethod; spent: boolean };

const METHOD_TYPES = ["card", "us_bank_account"] as const;

export const paymentMethodOperations = [
  operation("GET /v1/payment_methods/:id", {}, (scope, _parameters, { id }) => findPaymentMethod(scope, id)),
  listOperation(
    "GET /v1/payment_methods",
    { customer: text(), type: oneOf(...METHOD_TYPES) },
    ({ customer, type }, _path, account) => {
      if (customer) customerReference(account, customer);
      // Without a customer the provider lists none: methods that belong to nobody are not listed.
      return { object: "payment_method", match: { customer: customer ?? "", type } };
    },
  ),
  listOperation(
    "GET /v1/customers/:id/payment_methods",
    { type: oneOf(...METHOD_TYPES) },
    ({ type }, path, account) => {
      const customer = findCustomer(account, path["id"] ?? "");
      return { object: "payment_method", match: { customer: customer.id, type } };
    },
  ),
  operation("GET /v1/customers/:id/payment_methods/:method", {}, (scope, _parameters, path) => {
    const customer = findCustomer(scope, path.id);
    const method = findPaymentMethod(scope, path["method"] ?? "");
    if (method.customer !== customer.id) throw noSuchResource("PaymentMethod", method.id, "payment_method");
    return method;
  }),
  operation("POST /v1/payment_methods/:id/attach", { customer: required(text()) }, (scope, { customer }, { id }) => {
    const owner = customerReference(scope, customer);
    const method = testMethod(id) ? createTestMethod(scope, id) : findPaymentMethod(scope, id);
    return attach(scope, method, owner.id);
  }),
  operation("POST /v1/payment_methods/:id/detach", {}, (scope, _parameters, { id }) =>
    detach(scope, findPaymentMethod(scope, id)),
  ),
];

function findPaymentMethod(account: Account, id: string): Stripe.PaymentMethod {
  const method = account.store.find("payment_method", id);
  if (!method) throw noSuchResource("PaymentMethod", id, "payment_method");
  return method;
}

/** The payment method that a parameter names; a well-known test id gives a fresh one, as at the provider. */
export function paymentMethodReference(scope: Scope, id: string, param = "payment_method"): Stripe.PaymentMethod {
  const method = testMethod(id) ? createTestMethod(scope, id) : scope.store.find("payment_method", id);
  if (!method) throw noSuchReference("PaymentMethod", id, param);
  return method;
}

export function behaviourOf(account: Account, id: string): TestMethod {
  const details = account.store.details(id) as Details | undefined;
  if (!details) throw noSuchReference("PaymentMethod", id, "payment_method");
  return details.method;
}

/** Throws when a method may not be used by `customer`: it is another's, or was detached or used up before. */
export function assertUsable(account: Account, method: Stripe.PaymentMethod, customer: string | null): void {
  if (method.customer && method.customer !== customer) {
    const message = customer
      ? "The payment method you provided is attached to a different customer."
      : "The PaymentMethod belongs to a Customer. Please include the Customer in the `customer` parameter.";
    throw refusal(message, { param: "payment_method" });
  }
  if (!method.customer && (account.store.details(method.id) as Details | undefined)?.spent) {
    throw refusal(
      "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.",
      { param: "payment_method" },
    );
  }
}

/** Binds a method to a customer, which makes it theirs to use again. Throws 402 for a card that cannot be saved. */
export function attach(scope: Scope, method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer) {
    throw refusal("The payment method you provided has already been attached to a customer.", {
      param: "payment_method",
    });
  }
  assertUsable(scope, method, customer);
  const { decline } = behaviourOf(scope, method.id);
  if (decline?.onAttach) {
    throw new ApiError(
      402,
      { type: "card_error", code: decline.code, decline_code: decline.declineCode, message: decline.message },
      "declined",
    );
  }
  const attached = scope.store.update({ ...method, customer });
  emit(scope, "payment_method.attached", attached);
  return attached;
}

export function detach(scope: Scope, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  if (!method.customer) {
    throw refusal("The payment method you provided is not attached to a customer so detachment is impossible.", {
      param: "payment_method",
    });
  }
  const detached = scope.store.update({ ...method, customer: null });
  markSpent(scope, method.id);
  clearDefault(scope, idOf(method.customer), method.id);
  emit(scope, "payment_method.detached", detached, { customer: method.customer });
  return detached;
}

function clearDefault(scope: Scope, customerId: string, methodId: string): void {
  const customer = findCustomer(scope, customerId);
  const settings = customer.invoice_settings;
  if (settings.default_payment_method !== methodId) return;
  const updated = scope.store.update({ ...customer, invoice_settings: { ...settings, default_payment_method: null } });
  emit(scope, "customer.updated", updated, { invoice_settings: { default_payment_method: methodId } });
}

/** A method that paid without belonging to a customer pays no second time. */
export function markSpent(scope: Scope, id: string): void {
  scope.store.setDetails(id, { method: behaviourOf(scope, id), spent: true } satisfies Details);
}

function createTestMethod(scope: Scope, testId: string): Stripe.PaymentMethod {
  const method = testMethod(testId);
  if (!method) throw noSuchReference("PaymentMethod", testId, "payment_method");
  const billing_details = { address: fullAddress({}), email: null, name: null, phone: null, tax_id: null };
  const shared = {
    id: newId.paymentMethod(),
    object: "payment_method" as const,
    allow_redisplay: "unspecified",
    billing_details,
    created: scope.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
  };
  const created: Stripe.PaymentMethod =
    method.type === "card"
      ? { ...shared, type: "card", card: cardOf(scope, method) }
      : { ...shared, type: "us_bank_account", us_bank_account: bankAccountOf(method) };
  scope.store.insert(created);
  scope.store.setDetails(created.id, { method, spent: false } satisfies Details);
  return created;
}

function cardOf(account: Account, method: TestMethod): Stripe.PaymentMethod.Card {
  return {
    brand: method.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
    country: "US",
    display_brand: method.brand,
    exp_month: 12,
    exp_year: new Date(account.now() * 1_000).getUTCFullYear() + 3,
    fingerprint: `sandbox${method.brand}${method.last4}`,
    funding: method.funding,
    generated_from: null,
    last4: method.last4,
    networks: { available: [method.brand], preferred: null },
    regulated_status: "unregulated",
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function bankAccountOf(method: TestMethod): Stripe.PaymentMethod.UsBankAccount {
  return {
    account_holder_type: "individual",
    account_type: "checking",
    bank_name: "STRIPE TEST BANK",
    financial_connections_account: null,
    fingerprint: `sandboxbank${method.last4}`,
    last4: method.last4,
    networks: { preferred: "ach", supported: ["ach"] },
    routing_number: "110000000",
    status_details: {},
  };
}
