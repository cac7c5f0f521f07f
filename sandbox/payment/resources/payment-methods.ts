import type Stripe from "stripe";

import type { Account, Scope } from "../account.ts";
import { ApiError, noSuchResource, refusal } from "../protocol/errors.ts";
import { listing, operation, retrieval } from "../protocol/operation.ts";
import { methodType, required, text } from "../protocol/parameters.ts";
import { emit } from "./events.ts";
import type { TestMethod } from "./test-cards.ts";
import { testMethod } from "./test-cards.ts";

/** What the API does not show of a payment method: how it behaves, and whether it must not be used again. */
type Details = { method: TestMethod; spent: boolean };

export const paymentMethodOperations = [
  retrieval("/v1/payment_methods", "payment_method"),
  listing(
    "/v1/payment_methods",
    "payment_method",
    { customer: text(), type: methodType },
    // As at the provider, methods that belong to nobody are not listed.
    ({ customer = "", type }) => ({ customer, type }),
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

/**
 * Returns the payment method that a request names in its path, or in `param`; a new one for a well-known test id, as at
 * the provider.
 */
export function findMethod(scope: Scope, id: string, param?: string): Stripe.PaymentMethod {
  const method = testMethod(id);
  return method ? createTestMethod(scope, method) : scope.store.get("payment_method", id, param);
}

export function behaviourOf({ store }: Account, id: string): TestMethod {
  const details = store.details(id) as Details | undefined;
  if (!details) throw noSuchResource("payment_method", id, "payment_method");
  return details.method;
}

/** Throws if `customer` may not use a method: it is another's, or was detached or used up before. */
export function assertUsable({ store }: Account, method: Stripe.PaymentMethod, customer: string | null): void {
  const refused = (message: string) => refusal(message, { param: "payment_method" });
  if (method.customer && method.customer !== customer)
    throw refused("The payment method belongs to another customer than the `customer` parameter says.");
  if (!method.customer && (store.details(method.id) as Details | undefined)?.spent)
    throw refused(
      "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.",
    );
}

/** Binds a method to a customer, who may use it again. Throws 402 for a card that cannot be saved. */
export function attach(scope: Scope, method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
  if (method.customer === customer) return method;
  assertUsable(scope, method, customer);
  const { decline } = behaviourOf(scope, method.id);
  if (decline?.onAttach) {
    const { code, declineCode: decline_code, message } = decline;
    throw new ApiError(402, { type: "card_error", code, decline_code, message }, "declined");
  }
  const attached = scope.store.update(method, { customer });
  emit(scope, "payment_method.attached", attached);
  return attached;
}

export function detach(scope: Scope, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const customer = scope.store.find("customer", method.customer);
  if (!customer) {
    throw refusal("The payment method you provided is not attached to a customer so detachment is impossible.", {
      param: "payment_method",
    });
  }
  const detached = scope.store.update(method, { customer: null });
  markSpent(scope, method.id);
  const settings = customer.invoice_settings;
  if (settings.default_payment_method === method.id) {
    const updated = scope.store.update(customer, { invoice_settings: { ...settings, default_payment_method: null } });
    emit(scope, "customer.updated", updated, { invoice_settings: { default_payment_method: method.id } });
  }
  emit(scope, "payment_method.detached", detached, { customer: customer.id });
  return detached;
}

/** A method that paid without belonging to a customer pays no second time. */
export function markSpent(scope: Scope, id: string): void {
  scope.store.setDetails(id, { method: behaviourOf(scope, id), spent: true } satisfies Details);
}

function createTestMethod({ store, now }: Scope, method: TestMethod): Stripe.PaymentMethod {
  const { type, brand, funding, last4 } = method;
  const card = {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
    country: "US",
    display_brand: brand,
    exp_month: 12,
    exp_year: new Date(now() * 1_000).getUTCFullYear() + 3,
    fingerprint: `sandbox${brand}${last4}`,
    funding,
    generated_from: null,
    last4,
    networks: { available: [brand], preferred: null },
    regulated_status: "unregulated" as const,
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
  const bank = {
    account_holder_type: "individual" as const,
    account_type: "checking" as const,
    bank_name: "STRIPE TEST BANK",
    financial_connections_account: null,
    fingerprint: `sandboxbank${last4}`,
    last4,
    networks: { preferred: "ach", supported: ["ach" as const] },
    routing_number: "110000000",
    status_details: {},
  };
  const created = store.insert("payment_method", {
    type,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    ...(type === "card" ? { card } : { us_bank_account: bank }),
  });
  store.setDetails(created.id, { method, spent: false } satisfies Details);
  return created;
}
