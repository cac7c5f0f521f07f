import { oneLine } from "../../broker/contract/common.ts";
import { cartIdRule, centsRule, emailRule, sentCartItemRule, shippingAddressRule } from "../shared/commerce.ts";
import { FULFILMENTS } from "../shared/placed-order.ts";
import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import {
  any,
  array,
  boolean,
  type CustomCheck,
  date,
  ignored,
  integer,
  number,
  object,
  oneOf,
  record,
  string,
} from "../../broker/contract/rules.ts";
import { PROVIDER_DEADLINE_MS } from "../../mixins/payment-provider/limits.ts";

const ADDRESS = /^https?:\/\/[^\s/]\S*$/i;

/** The pattern lets through what looks like an address; a provider refuses one that is none (`http://[::1`). */
const checkParsable: CustomCheck<string> = (value, errors, _schema, path) => {
  if (typeof value === "string" && ADDRESS.test(value) && !URL.canParse(value))
    errors.push({ type: "url", message: `The '${path}' field must be an http(s) URL.` });
  return value;
};

const customerIdRule = string({
  min: 1,
  max: 200,
  optional: true,
  emptyIsAbsent: true,
  description:
    "The identity provider's user id; needs that user's bearer token, or an admin's. The order belongs to this user, " +
    "else to the user of the saved cart, else to the user whose bearer token is sent, else to `guest`",
});

const redirectRule = string({
  max: 2_000,
  pattern: ADDRESS,
  words: "an http(s) URL",
  custom: checkParsable,
  optional: true,
  emptyIsAbsent: true,
  example: "https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}",
});

const shippingRateRule = object("ShippingRate", {
  provider: string({ min: 1, max: 50, example: "ups" }),
  serviceType: string({ min: 1, max: 50, example: "ground" }),
  cost: number({ money: "units", min: 0, max: 9_999.99, example: 9.99 }),
  estimatedDays: number({ min: 0, max: 365, optional: true, example: 3 }),
});

const destinationRule = object(
  "ShippingDestination",
  { ...shippingAddressRule.props, country: string({ min: 1, max: 100, ...oneLine, example: "US" }) },
  {
    personal: true,
    description: "`country`, `state` and `postalCode` count",
    example: { country: "US", state: "CA", postalCode: "94080" },
  },
);

/** A cart's item; what it is shown as is not needed. */
const quotedItemRule = object("QuotedItem", {
  ...sentCartItemRule.props,
  title: { ...sentCartItemRule.props.title, optional: true },
  unitPrice: { ...sentCartItemRule.props.unitPrice, optional: true },
});

const ignoredCurrency = string({
  max: 10,
  optional: true,
  description: "Ignored: everything is in usd",
  example: "usd",
});

/** Fields that the cart's routes answer and that a checkout neither takes nor needs: a cart can be sent as it is. */
const cartFacts = ignored(
  ["subtotal", "total", "itemCount", "userId", "createdAt", "updatedAt", "expiresAt", "lastSyncedAt"],
  "Ignored; a cart's answers have it",
);

const fulfilmentRule = oneOf(FULFILMENTS, {
  optional: true,
  description: "`ship` unless given; `pickup`: the buyer fetches the order",
});

const contactRule = object(
  "ContactOfBuyer",
  {
    email: { ...emailRule, optional: true },
    name: { ...shippingAddressRule.props.name, min: 1 },
    phone: { ...shippingAddressRule.props.phone, min: 1 },
  },
  {
    personal: true,
    optional: true,
    description: "How to reach the buyer. Default for a user's order: the profile's contact",
  },
);

const backorderedRule = array(
  object("Backordered", {
    productId: string(),
    partNumber: string(),
    quantity: integer({ description: "Pieces beyond the stock; they are shipped once they come" }),
    days: integer({ nullable: true, description: "Days until then, if the vendor says" }),
  }),
  {
    optional: true,
    description: "Pieces that are not in stock now; left out if all are, or while the stock is unknown",
  },
);

const quoteRule = string({
  min: 1,
  max: 4_000,
  optional: true,
  description: "A quote of POST /api/shipping/quotes for these items and this destination; replaces `shippingRate`",
});

