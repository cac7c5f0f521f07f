import {
  atMostTwoDecimals,
  cartIdRule,
  cartItemRule,
  centsRule,
  shippingAddressRule,
} from "../../broker/contract/common.ts";
import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import { placedOrderRule } from "../../broker/contract/placed-order.ts";
import { rule, rules, type CustomCheck } from "../../broker/contract/rules.ts";
import { PROVIDER_DEADLINE_MS } from "../../mixins/payment-provider/payment-provider.ts";

const MAX_METADATA_KEYS = 20;

const atMostTwentyKeys: CustomCheck<Record<string, unknown>> = (value, errors, _schema, path) => {
  // A check also sees a value that is absent or of another type, which the rule itself judges.
  if (typeof value === "object" && value !== null && Object.keys(value).length > MAX_METADATA_KEYS) {
    errors.push({ type: "recordMax", message: `The '${path}' field must have at most ${MAX_METADATA_KEYS} keys.` });
  }
  return value;
};

/** The pattern lets through what looks like an address; a provider refuses one that is none (`http://[::1`). */
const parsable: CustomCheck<string> = (value, errors, _schema, path) => {
  if (typeof value === "string" && !URL.canParse(value))
    errors.push({ type: "url", message: `The '${path}' field must be an http(s) URL.` });
  return value;
};

const userIdRule = rule({
  type: "string",
  min: 1,
  max: 200,
  description: "The identity provider's user id; needs that user's bearer token",
});

const redirectRule = rule({
  type: "string",
  max: 2_000,
  pattern: /^https?:\/\/[^\s/]\S*$/i,
  words: "an http(s) URL",
  custom: parsable,
  optional: true,
  example: "https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}",
});

const shippingRateRule = rule({
  type: "object",
  title: "ShippingRate",
  props: {
    provider: { type: "string", min: 1, max: 50, example: "ups" },
    serviceType: { type: "string", min: 1, max: 50, example: "ground" },
    cost: {
      type: "number",
      min: 0,
      max: 9_999.99,
      custom: atMostTwoDecimals,
      description: "Currency units",
      example: 9.99,
    },
    estimatedDays: { type: "number", min: 0, max: 365, optional: true, example: 3 },
  },
});

const metadataRule = rule({
  type: "record",
  key: {
    type: "string",
    min: 1,
    max: 40,
    pattern: /^[^[\]$][^[\]]*$/,
    words: "without brackets and without a $ in front",
  },
  value: { type: "string", max: 500 },
  custom: atMostTwentyKeys,
  optional: true,
  description:
    "At most 20 keys of at most 40 characters, without brackets and without a `$` in front; string values of at most 500. Kept with the order's payment at the provider",
  example: { campaign: "spring" },
});

/** Not checked for form: an id that cannot exist is not found, like one that does not. */
const paymentIntentIdInPath = rule({ type: "string", example: "pi_3QabcDEF" });

const route = { entries: ["payment", "gateway"], envelope: true } as const satisfies Partial<HttpRoute>;
const shopper = { ...route, access: "optional", session: true } as const satisfies Partial<HttpRoute>;

const PRICE_RULE =
  "Every item's unitPrice must equal its price in the catalog, to the cent; `details` of the refusal lists every item " +
  "whose price changed as { partNumber, oldPrice, newPrice }.";

const missedParams = rules({
  since: { type: "date" },
  until: {
    type: "date",
    optional: true,
    description: "What happened from then on is left out: its webhook may be on its way",
  },
  cursor: { type: "string", optional: true },
});

