import type Stripe from "stripe";

import { type Scope, emit } from "../account.ts";
import { createRefusal } from "../protocol/errors.ts";
import { email } from "../protocol/parameters.ts";
import { toAmountFields, getCheckoutDetails, toCustomerDetails, toTaxedLine, withTotals } from "./checkout-sessions.ts";
import { type IntentDetails, attemptPayment, completePayment, createIntent, failPayment } from "./payment-intents.ts";
import { findMethod } from "./payment-methods.ts";
import { type Totals, computeTotals, taxRateAt } from "./totals.ts";

type Session = Stripe.Checkout.Session;

/** The promotion code that the sandbox's account has; its rate is in hundredths of a per cent. */
const PROMOTION = { code: "SAVE10", rate: 1_000 };

const ADDRESS_FIELDS = ["line1", "line2", "city", "state", "postal_code", "country"] as const;

/** Values that a person enters on the hosted page, by the form's names; "" is empty. */
export type CheckoutForm = Record<
  (typeof ADDRESS_FIELDS)[number] | "email" | "name" | "phone" | "shipping_rate" | "promotion_code" | "payment_method",
  string
>;

/** Returns which address the page asks for: none if tax is of the customer's known one. */
export function resolveAddressKind({ store }: Scope, session: Session): "shipping" | "billing" | null {
  if (session.shipping_address_collection) return "shipping";
  return session.automatic_tax.enabled && !store.find("customer", session.customer)?.shipping ? "billing" : null;
}

function findAddress(scope: Scope, session: Session, form: CheckoutForm): Stripe.Address | null {
  if (!resolveAddressKind(scope, session)) return null;
  return Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, form[name] || null])) as unknown as Stripe.Address;
}

/** @throws ApiError 400 with a sentence for the person */
export function assertFilledIn(scope: Scope, session: Session, form: CheckoutForm): void {
  if (form.email === "") throw createRefusal("Please enter your e-mail address.");
  email(form.email, "email");
  if (session.phone_number_collection?.enabled && !/^\+?[0-9 ().-]{5,20}$/.test(form.phone))
    throw createRefusal("Please enter your phone number.");
  const addressKind = resolveAddressKind(scope, session);
  if (addressKind && form.line1 === "") throw createRefusal("Please enter the street.");
  if (addressKind === "shipping" && form.name === "") throw createRefusal("Please enter your name.");
  const allowed: string[] = session.shipping_address_collection?.allowed_countries ?? [form.country];
  if (!allowed.includes(form.country)) throw createRefusal("The shop does not deliver to this country.");
}

/** Returns the session's amounts with what was entered. @throws ApiError 400 for an unknown option or code */
export function quote(scope: Scope, session: Session, form: CheckoutForm): Totals {
  const { lines } = getCheckoutDetails(scope, session.id);
  const code = form.promotion_code.toUpperCase();
  if (code && (!session.allow_promotion_codes || code !== PROMOTION.code)) throw createRefusal("This code is invalid.");
  const taxedAt =
    findAddress(scope, session, form) ?? scope.store.find("customer", session.customer)?.shipping?.address;
  const tax = session.automatic_tax.enabled ? (taxRateAt(taxedAt as Stripe.Address) ?? 0) : 0;
  return computeTotals(lines.map(toTaxedLine), chooseShipping(session, form)?.shipping_amount ?? 0, {
    tax,
    discount: code ? PROMOTION.rate : 0,
  });
}

/** Pays an open session, which becomes `complete` (unpaid while a bank debit is pending) unless `declined` says why. */
export function paySession(
  scope: Scope,
  session: Session,
  form: CheckoutForm,
): { session: Session; declined: string | null } {
  const filled = fillIn(scope, session, form);
  if (filled.amount_total === 0) return { session: complete(scope, filled, "no_payment_required"), declined: null };
  const method = findMethod(scope, form.payment_method, "payment_method");
  const intent = attemptPayment(scope, openIntent(scope, filled), method);
  const linkedSession = { ...filled, payment_intent: intent.id };
  if (intent.last_payment_error) {
    const declined = intent.last_payment_error.message ?? "Your card was declined.";
    return { session: scope.store.update(linkedSession, {}), declined };
  }
  return { session: complete(scope, linkedSession, intent.status === "succeeded" ? "paid" : "unpaid"), declined: null };
}