const metadataRule = record(
  string({ min: 1, max: 200, pattern: /^[^$]/, words: "without a $ in front" }),
  string({ max: 5_000, fromScalar: true }),
  {
    max: 20,
    optional: true,
    personal: true,
    description:
      "At most 20 keys. A number, true or false is kept as its text, and null is left out. All of it is kept with the " +
      "order; the payment provider gets what its limits allow: keys of at most 40 characters, without brackets, and " +
      "values of at most 500. Keys that begin with `partline_` are not sent there",
    example: { campaign: "spring" },
  },
);

const route = { entries: ["payment", "gateway"], envelope: true } as const satisfies Partial<HttpRoute>;
const shopper = { ...route, access: "optional", session: true } as const satisfies Partial<HttpRoute>;

const PRICE_RULE =
  "Every item's unitPrice must equal its price in the catalog, to the cent. A refusal names all: `details` lists every " +
  "item whose price changed as { partNumber, oldPrice, newPrice }, and every one that cannot be sold as " +
  "{ field, message }; a discontinued one has its `successor` { productId, partNumber, title, price, availability }.";

export const paymentContract = defineService({
  name: "payment",
  summary: "Hosted checkout, payment intents, the payment provider's webhooks",
  actions: {
    createCheckoutSession: {
      summary: "Open a hosted checkout session; the shopper pays at its url",
      description:
        `${PRICE_RULE} With a cartId the call is idempotent: as long as that cart's session is open or paid, everybody ` +
        "who submits the cartId gets it, regardless of the items: new items need a new cartId, or `replace`, and " +
        "`itemsDiffer` says so. A paid session has the " +
        "status complete and an orderId, and its url takes no more payments. After an expired session or a failed " +
        "attempt a new one is opened. A cart that was paid by a payment intent is refused. If a guest, or another " +
        "user of the cart's X-Session-Id, opened the session and a signed-in customer submits the cart, the session is " +
        "closed and the customer gets a new one; a paid session keeps its owner.",
      params: {
        items: array(sentCartItemRule, { min: 1, max: 100 }),
        cartId: {
          ...cartIdRule,
          optional: true,
          emptyIsAbsent: true,
          description: "Idempotency key; the cart need not be saved",
        },
        replace: boolean({
          optional: true,
          description:
            "For a shopper who comes back with a changed cart or delivery: an open session of the cartId that another " +
            "request opened is closed, and a new one opened, which finds the pieces that the cart already holds. It " +
            "stays closed if the new one is refused: a mended request then opens one",
        }),
        customerId: customerIdRule,
        successUrl: {
          ...redirectRule,
          description: "Where the shopper goes after paying; {CHECKOUT_SESSION_ID} is filled in",
        },
        cancelUrl: {
          ...redirectRule,
          description: "Where the shopper goes after leaving the page",
          example: "https://shop.example/cart",
        },
        shippingRate: {
          ...shippingRateRule,
          optional: true,
          description:
            "Where shipping costs are configured, and in production, one of SHIPPING_RATES or of the methods to the " +
            "`shippingAddress`, at the server's cost: another cost is refused as a changed price, with the new one. " +
            "Without it and without a `quote`, the page offers the methods",
        },
        quote: quoteRule,
        fulfilment: fulfilmentRule,
        shippingAddress: {
          ...shippingAddressRule,
          optional: true,
          description:
            "With all that a parcel needs (name, street, city, country, and state and postal code where the country " +
            "has them) it is the order's address. If something is missing, the page asks for an address and a phone number",
        },
        currency: ignoredCurrency,
        metadata: metadataRule,
        ...cartFacts,
      },
      result: object("CheckoutSession", {
        sessionId: string({ example: "cs_test_a1b2c3" }),
        url: string({ format: "uri", description: "Where the shopper pays, while the session is open" }),
        status: oneOf(["open", "complete"], {
          description: "complete: paid, or its delayed payment is pending. Send the shopper to the order, not to url",
        }),
        backordered: backorderedRule,
        itemsDiffer: boolean({
          optional: true,
          description:
            "True if the session is for other products, quantities or prices than were sent now, as it was opened with " +
            "them. Otherwise left out",
        }),
        orderId: string({ optional: true, description: "For a complete session, once its order exists" }),
        paymentIntentId: string({ optional: true, example: "pi_3QabcDEF" }),
      }),
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "FORBIDDEN", "OUT_OF_STOCK", "PROVIDER_ERROR", "TIMEOUT"],
      once: true,
      // Of each line the session, its attempt and the hold keep more than was sent.
      http: [{ ...shopper, method: "POST", path: "/api/checkout/session", guestStorage: { copies: 3, bytes: 5_000 } }],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    quoteShipping: {
      summary: "List what shipping costs",
      description:
        "The methods that take all of the items to the destination, the cheapest first; none if nothing does. Of the " +
        "destination, country, state and postal code count. A checkout or a payment intent takes a `quote` for 30 minutes, " +
        "for the same items at the same prices and for the same destination, also more than once. Prices are the catalog's.",
      params: {
        items: array(quotedItemRule, { min: 1, max: 100 }),
        destination: destinationRule,
      },
      result: object("ShippingQuotes", {
        methods: array(
          object("ShippingQuote", {
            ...shippingRateRule.props,
            quote: string({ description: "To be sent as `quote`" }),
          }),
        ),
      }),
      errors: ["VALIDATION_FAILED", "PROVIDER_ERROR", "TIMEOUT"],
      http: [{ ...route, access: "none", method: "POST", path: "/api/shipping/quotes" }],
      timeout: PROVIDER_DEADLINE_MS,
      idempotent: true,
    },
    createPaymentIntent: {
      summary: "Create a payment intent for a saved cart, for the store's own payment form",
      description:
        `${PRICE_RULE} The same cartId and amount again give the same intent. Once it is paid, the cart becomes an order like ` +
        "after a hosted checkout. Once a cart is paid, its other sessions and intents can no longer be paid, " +
        "and a cart that is paid while an intent is being made for it is refused. An intent of a guest or of " +
        "another user is replaced as at checkout; if it is paid, the cart is refused. With a `quote` the intent takes " +
        "subtotal, shipping, and tax as the provider calculates it (STRIPE_AUTOMATIC_TAX). Without one it takes the " +
        "`amount`, which holds no tax. Where shipping costs are configured, and in production, that must be enough for " +
        "the cart and the cheapest method to the `shippingAddress`, or to the shop's own place without one; a refusal " +
        "says how much is.",
      params: {
        amount: {
          ...centsRule,
          min: 50,
          max: 99_999_999,
          description:
            "At least the cart's subtotal, with shipping where it has a cost. With a `quote`, the server adds up what is paid",
          example: 5_500,
        },
        cartId: cartIdRule,
        currency: ignoredCurrency,
        customerId: customerIdRule,
        fulfilment: fulfilmentRule,
        shippingAddress: { ...shippingAddressRule, optional: true },
        contact: contactRule,
        quote: quoteRule,
      },
      result: object("PaymentIntent", {
        clientSecret: string({ description: "For the provider's own form in the browser" }),
        paymentIntentId: string({ example: "pi_3QabcDEF" }),
        amount: {
          ...centsRule,
          optional: true,
          description: "If shipping has a cost: the amount paid, including shipping and tax",
        },
        shipping: { ...centsRule, optional: true },
        tax: { ...centsRule, optional: true },
        backordered: backorderedRule,
      }),
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "OUT_OF_STOCK", "PROVIDER_ERROR"],
      once: true,
      // The cart's lines are kept with the intent: the body does not say how many.
      http: [{ ...shopper, method: "POST", path: "/api/payment-intent", guestStorage: { bytes: 20_000 } }],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    verify: {
      summary: "Get a payment's status from the provider",
      description: "Open to every caller who may use the cart that the payment is for.",
      // Not checked for form: an id that cannot exist is not found, like one that does not.
      params: { paymentIntentId: string({ example: "pi_3QabcDEF" }) },
      result: object("PaymentVerification", {
        paymentIntentId: string(),
        status: string({ description: "The provider's status, such as `succeeded` or `requires_payment_method`" }),
        paid: boolean(),
        amount: { ...centsRule, description: "As in the request of a payment intent" },
        currency: string({ example: "usd" }),
        orderId: string({ nullable: true, description: "null until the order is made" }),
      }),
      errors: ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "PROVIDER_ERROR"],
      http: [{ ...shopper, method: "GET", path: "/api/payment/verify/{paymentIntentId}", scope: "orders:read" }],
      timeout: PROVIDER_DEADLINE_MS,
    },
    ofUser: {
      summary: "What a user's checkouts hold of the user, for the export of the user's data",
      params: { userId: string(), after: string({ optional: true }) },
      result: object({
        checkouts: array(
          object({ checkoutId: string(), status: string(), createdAt: date(), personal: record(string(), any()) }),
        ),
        next: string({ nullable: true }),
      }),
      errors: [],
      idempotent: true,
    },
    receiveWebhook: {
      summary: "Receive an event of the payment provider",
      description:
        "The signature in `Stripe-Signature` is checked over the exact text, its time at most 300 s from " +
        "ours, either way. An event with an invalid field that an order depends on is 400 and not stored. Any " +
        "other is stored before it is acknowledged; any status but 2xx asks the provider to send it again. " +
        "Unused types are acknowledged and dropped.",
      params: {
        body: string({ max: 1_000_000 }),
        headers: record(string(), string()),
      },
      result: object("WebhookReceipt", { received: boolean() }),
      errors: ["INVALID_SIGNATURE", "INVALID_JSON", "VALIDATION_FAILED", "SERVICE_UNAVAILABLE"],
      audit: { object: "payment-event", by: "payment-provider" },
      http: [
        {
          method: "POST",
          path: "/webhooks/stripe",
          entries: ["payment"],
          access: "none",
          envelope: false,
          body: "raw",
          headers: ["stripe-signature"],
          examples: {
            "application/json": {
              id: "evt_1Qabc",
              object: "event",
              type: "checkout.session.completed",
              data: { object: { id: "cs_test_a1QabcDEF", object: "checkout.session" } },
            },
            "stripe-signature": "t=1763717400,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
          },
        },
      ],
      timeout: 25_000,
    },

    reconcile: {
      summary: "Create the orders of payments whose webhook was lost",
      description:
        "Of completed checkout sessions and paid payment intents; delayed payments that came or did not, refunds and " +
        "disputes change their orders. Runs by itself too. Without `since`, looks back to a session's longest life before " +
        "the last complete run, at most seven days. Except for sessions, the provider reports the last 30 days. A repeat " +
        "changes nothing.",
      params: {
        since: date({ optional: true }),
        until: date({
          optional: true,
          description: "Later events are left out: their webhooks may be on their way",
        }),
      },
      result: object({
        checked: integer(),
        created: array(string(), { description: "Orders that were made" }),
        unclaimed: array(string(), {
          description:
            "Paid sessions whose metadata name no shop, and nothing that was bought here: no order is made of them",
        }),
        failed: array(string(), {
          description:
            "Sessions without their order, and events without their effect: tried again at the next run. One that stays is logged, with what to do",
        }),
      }),
      errors: ["PROVIDER_ERROR"],
      timeout: 300_000,
    },
  },
  tasks: {
    "payment.close": {
      summary: "Closes an unpaid checkout at the provider once its prices have expired",
      payload: { paymentKey: string() },
    },
    "payment.webhook": {
      summary: "Processes an event of the provider if the request that delivered it did not",
      payload: { eventId: string() },
    },
    "payment.completed": {
      summary: "Closes the other checkouts of a paid cart",
      payload: { paymentKey: string(), cartId: string() },
    },
    "payment.taxes": {
      summary: "Reads what the tax of a session consists of",
      payload: { paymentKey: string(), tax: integer() },
    },
    "payment.erasure": {
      summary: "Deletes the customer at the provider that was made for the address of an erased buyer's session",
      payload: { sessionId: string() },
    },
  },
  channels: {
    "checkout.started": {
      summary: "A checkout session was opened, or a payment intent made: one of the two ids",
      recorded: { aggregate: "checkout", prefixes: ["cs_", "pi_"], id: ["sessionId", "paymentIntentId"] },
      payload: {
        sessionId: string({ nullable: true }),
        paymentIntentId: string({ nullable: true }),
        cartId: string({ nullable: true }),
        total: { ...centsRule, description: "As far as it is known before the payment: tax may be added" },
        currency: string(),
      },
    },
  },
});