export const paymentContract = defineService({
  name: "payment",
  summary: "Hosted checkout, payment intents, the payment provider's webhooks, refunds",
  actions: {
    createCheckoutSession: {
      summary: "Open a hosted checkout session; the shopper pays at its url",
      description:
        `${PRICE_RULE} With a cartId the call is idempotent: as long as that cart's session is open or paid, everybody who ` +
        "submits the cartId gets it, whatever the items: new items need a new cartId. Of one that is paid, status is complete and orderId names its order; " +
        "its url takes no payment any more. An expired session and a failed attempt are followed by a new one. A cart that was paid by a payment intent is refused. " +
        "Where a guest, or another user of the cart's X-Session-Id, opened the session and a user names their own customerId, it is closed, and the user gets one of their own; once it is " +
        "paid it stays whose it is.",
      params: {
        items: { type: "array", items: cartItemRule, min: 1, max: 100 },
        cartId: { ...cartIdRule, optional: true, description: "Idempotency key; the cart need not be saved" },
        customerId: {
          ...userIdRule,
          optional: true,
          description: `${userIdRule.description}. The order then belongs to that user, else to \`guest\``,
        },
        successUrl: {
          ...redirectRule,
          description: "Where the shopper goes after paying; {CHECKOUT_SESSION_ID} is filled in",
        },
        cancelUrl: {
          ...redirectRule,
          description: "Where the shopper goes on leaving",
          example: "https://shop.example/cart",
        },
        shippingRate: { ...shippingRateRule, optional: true },
        shippingAddress: { ...shippingAddressRule, optional: true },
        currency: {
          type: "string",
          max: 10,
          optional: true,
          description: "Ignored: everything is in usd",
          example: "usd",
        },
        metadata: metadataRule,
      },
      result: {
        type: "object",
        title: "CheckoutSession",
        props: {
          sessionId: { type: "string", example: "cs_test_a1b2c3" },
          url: { type: "string", format: "uri", description: "Where the shopper pays, while the session is open" },
          status: {
            type: "enum",
            values: ["open", "complete"],
            description:
              "complete: paid, or its delayed payment is on its way. Send the shopper to the order, not to url",
          },
          orderId: { type: "string", optional: true, description: "Of a complete session, once its order is made" },
          paymentIntentId: { type: "string", optional: true, example: "pi_3QabcDEF" },
        },
      },
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "FORBIDDEN", "PROVIDER_ERROR"],
      http: [{ ...shopper, method: "POST", path: "/api/checkout/session" }],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    createPaymentIntent: {
      summary: "Create a payment intent for a saved cart, for the store's own payment form",
      description:
        `${PRICE_RULE} The same cartId and amount again give the same intent. Once it is paid, the cart becomes an order like ` +
        "after a hosted checkout. Whatever else was open for a cart when it was paid, session or intent, can be paid no more, and a cart that is paid while an intent is made for it is refused. " +
        "What a guest or another user made is replaced as at checkout; where it is paid, the cart is refused.",
      params: {
        amount: {
          type: "number",
          integer: true,
          min: 50,
          max: 99_999_999,
          description: "Cents; at least the cart's subtotal",
          example: 2598,
        },
        cartId: cartIdRule,
        currency: {
          type: "string",
          max: 10,
          optional: true,
          description: "Ignored: everything is in usd",
          example: "usd",
        },
        customerId: { ...userIdRule, optional: true },
      },
      result: {
        type: "object",
        title: "PaymentIntent",
        props: {
          clientSecret: { type: "string", description: "For the provider's own form in the browser" },
          paymentIntentId: { type: "string", example: "pi_3QabcDEF" },
        },
      },
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "PROVIDER_ERROR"],
      http: [{ ...shopper, method: "POST", path: "/api/payment-intent" }],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    verify: {
      summary: "Ask how a payment stands at the provider",
      description: "Answers to whoever may use the cart that the payment is for.",
      params: { paymentIntentId: paymentIntentIdInPath },
      result: {
        type: "object",
        title: "PaymentVerification",
        props: {
          paymentIntentId: { type: "string" },
          status: {
            type: "string",
            description: "The provider's status, such as `succeeded` or `requires_payment_method`",
          },
          paid: { type: "boolean" },
          amount: { type: "number", integer: true, description: "Cents, as in the request of a payment intent" },
          currency: { type: "string", example: "usd" },
          orderId: { type: "string", nullable: true, description: "null until the order is made" },
        },
      },
      errors: ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "PROVIDER_ERROR"],
      http: [{ ...shopper, method: "GET", path: "/api/payment/verify/{paymentIntentId}" }],
      timeout: PROVIDER_DEADLINE_MS,
      idempotent: true,
    },
    receiveWebhook: {
      summary: "Receive an event of the payment provider",
      description:
        "The signature in `Stripe-Signature` is checked over the exact text, its time at most 300 s from ours, either way. An event with a field amiss that an " +
        "order depends on is 400, and nothing of it is kept. Any other is stored before it is " +
        "acknowledged; any status but 2xx asks the provider to send it again. Types that nothing here depends on are acknowledged and dropped.",
      params: {
        body: { type: "string", max: 1_000_000 },
        headers: { type: "record", key: { type: "string" }, value: { type: "string" } },
      },
      result: { type: "object", title: "WebhookReceipt", props: { received: { type: "boolean" } } },
      errors: ["INVALID_SIGNATURE", "INVALID_JSON", "VALIDATION_FAILED", "SERVICE_UNAVAILABLE"],
      http: [
        {
          method: "POST",
          path: "/webhooks/stripe",
          entries: ["payment"],
          access: "none",
          envelope: false,
          body: "raw",
          headers: ["stripe-signature"],
        },
      ],
      timeout: 25_000,
    },

    refund: {
      summary: "Give money back",
      description:
        "`refundId` identifies the refund: a repeat with it never pays twice, also after a time-out or a crash, and answers how the " +
        "refund stands. A refusal or a failure of the provider is PROVIDER_ERROR; then the same call may be made again.",
      params: {
        refundId: { type: "string", min: 1, max: 100 },
        orderId: { type: "string", min: 1, max: 100 },
        paymentIntentId: { type: "string", min: 1, max: 255 },
        amount: { ...centsRule, min: 1 },
        reason: { type: "enum", values: ["requested_by_customer", "duplicate", "fraudulent", "other"] },
      },
      result: {
        type: "object",
        props: {
          providerRefundId: { type: "string" },
          status: { type: "enum", values: ["succeeded", "pending", "failed"] },
          amount: centsRule,
        },
      },
      errors: ["PROVIDER_ERROR"],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    completedSessions: {
      summary: "Paid checkout sessions as the provider knows them, newest first, a page at a time",
      params: missedParams,
      result: {
        type: "object",
        props: {
          sessions: { type: "array", items: { type: "object", props: { sessionId: { type: "string" } } } },
          cursor: { type: "string", nullable: true },
        },
      },
      errors: ["PROVIDER_ERROR"],
      timeout: PROVIDER_DEADLINE_MS,
      idempotent: true,
    },
    completeSession: {
      summary: "Make the order of a completed session whose webhook was lost",
      params: { sessionId: { type: "string" } },
      result: { type: "object", props: { orderId: { type: "string" }, created: { type: "boolean" } } },
      errors: ["NOT_FOUND", "PROVIDER_ERROR"],
      timeout: PROVIDER_DEADLINE_MS * 2,
    },
    receiveMissedOutcomes: {
      summary: "Take the webhooks that never came from the provider's list of events, newest first, a page at a time",
      description:
        "Of every type that a webhook is acted on for: payments become orders, delayed ones, refunds and disputes change theirs. The provider lists the last 30 days. " +
        "An event that has had its effect, or waits for its order, is passed over, so a repeat changes nothing.",
      params: missedParams,
      result: {
        type: "object",
        props: {
          checked: { type: "number", integer: true },
          created: { type: "array", items: { type: "string" }, description: "Orders that were made" },
          failed: {
            type: "array",
            items: { type: "string" },
            description:
              "Events without their effect, which are tried again by themselves where they could be read. One that stays is told of in the log, with what to do",
          },
          cursor: { type: "string", nullable: true },
        },
      },
      errors: ["PROVIDER_ERROR"],
      timeout: 120_000,
    },
  },
  channels: {
    "order.created": {
      summary: "A checkout was completed and its order made",
      payload: {
        ...placedOrderRule.props,
        actor: {
          type: "string",
          description: "Who made it: `payment-provider`, whose message of the payment it was made from",
        },
      },
    },
    "checkout.started": {
      summary: "A checkout session was opened, or a payment intent made: one of the two ids",
      payload: {
        sessionId: { type: "string", nullable: true },
        paymentIntentId: { type: "string", nullable: true },
        cartId: { type: "string", nullable: true },
        total: { ...centsRule, description: "Cents, as far as they are known before the payment: tax may be added" },
        currency: { type: "string" },
      },
    },
  },
});
