import type Stripe from "stripe";

import { applyMetadata, metadata } from "../protocol/common-parameters.ts";
import { invalidParameter, noSuchReference, refusal } from "../protocol/errors.ts";
import { listOperation, toList } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import { integer, object, oneOf, required, text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import type { WireLineItem } from "../state/resources.ts";
import type { CheckoutDetails } from "./checkout-details.ts";
import { checkoutDetails, findSession } from "./checkout-details.ts";
import { expireSession } from "./checkout-expiry.ts";
import { createLines, createShippingRates, withTotals } from "./checkout-lines.ts";
import type { CreateSession } from "./checkout-parameters.ts";
import { assertConsistent, createSessionShape } from "./checkout-parameters.ts";
import type { Totals } from "./checkout-totals.ts";
import { computeTotals, taxRateAt } from "./checkout-totals.ts";
import { customerReference } from "./find-customer.ts";

const MINIMUM_CENTS = 50;
const MAXIMUM_CENTS = 99_999_999;
const DEFAULT_LIFE_SECONDS = 24 * 3_600;

export const checkoutSessionOperations = [
  operation("POST /v1/checkout/sessions", createSessionShape, (scope, parameters) => createSession(scope, parameters)),
  listOperation(
    "GET /v1/checkout/sessions",
    {
      customer: text(),
      customer_details: object({ email: required(text()) }),
      payment_intent: text(),
      status: oneOf("complete", "expired", "open"),
    },
    ({ customer, customer_details, payment_intent, status }) => ({
      object: "checkout.session",
      match: { customer, payment_intent, status, "customer_details.email": customer_details?.email },
    }),
  ),
  operation("GET /v1/checkout/sessions/:id", {}, (scope, _parameters, { id }) => findSession(scope, id)),
  operation("POST /v1/checkout/sessions/:id", { metadata }, (scope, parameters, { id }) => {
    const session = findSession(scope, id);
    return scope.store.update({ ...session, metadata: applyMetadata(session.metadata ?? {}, parameters.metadata) });
  }),
  operation("POST /v1/checkout/sessions/:id/expire", {}, (scope, _parameters, { id }) => {
    const session = findSession(scope, id);
    if (session.status === "open") return expireSession(scope, session);
    throw refusal(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  }),
  operation(
    "GET /v1/checkout/sessions/:id/line_items",
    { ending_before: text(), limit: integer({ min: 1, max: 100 }), starting_after: text() },
    (scope, parameters, { id }) => {
      const { lines } = checkoutDetails(scope, findSession(scope, id).id);
      return pageOfLines(`/v1/checkout/sessions/${id}/line_items`, lines, parameters);
    },
  ),
];

function createSession(scope: Scope, given: CreateSession): Stripe.Checkout.Session {
  assertConsistent(given, scope.now());
  const customer = given.customer ? customerReference(scope, given.customer) : undefined;
  if (given.automatic_tax?.enabled) assertTaxable(scope, given, customer);
  const lines = createLines(scope, given.line_items);
  const rates = createShippingRates(scope, given.shipping_options);
  const taxRate = given.automatic_tax?.enabled ? taxRateAt(customer?.shipping?.address ?? customer?.address) : 0;
  const shipping = rates[0]?.fixed_amount?.amount ?? 0;
  const totals = computeTotals(
    lines.map((line) => line.amount_subtotal),
    shipping,
    { tax: taxRate ?? 0, discount: 0 },
  );
  assertTotal(totals.total);
  const session = scope.store.insert(
    describeSession(scope, given, { customer, rates, totals, taxKnown: taxRate !== undefined }),
  );
  const intent = given.payment_intent_data ?? {};
  const details: CheckoutDetails = {
    lines: withTotals(lines, totals),
    customerUpdate: given.customer_update,
    intent: { ...intent, allowed_payment_method_types: given.allowed_payment_method_types },
  };
  scope.store.setDetails(session.id, details);
  return session;
}

/**
 * Automatic tax needs an account that is set up for it and, for a known customer, an address: theirs, or the one they
 * will enter.
 */
function assertTaxable(account: Account, given: CreateSession, customer: Stripe.Customer | undefined): void {
  if (!account.taxRegistered) {
    const message = "You must have a valid head office address to enable automatic tax calculation in test mode.";
    throw invalidParameter("parameter_invalid", "automatic_tax[enabled]", message);
  }
  const update = given.customer_update;
  if (!customer || customer.address || customer.shipping || update?.address === "auto" || update?.shipping === "auto")
    return;
  const message =
    "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.";
  throw refusal(message, { code: "customer_tax_location_invalid" });
}

function describeSession(
  account: Account,
  given: CreateSession,
  made: { customer: Stripe.Customer | undefined; rates: Stripe.ShippingRate[]; totals: Totals; taxKnown: boolean },
): Stripe.Checkout.Session {
  const id = newId.checkoutSession();
  const { customer, rates, totals } = made;
  const tax = given.automatic_tax?.enabled ?? false;
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: { enabled: given.adaptive_pricing?.enabled ?? false },
    after_expiration: null,
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    amount_subtotal: totals.subtotal,
    amount_total: totals.total,
    automatic_tax: {
      enabled: tax,
      liability: tax ? { type: "self" } : null,
      provider: tax ? "stripe" : null,
      status: tax ? (made.taxKnown ? "complete" : "requires_location_inputs") : null,
    },
    billing_address_collection: given.billing_address_collection ?? null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    client_secret: null,
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    consent: null,
    consent_collection: null,
    created: account.now(),
    currency: "usd",
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: customer ? null : (given.customer_creation ?? "if_required"),
    customer_details: knownCustomerDetails(given, customer),
    customer_email: given.customer_email ?? null,
    discounts: [],
    expires_at: given.expires_at ?? account.now() + DEFAULT_LIFE_SECONDS,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: given.locale ?? null,
    managed_payments: null,
    metadata: applyMetadata({}, given.metadata),
    mode: "payment",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: given.allowed_payment_method_types ?? ["card", "us_bank_account"],
    payment_status: "unpaid",
    permissions: null,
    phone_number_collection: { enabled: given.phone_number_collection?.enabled ?? false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: given.shipping_address_collection ?? null,
    shipping_cost: rates[0]
      ? { amount_subtotal: totals.shipping, amount_tax: 0, amount_total: totals.shipping, shipping_rate: rates[0].id }
      : null,
    shipping_options: rates.map((rate) => ({
      shipping_amount: rate.fixed_amount?.amount ?? 0,
      shipping_rate: rate.id,
    })),
    status: "open",
    submit_type: given.submit_type ?? null,
    subscription: null,
    success_url: given.success_url,
    total_details: { amount_discount: totals.discount, amount_shipping: totals.shipping, amount_tax: totals.tax },
    ui_mode: "hosted_page",
    url: `${account.baseUrl}/c/pay/${id}`,
    wallet_options: null,
  };
}

function knownCustomerDetails(
  given: CreateSession,
  customer: Stripe.Customer | undefined,
): Stripe.Checkout.Session.CustomerDetails | null {
  const email = customer?.email ?? given.customer_email;
  if (!email && !customer) return null;
  return {
    address: null,
    business_name: null,
    email: email ?? null,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: "none",
    tax_ids: null,
  };
}

function assertTotal(total: number): void {
  if (total > 0 && total < MINIMUM_CENTS) {
    const message = "The Checkout Session's total amount due must add up to at least $0.50 usd";
    throw refusal(message, { code: "amount_too_small" });
  }
  if (total > MAXIMUM_CENTS) {
    throw refusal("The Checkout Session's total amount due must be no more than $999,999.99", {
      code: "amount_too_large",
    });
  }
}

function pageOfLines(
  url: string,
  lines: WireLineItem[],
  {
    limit = 10,
    starting_after: after,
    ending_before: before,
  }: { limit?: number; starting_after?: string; ending_before?: string },
) {
  const position = (id: string, param: string) => {
    const found = lines.findIndex((line) => line.id === id);
    if (found < 0) throw noSuchReference("line_item", id, param);
    return found;
  };
  if (before !== undefined) {
    const end = position(before, "ending_before");
    const start = Math.max(0, end - limit);
    return toList(url, lines.slice(start, end), start > 0);
  }
  const start = after === undefined ? 0 : position(after, "starting_after") + 1;
  return toList(url, lines.slice(start, start + limit), lines.length > start + limit);
}
