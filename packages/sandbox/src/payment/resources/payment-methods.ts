import type Stripe from "stripe";
import { type Account, type Scope, emit } from "../account.ts";
import { createRefusal } from "../protocol/errors.ts";

/** Details of a payment method that the API does not show: its behaviour, and whether it must not be used again. */
type Details = { method: TestMethod; spent: boolean };

/** Returns the payment method that a request names; a new one for a well-known test id, as at the provider. */
export function findMethod(scope: Scope, id: string, param?: string): Stripe.PaymentMethod {
  const method = Object.hasOwn(METHODS, id) ? METHODS[id] : undefined;
  return method ? createTestMethod(scope, method) : scope.store.get("payment_method", id, param);
}

export function getBehaviour({ store }: Account, id: string): TestMethod {
  return (store.details(id) as Details).method;
}

/** Refuses another's method, and one that was detached or used up. */
export function assertUsable({ store }: Account, method: Stripe.PaymentMethod, customer: string | null): void {
  const createRefused = (message: string) => createRefusal(message, { param: "payment_method" });
  if (method.customer && method.customer !== customer)
    throw createRefused("The payment method belongs to another customer than the `customer` parameter says.");
  if (!method.customer && (store.details(method.id) as Details | undefined)?.spent)
    throw createRefused(
      "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.",
    );
}

/** Binds a method to a customer, who may use it again. */
export function attach(scope: Scope, method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
  assertUsable(scope, method, customer);
  const attached = scope.store.update(method, { customer });
  emit(scope, "payment_method.attached", attached);
  return attached;
}

export function detach(scope: Scope, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const customer = scope.store.find("customer", method.customer);
  if (!customer) {
    const message = "The payment method you provided is not attached to a customer so detachment is impossible.";
    throw createRefusal(message, { param: "payment_method" });
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
  scope.store.setDetails(id, { method: getBehaviour(scope, id), spent: true } satisfies Details);
}

function createTestMethod({ store, now }: Scope, method: TestMethod): Stripe.PaymentMethod {
  const { type, brand, last4 } = method;
  const details =
    type === "card"
      ? { brand, country: "US", exp_month: 12, exp_year: new Date(now() * 1_000).getUTCFullYear() + 3, last4 }
      : { last4 };
  const created = store.insert("payment_method", { type, [type]: details });
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

function createDeclined(last4: string, decline_code: string, message: string): TestMethod {
  return { ...visa, last4, decline: { code: "card_declined", decline_code, message } };
}

/** The provider's documented test payment methods that the sandbox knows, by id. */
const METHODS: Record<string, TestMethod> = {
  pm_card_visa: visa,
  pm_card_mastercard: { ...visa, brand: "mastercard", last4: "4444" },
  pm_card_chargeDeclined: createDeclined("0002", "generic_decline", "Your card was declined."),
  pm_card_chargeDeclinedInsufficientFunds: createDeclined(
    "9995",
    "insufficient_funds",
    "Your card has insufficient funds.",
  ),
  pm_card_refundFail: { ...visa, last4: "5126", refund: "fails" },
  pm_card_pendingRefund: { ...visa, last4: "7726", refund: "pends" },
  pm_card_createDispute: { ...visa, last4: "0259", dispute: "fraudulent" },
  pm_usBankAccount_success: { type: "us_bank_account", last4: "6789" },
};
