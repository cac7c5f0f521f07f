import { oneLine } from "../../broker/contract/common.ts";
import {
  cartIdRule,
  centsRule,
  emailRule,
  LINE_COUNT,
  sentCartItemRule,
  shippingAddressRule,
} from "../shared/commerce.ts";
import { LANGUAGES } from "../../mixins/shop/languages.ts";
import { deliveryPromiseRule, FULFILMENTS } from "../shared/placed-order.ts";
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
  rules,
  string,
} from "@partline/api-contracts";
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
    "The identity provider's user id; needs that user's bearer token, or an admin's. The order belongs to this user; " +
    "without it, to the user of the saved cart, else to the user whose bearer token is sent, else to `guest`",
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
    description: "Only `country`, `state` and `postalCode` matter",
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
  description: "Ignored; all prices are in usd",
  example: "usd",
});

/** Fields that the cart's routes answer and that a checkout neither takes nor needs: a cart can be sent as it is. */
const cartFacts = ignored(
  ["subtotal", "total", "itemCount", "userId", "createdAt", "updatedAt", "expiresAt", "lastSyncedAt"],
  "Ignored; accepted so that a cart's answer can be sent back",
);

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
    description: "How to reach the buyer. Defaults to the contact in the user's profile",
  },
);

const backorderedRule = array(
  object("Backordered", {
    productId: string(),
    partNumber: string(),
    quantity: integer({ description: "Pieces beyond the stock; they ship when they arrive" }),
    days: integer({ nullable: true, description: "Days until then, if the vendor reports it" }),
  }),
  {
    optional: true,
    description: "Pieces that are on backorder; absent if all are in stock, or if the stock is unknown",
  },
);

const quoteRule = string({
  min: 1,
  max: 4_000,
  optional: true,
  description: "A quote from POST /api/shipping/quotes for these items and this destination; replaces `shippingRate`",
});

const deliveryParams = rules({
  quote: quoteRule,
  fulfilment: oneOf(FULFILMENTS, {
    optional: true,
    description: "`ship` by default; `pickup`: the buyer collects the order",
  }),
  pickupPlace: string({
    max: 40,
    optional: true,
    example: "main-store",
    description: "Id of one of the `pickupPlaces` of GET /api/shop, for a pickup order. Required if it has several",
  }),
  deliveryPromise: deliveryPromiseRule,
});

const metadataRule = record(
  string({ min: 1, max: 200, pattern: /^[^$]/, words: "without a $ in front" }),
  string({ max: 5_000, fromScalar: true }),
  {
    max: 20,
    optional: true,
    personal: true,
    description:
      "At most 20 keys. Numbers, true and false are kept as text; null is left out. The payment provider gets keys of at " +
      "most 40 characters without brackets that do not begin with `partline_`, and values of at most 500",
    example: { campaign: "spring" },
  },
);

const route = { entries: ["payment", "gateway"], envelope: true } as const satisfies Partial<HttpRoute>;
const shopper = { ...route, access: "optional", session: true } as const satisfies Partial<HttpRoute>;

const PRICE_RULE =
  "Every item's unitPrice must equal its price in the catalog, to the cent. A refusal lists all items at once: " +
  "`details` has { partNumber, oldPrice, newPrice } for each changed price, and { field, message } for each item " +
  "that cannot be sold; a discontinued one has its `successor` { productId, partNumber, title, price, availability }.";

