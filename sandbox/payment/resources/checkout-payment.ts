import type Stripe from "stripe";

import { refusal } from "../protocol/errors.ts";
import type { Scope } from "../scope.ts";
import { checkoutDetails } from "./checkout-details.ts";
import { withTotals } from "./checkout-lines.ts";
import type { Totals } from "./checkout-totals.ts";
import { computeTotals, taxRateAt } from "./checkout-totals.ts";
import { createCustomer } from "./customers.ts";
import { emit } from "./events.ts";
import type { IntentDetails } from "./new-intent.ts";
import { createIntent } from "./new-intent.ts";
import { attemptPayment, completePayment, failPayment } from "./payment-attempt.ts";
import { behaviourOf, paymentMethodReference } from "./payment-methods.ts";
import { idOf } from "../state/resources.ts";

/** The promotion code that the sandbox's account has: ten per cent off. */
const PROMOTION = { code: "SAVE10", id: "promo_SandboxSave10", rate: 1_000 };

/** What a person enters on the hosted page. */
export type CheckoutEntry = {
  email: string;
  name: string | null;
  phone: string | null;
  /** Undefined when the page did not ask for one. */
  address: Stripe.Address | undefined;
  /** The chosen option's rate; the session's first when undefined. */
  shippingRate: string | undefined;
  promotionCode: string | undefined;
  /** A well-known test payment method, such as `pm_card_visa`. */
  paymentMethod: string;
};

/**
 * The session's amounts as they are with what was entered. Throws ApiError 400 for an option or code that does not
 * exist.
 */
export function quote(
  scope: Scope,
  session: Stripe.Checkout.Session,
  entry: Omit<CheckoutEntry, "email" | "paymentMethod">,
): Totals {
  const { lines } = checkoutDetails(scope, session.id);
  const option = chosenShipping(session, entry.shippingRate);
  const discounted = entry.promotionCode !== undefined && entry.promotionCode !== "";
  if (discounted && (!session.allow_promotion_codes || entry.promotionCode?.toUpperCase() !== PROMOTION.code)) {
    throw refusal("This code is invalid.", { param: "promotion_code" });
  }
  const address = entry.address ?? checkoutDetails(scope, session.id).intent.shipping?.address;
  const place = address ? { country: address.country ?? null, state: address.state ?? null } : null;
  const tax = session.automatic_tax.enabled ? (taxRateAt(place) ?? 0) : 0;
  const subtotals = lines.map((line) => line.amount_subtotal);
  return computeTotals(subtotals, option?.shipping_amount ?? 0, { tax, discount: discounted ? PROMOTION.rate : 0 });
}

/**
 * Pays an open session. Comes back `complete` (paid, or unpaid while a bank debit is under way) or, after a decline,
 * still open with `declined` saying why.
 */
export function paySession(
  scope: Scope,
  session: Stripe.Checkout.Session,
  entry: CheckoutEntry,
): { session: Stripe.Checkout.Session; declined: string | null } {
  const filled = fillIn(scope, session, entry);
  if (filled.amount_total === 0) return { session: complete(scope, filled, "no_payment_required"), declined: null };
  const method = paymentMethodReference(scope, entry.paymentMethod);
  if (!filled.payment_method_types.includes(method.type))
    throw refusal(`This session does not take ${method.type}.`, { param: "payment_method" });
  if (behaviourOf(scope, method.id).authentication) {
    throw refusal("This page cannot take a card that asks for authentication.", { param: "payment_method" });
  }
  const withDetails = scope.store.update<Stripe.PaymentMethod>({
    ...method,
    billing_details: {
      ...method.billing_details,
      email: entry.email,
      name: entry.name,
      phone: entry.phone,
      address: entry.address ?? null,
    },
  });
  const opened = openIntent(scope, filled);
  const intent = attemptPayment(scope, opened, withDetails);
  const linked: Stripe.Checkout.Session = { ...filled, customer: opened.customer, payment_intent: intent.id };
  if (intent.last_payment_error) {
    return {
      session: scope.store.update(linked),
      declined: intent.last_payment_error.message ?? "Your card was declined.",
    };
  }
  return { session: complete(scope, linked, intent.status === "succeeded" ? "paid" : "unpaid"), declined: null };
}

/** The end of a bank debit that was under way when the session completed: the money arrives, or the bank refuses it. */
export function settleSession(
  scope: Scope,
  session: Stripe.Checkout.Session,
  outcome: "succeeded" | "failed",
): Stripe.Checkout.Session {
  const intent = session.payment_intent ? scope.store.find("payment_intent", idOf(session.payment_intent)) : undefined;
  const method = intent?.payment_method ? scope.store.find("payment_method", idOf(intent.payment_method)) : undefined;
  if (!intent || !method || intent.status !== "processing") throw refusal("This session has no payment under way.");
  if (outcome === "failed") {
    const message = "The customer's bank account has insufficient funds.";
    failPayment(scope, intent, method, {
      code: "payment_method_customer_decline",
      declineCode: "insufficient_funds",
      message,
    });
    emit(scope, "checkout.session.async_payment_failed", session);
    return session;
  }
  completePayment(scope, intent, method);
  const paid = scope.store.update<Stripe.Checkout.Session>({ ...session, payment_status: "paid" });
  emit(scope, "checkout.session.async_payment_succeeded", paid);
  return paid;
}

