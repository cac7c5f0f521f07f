import type Stripe from "stripe";
import { type Account, type Scope, emit } from "../account.ts";
import { createInvalidParameter, createNoSuchResource, createRefusal } from "../protocol/errors.ts";
import { DEFAULT_LIMIT, defineOperation, defineReadings, toList } from "../protocol/operation.ts";
import {
  type Parameters,
  boolean,
  cents,
  currency,
  integer,
  list,
  newMetadata,
  object,
  oneOf,
  pageCountry,
  paging,
  required,
  shipping,
  text,
  webAddress,
} from "../protocol/parameters.ts";
import { type LineItem, createId } from "../store.ts";
import { MINIMUM_CENTS, cancelIntent } from "./payment-intents.ts";
import { type Totals, computeTotals, taxRateAt } from "./totals.ts";

type Session = Stripe.Checkout.Session;

/** Stored beside a session: its lines, and what its payment writes to its intent and customer. */
type CheckoutDetails = {
  lines: LineItem[];
  customerUpdate: CreateSession["customer_update"];
  intent: CreateSession["payment_intent_data"];
};

const lineItem = object({
  price_data: required(
    object({
      currency: required(currency),
      product_data: required(
        object({
          description: text({ max: 40_000 }),
          images: list(text(), { max: 8 }),
          metadata: newMetadata,
          name: required(text()),
        }),
      ),
      tax_behavior: oneOf("exclusive", "inclusive"),
      unit_amount: required(cents),
    }),
  ),
  quantity: required(integer({ min: 1, max: 999_999 })),
});

const estimate = object({
  unit: required(oneOf("business_day", "day", "hour", "month", "week")),
  value: required(integer({ min: 1 })),
});

const shippingOption = object({
  shipping_rate_data: required(
    object({
      delivery_estimate: object({ maximum: estimate, minimum: estimate }),
      display_name: required(text({ max: 100 })),
      fixed_amount: required(object({ amount: required(cents), currency: required(currency) })),
      metadata: newMetadata,
      tax_behavior: oneOf("exclusive", "inclusive"),
      type: oneOf("fixed_amount"),
    }),
  ),
});

/** The parameters that the sandbox knows: those of a one-time payment on the hosted page. */
const createShape = {
  adaptive_pricing: object({ enabled: boolean }),
  allow_promotion_codes: boolean,
  automatic_tax: object({ enabled: required(boolean) }),
  cancel_url: webAddress,
  client_reference_id: text({ max: 200 }),
  customer: text(),
  customer_update: object({ address: oneOf("auto", "never"), shipping: oneOf("auto", "never") }),
  expires_at: integer(),
  line_items: required(list(lineItem, { max: 100 })),
  metadata: newMetadata,
  mode: required(oneOf("payment")),
  payment_intent_data: object({ metadata: newMetadata, shipping }),
  phone_number_collection: object({ enabled: required(boolean) }),
  shipping_address_collection: object({ allowed_countries: required(list(pageCountry)) }),
  shipping_options: list(shippingOption, { max: 5 }),
  success_url: required(webAddress),
};

type CreateSession = Parameters<typeof createShape>;

const MAXIMUM_CENTS = 99_999_999;
const SHORTEST_SECONDS = 30 * 60;
const LONGEST_SECONDS = 24 * 3_600;
/** A client computes the expiry by its own clock, before the request is on its way. */
const CLOCK_GRACE_SECONDS = 60;