export const paymentContract = defineService({
  name: "payment",
  summary: "Hosted checkout, payment intents, the payment provider's webhooks",
  actions: {
    createCheckoutSession: {
      summary: "Open a hosted checkout session; the shopper pays at its url",
      description:
        `${PRICE_RULE} With a cartId, the call is idempotent: while that cart's session is open or paid, everyone ` +
        "who sends the cartId gets that session, regardless of the items. `itemsDiffer` says so; for new items use a " +
        "new cartId, or `replace`. After an expired session or a failed attempt, a new session is opened. A cart that was " +
        "paid by a payment intent is refused. If somebody else opened the session and a signed-in customer sends the cart, " +
        "that session is closed and the customer gets a new one; a paid session keeps its owner. It has the status complete " +
        "and an orderId, and its url takes no more payments.",
      params: {
        items: array(
          object("CheckoutItem", { ...sentCartItemRule.props, deliveryPromise: deliveryPromiseRule }),
          LINE_COUNT,
        ),
        cartId: {
          ...cartIdRule,
          optional: true,
          emptyIsAbsent: true,
          description: "Makes the call idempotent; the cart need not be saved",
        },
        replace: boolean({
          optional: true,
          description:
            "For a shopper who returns with a changed cart or delivery: closes the cartId's open session if another " +
            "request opened it, and opens a new one with the pieces that the cart holds",
        }),
        customerId: customerIdRule,
        successUrl: {
          ...redirectRule,
          description: "Where the shopper goes after paying; {CHECKOUT_SESSION_ID} is replaced",
        },
        cancelUrl: {
          ...redirectRule,
          description: "Where the shopper goes after leaving the payment page",
          example: "https://shop.example/cart",
        },
        shippingRate: {
          ...shippingRateRule,
          optional: true,
          description:
            "If shipping costs are configured, and in production, one of the methods to the `shippingAddress`, at the " +
            "server's cost. Without it and without a `quote`, the payment page offers the methods",
        },
        ...deliveryParams,
        shippingAddress: {
          ...shippingAddressRule,
          optional: true,
          description:
            "The order's address, if it has name, street, city, country, and state and postal code if the country has " +
            "them. If not, the payment page asks for an address and a phone number",
        },
        language: oneOf(LANGUAGES, {
          optional: true,
          description: "Language of mails to the buyer, and of the shipping method's name; English by default",
        }),
        currency: ignoredCurrency,
        metadata: metadataRule,
        ...cartFacts,
      },
      result: object("CheckoutSession", {
        sessionId: string({ example: "cs_test_a1b2c3" }),
        url: string({ format: "uri", description: "Where the shopper pays while the session is open" }),
        status: oneOf(["open", "complete"], {
          description: "complete: paid, or a delayed payment is pending. Send the shopper to the order, not to url",
        }),
        backordered: backorderedRule,
        itemsDiffer: boolean({
          optional: true,
          description: "True if the open session is for other products, quantities or prices than you sent",
        }),
        orderId: string({ optional: true, description: "Present for a complete session once its order exists" }),
        paymentIntentId: string({ optional: true, example: "pi_3QabcDEF" }),
      }),
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "FORBIDDEN", "OUT_OF_STOCK", "PROVIDER_ERROR", "TIMEOUT"],
      once: true,
      // Of each line the session, its attempt and the hold keep more than was sent.
      http: [{ ...shopper, method: "POST", path: "/api/checkout/session", guestStorage: { copies: 3, bytes: 5_000 } }],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    quoteShipping: {
      summary: "List shipping methods and their costs",
      description:
        "Lists the methods that take all items to the destination, the cheapest first, at the catalog's prices. A checkout " +
        "or a payment intent accepts a `quote` for 30 minutes, for the same items, prices and destination.",
      params: {
        items: array(quotedItemRule, LINE_COUNT),
        destination: destinationRule,
      },
      result: object("ShippingQuotes", {
        methods: array(
          object("ShippingQuote", {
            ...shippingRateRule.props,
            quote: string({ description: "Send it as `quote`" }),
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
        `${PRICE_RULE} Sending the same cartId and amount again returns the same intent. Once it is paid, the ` +
        "cart becomes an order, as after a hosted checkout, and its other sessions and intents can no longer be paid. An " +
        "intent of a guest or of another user is replaced as at checkout; if it is paid, the cart is refused. " +
        "With a `quote`, the intent charges subtotal, shipping, and tax as the provider calculates it " +
        "(STRIPE_AUTOMATIC_TAX). Without one, it charges the `amount`, without tax. If shipping costs are " +
        "configured, and in production, the amount must cover the cart and the cheapest method to the " +
        "`shippingAddress`, or to the shop's own place; a refusal says how much is needed.",
      params: {
        amount: {
          ...centsRule,
          min: 50,
          max: 99_999_999,
          description: "At least the cart's subtotal, plus shipping. With a `quote`, the server adds up what is paid",
          example: 5_500,
        },
        cartId: cartIdRule,
        currency: ignoredCurrency,
        customerId: customerIdRule,
        ...deliveryParams,
        shippingAddress: { ...shippingAddressRule, optional: true },
        contact: contactRule,
      },
      result: object("PaymentIntent", {
        clientSecret: string({ description: "For the provider's payment form in the browser" }),
        paymentIntentId: string({ example: "pi_3QabcDEF" }),
        amount: {
          ...centsRule,
          optional: true,
          description: "The amount paid, including shipping and tax. Present if shipping has a cost",
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
      description: "Any caller who may use the payment's cart can call it.",
      // Not checked for form: an id that cannot exist is not found, like one that does not.
      params: { paymentIntentId: string({ example: "pi_3QabcDEF" }) },
      result: object("PaymentVerification", {
        paymentIntentId: string(),
        status: string({ description: "The provider's status, such as `succeeded` or `requires_payment_method`" }),
        paid: boolean(),
        amount: { ...centsRule, description: "As in the request for the payment intent" },
        currency: string({ example: "usd" }),
        orderId: string({ nullable: true, description: "null until the order exists" }),
      }),
      errors: ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "PROVIDER_ERROR"],
      http: [{ ...shopper, method: "GET", path: "/api/payment/verify/{paymentIntentId}", scope: "orders:read" }],
      timeout: PROVIDER_DEADLINE_MS,
    },
    ofUser: {
      summary: "A user's data in checkouts, for the export of the user's data",
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
    countOpen: {
      summary: "Checkouts that can be paid now, of a pickup place",
      params: { pickupPlace: string() },
      result: object({ checkouts: integer() }),
      errors: [],
      idempotent: true,
    },
    receiveWebhook: {
      summary: "Receive an event from the payment provider",
      description:
        "Checks the signature in `Stripe-Signature` over the exact body; its time may differ by at most 300 s " +
        "from the server's. An event with an invalid field that an order depends on is 400 and not stored. Any " +
        "other event is stored before it is acknowledged; after any status but 2xx the provider sends it again. " +
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
        "Creates orders for paid sessions and intents, and applies delayed payments, refunds and disputes. Without `since`, " +
        "it looks back to the longest life of a session before the last complete run, at most seven days.",
      params: {
        since: date({ optional: true }),
        until: date({
          optional: true,
          description: "Later events are left out, because their webhooks may be on their way",
        }),
      },
      result: object({
        checked: integer(),
        created: array(string(), { description: "Orders that were made" }),
        unclaimed: array(string(), {
          description: "Paid sessions whose metadata name no shop and that bought nothing here: they make no order",
        }),
        failed: array(string(), {
          description: "Sessions without their order, and events without their effect: the next run tries again",
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
      summary: "A checkout session was opened, or a payment intent created: one of the two ids is set",
      recorded: { aggregate: "checkout", prefixes: ["cs_", "pi_"], id: ["sessionId", "paymentIntentId"] },
      payload: {
        sessionId: string({ nullable: true }),
        paymentIntentId: string({ nullable: true }),
        cartId: string({ nullable: true }),
        total: { ...centsRule, description: "As known before the payment: tax may be added" },
        currency: string(),
      },
    },
  },
});