/** The session with what was entered written into it. */
function fillIn(scope: Scope, session: Stripe.Checkout.Session, entry: CheckoutEntry): Stripe.Checkout.Session {
  const totals = quote(scope, session, entry);
  const details = checkoutDetails(scope, session.id);
  scope.store.setDetails(session.id, { ...details, lines: withTotals(details.lines, totals) });
  const option = chosenShipping(session, entry.shippingRate);
  const collectsShipping = session.shipping_address_collection && entry.address;
  return {
    ...session,
    amount_subtotal: totals.subtotal,
    amount_total: totals.total,
    automatic_tax: { ...session.automatic_tax, status: session.automatic_tax.enabled ? "complete" : null },
    collected_information: {
      business_name: null,
      individual_name: null,
      shipping_details:
        collectsShipping && entry.address ? { address: entry.address, name: entry.name ?? entry.email } : null,
    },
    customer_details: {
      address: entry.address ?? null,
      business_name: null,
      email: entry.email,
      individual_name: null,
      name: entry.name,
      phone: entry.phone,
      tax_exempt: "none",
      tax_ids: [],
    },
    discounts: totals.discount > 0 ? [{ coupon: null, promotion_code: PROMOTION.id }] : [],
    shipping_cost: option
      ? {
          amount_subtotal: totals.shipping,
          amount_tax: 0,
          amount_total: totals.shipping,
          shipping_rate: option.shipping_rate,
        }
      : null,
    total_details: { amount_discount: totals.discount, amount_shipping: totals.shipping, amount_tax: totals.tax },
  };
}

/** The session's intent: made at the first attempt to pay, brought up to date at a later one. */
function openIntent(scope: Scope, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const amount = session.amount_total ?? 0;
  const existing = session.payment_intent
    ? scope.store.find("payment_intent", idOf(session.payment_intent))
    : undefined;
  if (existing) return scope.store.update({ ...existing, amount });
  const { intent: wanted } = checkoutDetails(scope, session.id);
  const collected = session.collected_information?.shipping_details;
  const customer = session.customer
    ? idOf(session.customer)
    : createCustomerIfAsked(scope, session, wanted.setup_future_usage != null);
  const shipping =
    wanted.shipping ?? (collected ? { ...collected, carrier: null, phone: null, tracking_number: null } : null);
  const intent = createIntent(scope, { ...wanted, amount, customer, shipping });
  scope.store.setDetails(intent.id, { session: session.id } satisfies IntentDetails);
  return intent;
}

function createCustomerIfAsked(scope: Scope, session: Stripe.Checkout.Session, keepsMethod: boolean): string | null {
  if (session.customer_creation !== "always" && !keepsMethod) return null;
  const { email, name, phone } = session.customer_details ?? {};
  return createCustomer(scope, { email: email ?? "", name: name ?? null, phone: phone ?? null }).id;
}

function complete(
  scope: Scope,
  session: Stripe.Checkout.Session,
  payment_status: Stripe.Checkout.Session.PaymentStatus,
): Stripe.Checkout.Session {
  const completed = scope.store.update<Stripe.Checkout.Session>({
    ...session,
    payment_status,
    status: "complete",
    url: null,
  });
  updateCustomer(scope, completed);
  emit(scope, "checkout.session.completed", completed);
  return completed;
}

/** Writes to the session's customer what they entered, as far as `customer_update` says so. */
function updateCustomer(scope: Scope, session: Stripe.Checkout.Session): void {
  const update = checkoutDetails(scope, session.id).customerUpdate;
  const customer = update && session.customer ? scope.store.find("customer", idOf(session.customer)) : undefined;
  if (!update || !customer) return;
  const { address, name } = session.customer_details ?? {};
  const delivery = session.collected_information?.shipping_details;
  const updated = scope.store.update<Stripe.Customer>({
    ...customer,
    ...(update.address === "auto" && address ? { address } : {}),
    ...(update.name === "auto" && name ? { name } : {}),
    ...(update.shipping === "auto" && delivery ? { shipping: delivery } : {}),
  });
  emit(scope, "customer.updated", updated);
}

function chosenShipping(
  session: Stripe.Checkout.Session,
  rate: string | undefined,
): Stripe.Checkout.Session.ShippingOption | undefined {
  const option = rate
    ? session.shipping_options.find((candidate) => candidate.shipping_rate === rate)
    : session.shipping_options[0];
  if (rate && !option) throw refusal("This shipping option is not offered.", { param: "shipping_rate" });
  return option;
}