/** Ends a bank debit that was pending when the session completed: the money arrives, or the bank refuses it. */
export function settleSession(scope: Scope, session: Session, succeeds: boolean): Session {
  const intent = scope.store.find("payment_intent", session.payment_intent);
  if (!succeeds) {
    failDebit(scope, intent);
    emit(scope, "checkout.session.async_payment_failed", session);
    return session;
  }
  completePayment(scope, ...beginDebit(scope, intent));
  const paid = scope.store.update(session, { payment_status: "paid" });
  emit(scope, "checkout.session.async_payment_succeeded", paid);
  return paid;
}

/** The bank refuses a pending debit. */
export function failDebit(scope: Scope, intent: Stripe.PaymentIntent | undefined): Stripe.PaymentIntent {
  return failPayment(scope, ...beginDebit(scope, intent), {
    code: "payment_method_customer_decline",
    decline_code: "insufficient_funds",
    message: "The customer's bank account has insufficient funds.",
  });
}

function beginDebit(
  { store }: Scope,
  intent: Stripe.PaymentIntent | undefined,
): [Stripe.PaymentIntent, Stripe.PaymentMethod] {
  const method = store.find("payment_method", intent?.payment_method);
  if (!intent || !method || intent.status !== "processing") throw createRefusal("There is no pending payment.");
  return [intent, method];
}

function fillIn(scope: Scope, session: Session, form: CheckoutForm): Session {
  const totals = quote(scope, session, form);
  const details = getCheckoutDetails(scope, session.id);
  scope.store.setDetails(session.id, { ...details, lines: withTotals(details.lines, totals) });
  const address = findAddress(scope, session, form);
  const { email } = form;
  const name = form.name || null;
  const phone = session.phone_number_collection?.enabled ? form.phone : null;
  const isDelivered = session.shipping_address_collection && address;
  return {
    ...session,
    ...toAmountFields(totals, chooseShipping(session, form)?.shipping_rate),
    automatic_tax: { ...session.automatic_tax, status: session.automatic_tax.enabled ? "complete" : null },
    collected_information: {
      shipping_details: isDelivered ? { address, name: name ?? email } : null,
    } as Session["collected_information"],
    customer_details: toCustomerDetails({ address, email, name, phone }),
  };
}

/** Returns the session's intent: created at the first attempt to pay, updated at a later one. */
function openIntent(scope: Scope, session: Session): Stripe.PaymentIntent {
  const amount = session.amount_total ?? 0;
  const existing = scope.store.find("payment_intent", session.payment_intent);
  if (existing) return scope.store.update(existing, { amount });
  const { intent: intentFields } = getCheckoutDetails(scope, session.id);
  const collected = session.collected_information?.shipping_details as Stripe.PaymentIntent.Shipping | null;
  const shipping = collected
    ? { ...collected, phone: session.customer_details?.phone ?? null }
    : intentFields?.shipping;
  const customer = session.customer as string | undefined;
  const intent = createIntent(scope, { ...intentFields, amount, customer, shipping });
  scope.store.setDetails(intent.id, { session: session.id } satisfies IntentDetails);
  return intent;
}

function complete(scope: Scope, session: Session, payment_status: Stripe.Checkout.Session.PaymentStatus): Session {
  const completed = scope.store.update(session, { payment_status, status: "complete", url: null });
  const customer = scope.store.find("customer", completed.customer);
  const update = getCheckoutDetails(scope, session.id).customerUpdate;
  const address = update?.address === "auto" ? completed.customer_details?.address : null;
  const shipping = update?.shipping === "auto" ? completed.collected_information?.shipping_details : null;
  if (customer && (address || shipping)) {
    const news = { ...(address ? { address } : {}), ...(shipping ? { shipping } : {}) };
    emit(scope, "customer.updated", scope.store.update(customer, news as Partial<Stripe.Customer>));
  }
  emit(scope, "checkout.session.completed", completed);
  return completed;
}

function chooseShipping(
  session: Session,
  { shipping_rate: rate }: CheckoutForm,
): Stripe.Checkout.Session.ShippingOption | undefined {
  const option = session.shipping_options.find((candidate) => rate === "" || candidate.shipping_rate === rate);
  if (rate && !option) throw createRefusal("This shipping option is not offered.");
  return option;
}