export const checkoutSessionOperations = [
  defineOperation("POST /v1/checkout/sessions", createShape, createSession),
  ...defineReadings("/v1/checkout/sessions", "checkout.session", {
    payment_intent: text(),
    status: oneOf("complete", "expired", "open"),
  }),
  defineOperation("POST /v1/checkout/sessions/:id/expire", {}, (scope, _given, { id }) => {
    const session = scope.store.get("checkout.session", id);
    if (session.status === "open") return expireSession(scope, session);
    throw createRefusal(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  }),
  defineOperation(
    "GET /v1/checkout/sessions/:id/line_items",
    paging,
    (scope, { limit = DEFAULT_LIMIT, starting_after: after }, { id }) => {
      const { lines } = getCheckoutDetails(scope, id);
      const start = lines.findIndex((line) => line.id === after) + 1;
      const path = `/v1/checkout/sessions/${id}/line_items`;
      return toList(path, lines.slice(start, start + limit), lines.length > start + limit);
    },
  ),
];

export function getCheckoutDetails({ store }: Account, session: string): CheckoutDetails {
  const details = store.details(session) as CheckoutDetails | undefined;
  if (!details) throw createNoSuchResource("checkout.session", session);
  return details;
}

/** The taxes and discounts of a session, as its `total_details.breakdown` shows them when expanded. */
export function getTaxBreakdown({ store }: Account, id: string) {
  const { total_details: details, customer_details: entered, customer } = store.get("checkout.session", id);
  const { country, state } = store.find("customer", customer)?.shipping?.address ?? entered?.address ?? {};
  const amount = details?.amount_tax ?? 0;
  const rate = {
    object: "tax_rate",
    display_name: "Sales Tax",
    country,
    jurisdiction: state ?? country,
    inclusive: false,
  };
  return { discounts: [], taxes: amount > 0 ? [{ amount, rate, taxability_reason: "standard_rated" }] : [] };
}

/** Closes an open session for good: no url, its unpaid intent canceled, `checkout.session.expired`. */
function expireSession(scope: Scope, session: Session): Session {
  const expired = scope.store.update(session, { status: "expired", url: null });
  const intent = scope.store.find("payment_intent", session.payment_intent);
  if (intent) cancelIntent(scope, intent, "automatic");
  emit(scope, "checkout.session.expired", expired);
  return expired;
}

/** Expires every open session whose time has come. Called before each request and by a timer. */
export function expireDueSessions(scope: Scope): void {
  for (const session of scope.store.dueSessions(scope.now())) expireSession(scope, session);
}

function createSession(scope: Scope, requested: CreateSession): Session {
  const params = {
    ...requested,
    ...(requested.expires_at ? { expires_at: requested.expires_at + scope.ahead() } : {}),
  };
  assertConsistent(params, scope.now());
  const customer = params.customer ? scope.store.get("customer", params.customer, "customer") : undefined;
  const isTaxed = params.automatic_tax?.enabled ?? false;
  if (isTaxed) assertTaxable(params, customer);
  const lines = params.line_items.map((line) => createLine(scope, line));
  const rates = (params.shipping_options ?? []).map(({ shipping_rate_data: rate }) => createShippingRate(scope, rate));
  const collects = params.shipping_address_collection !== undefined;
  const taxRate = isTaxed && !collects ? taxRateAt(customer?.shipping?.address ?? customer?.address) : undefined;
  if (isTaxed && !collects && customer?.shipping && taxRate === undefined) throw createUnknownTaxLocation();
  const totals = computeTotals(lines.map(toTaxedLine), rates[0]?.fixed_amount?.amount ?? 0, {
    tax: taxRate ?? 0,
    discount: 0,
  });
  assertTotal(totals.total);
  const id = createId("checkout.session");
  const session = scope.store.insert("checkout.session", {
    id,
    allow_promotion_codes: params.allow_promotion_codes,
    automatic_tax: {
      enabled: isTaxed,
      status: isTaxed ? (taxRate === undefined ? "requires_location_inputs" : "complete") : null,
    } as Session["automatic_tax"],
    cancel_url: params.cancel_url,
    client_reference_id: params.client_reference_id,
    collected_information: { shipping_details: null } as Session["collected_information"],
    currency: "usd",
    customer: customer?.id,
    customer_details: customer && toCustomerDetails({ email: customer.email }),
    expires_at: params.expires_at ?? scope.now() + LONGEST_SECONDS,
    metadata: params.metadata,
    mode: "payment",
    payment_status: "unpaid",
    phone_number_collection: { enabled: params.phone_number_collection?.enabled ?? false },
    shipping_address_collection: params.shipping_address_collection as Session["shipping_address_collection"],
    shipping_options: rates.map((rate) => ({
      shipping_amount: rate.fixed_amount?.amount ?? 0,
      shipping_rate: rate.id,
    })),
    status: "open",
    success_url: params.success_url,
    url: `${scope.baseUrl}/c/pay/${id}`,
    ...toAmountFields(totals, rates[0]?.id),
  });
  const { customer_update: customerUpdate, payment_intent_data: intent } = params;
  scope.store.setDetails(id, { lines: withTotals(lines, totals), customerUpdate, intent } satisfies CheckoutDetails);
  return session;
}

export function toAmountFields(totals: Totals, shippingRate: Stripe.ShippingRate | string | undefined) {
  const { subtotal, discount, tax, shipping, total } = totals;
  const cost = { amount_subtotal: shipping, amount_tax: 0, amount_total: shipping };
  return {
    amount_subtotal: subtotal,
    amount_total: total,
    shipping_cost: shippingRate ? { ...cost, shipping_rate: shippingRate } : null,
    total_details: { amount_discount: discount, amount_shipping: shipping, amount_tax: tax },
  };
}

export function toCustomerDetails(
  details: Partial<Stripe.Checkout.Session.CustomerDetails>,
): Stripe.Checkout.Session.CustomerDetails {
  const blank = { address: null, email: null, name: null, phone: null };
  return { ...blank, ...details } as Stripe.Checkout.Session.CustomerDetails;
}

export function withTotals(lines: LineItem[], totals: Totals): LineItem[] {
  return lines.map((line, index) => {
    const { discount, tax, total } = totals.lines[index]!;
    return { ...line, amount_discount: discount, amount_tax: tax, amount_total: total };
  });
}

/** A line as `computeTotals` takes it. */
export const toTaxedLine = ({ amount_subtotal: amount, price }: LineItem) => ({
  amount,
  isInclusive: price?.tax_behavior === "inclusive",
});

function createLine({ store }: Scope, params: CreateSession["line_items"][number]): LineItem {
  const { price_data: data, quantity } = params;
  const { product_data: described, unit_amount: amount } = data;
  const product = store.insert("product", { active: true, ...described, images: described.images ?? [] });
  const price = store.insert("price", {
    active: false,
    currency: data.currency,
    product: product.id,
    tax_behavior: data.tax_behavior ?? "unspecified",
    type: "one_time",
    unit_amount: amount,
  });
  return {
    id: createId("item"),
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount * quantity,
    amount_tax: 0,
    amount_total: amount * quantity,
    currency: data.currency,
    description: product.name,
    metadata: {},
    price,
    quantity,
  };
}

function createShippingRate(
  { store }: Scope,
  data: NonNullable<CreateSession["shipping_options"]>[number]["shipping_rate_data"],
): Stripe.ShippingRate {
  const { delivery_estimate: days, display_name, fixed_amount, metadata: labels } = data;
  return store.insert("shipping_rate", {
    active: true,
    delivery_estimate: days ? { maximum: days.maximum ?? null, minimum: days.minimum ?? null } : null,
    display_name,
    fixed_amount,
    metadata: labels,
    type: "fixed_amount",
  });
}

function assertConsistent(params: CreateSession, now: number): void {
  const createInvalid = (param: string, message: string) => createInvalidParameter("parameter_invalid", param, message);
  if (params.customer_update && !params.customer)
    throw createInvalid("customer_update", "`customer_update` can only be used with `customer`.");
  if (params.shipping_address_collection && params.payment_intent_data?.shipping)
    throw createInvalid(
      "payment_intent_data[shipping]",
      "You may only specify one of these parameters: shipping_address_collection, payment_intent_data[shipping].",
    );
  const seconds = params.expires_at === undefined ? SHORTEST_SECONDS : params.expires_at - now;
  if (seconds < SHORTEST_SECONDS - CLOCK_GRACE_SECONDS)
    throw createInvalid("expires_at", "The `expires_at` timestamp must be at least 30 minutes from session creation.");
  if (seconds > LONGEST_SECONDS + CLOCK_GRACE_SECONDS)
    throw createInvalid("expires_at", "The `expires_at` timestamp must be less than 24 hours from session creation.");
}

/** Automatic tax needs, for a known customer, an address: theirs, or the one that they will enter. */
function assertTaxable(params: CreateSession, customer: Stripe.Customer | undefined): void {
  // As an account without a default says.
  if (params.line_items.some(({ price_data: { tax_behavior: behavior } }) => behavior === undefined))
    throw createRefusal(
      "You must set `tax_behavior` on each price in `line_items` to use automatic tax, or a default in the tax settings of the account.",
    );
  const update = params.customer_update;
  if (!customer || customer.address || customer.shipping) return;
  if (update?.address === "auto" || update?.shipping === "auto") return;
  const message =
    "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set `customer_update[address]` to 'auto' to save the address entered in Checkout to the Customer.";
  throw createRefusal(message, { code: "customer_tax_location_invalid" });
}

function assertTotal(total: number): void {
  if (total > 0 && total < MINIMUM_CENTS) {
    const message = "The Checkout Session's total amount due must add up to at least $0.50 usd";
    throw createRefusal(message, { code: "amount_too_small" });
  }
  if (total > MAXIMUM_CENTS) {
    const message = "The Checkout Session's total amount due must be no more than $999,999.99";
    throw createRefusal(message, { code: "amount_too_large" });
  }
}

export function createUnknownTaxLocation() {
  return createRefusal("We could not determine the customer's tax location based on the provided customer address.", {
    code: "customer_tax_location_invalid",
  });
}
