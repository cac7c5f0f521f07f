import type { ServiceBroker, ServiceSchema } from "moleculer";
import Stripe from "stripe";
import { ulid } from "ulid";
import type { ChannelEvent } from "../../packages/durable/src/channels/port.ts";
import type { Caller } from "../../broker/contract/context.ts";
import type { Input } from "@partline/api-contracts";
import type { Settings } from "../../broker/settings.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { createAttempts } from "../../mixins/payment-provider/attempts.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import type { RefundOutcome } from "../../services/order/refunds/ledger.ts";
import { createProviderRefunds } from "../../services/order/refunds/provider.ts";
import type { RefundReason } from "../../services/order/resources.ts";
import { PAYMENTS, WEBHOOK_EVENTS, type Payment, type WebhookEvent } from "../../services/payment/collections.ts";
import { consumerService } from "../support/consumer-service.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { startTestPayment } from "../support/payment-sandbox.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { pageForms, submit } from "./payment-sandbox.support.ts";

export const NOBODY: Caller = { admin: false };
export const guest = (sessionId: string): Caller => ({ admin: false, sessionId });
export const user = (sub: string, admin = false): Caller => ({
  admin,
  user: { sub, role: admin ? "admin" : "customer", aud: "a", azp: "z" },
});

/** Cents by productId; null has no price, absent is not in the catalog. */
export type PriceList = Record<string, number | null>;

/** `mongo`: as `fake`, over MongoDB; where MONGO_URL is set. */
export type ShopMode = "local" | "fake" | "mongo";
/** Several processes, over MongoDB where it is there: they meet in the store and at the provider alone. */
export const SHOP_MODE: ShopMode = process.env.MONGO_URL ? "mongo" : "fake";

export interface ShopOptions {
  mode?: ShopMode;
  /**
   * Services besides payment, cart and the stand-in of a catalog that is not among them; order and customer unless
   * given.
   */
  services?: string[];
  env?: Record<string, string>;
  documents?: DocumentStore;
  /** As in production, over the sandbox all the same. */
  production?: boolean;
  /** Wraps the settings' provider address, for example by a recording proxy. */
  providerUrl?: (sandboxUrl: string) => string;
}

export type Shop = Awaited<ReturnType<typeof startShop>>;

/** The services that a checkout needs over the payment sandbox; prices and the delivery of webhooks are the test's. */
export async function startShop({
  mode = "local",
  services = ["order", "customer"],
  env = {},
  documents,
  production = false,
  providerUrl,
}: ShopOptions = {}) {
  const { payment } = testSettings();
  const sandbox = await startTestPayment(payment);
  const mongoUrl = mode === "mongo" ? mongoTestUrl("payment") : undefined;
  const read: Settings = testSettings({
    STRIPE_API_BASE: providerUrl?.(sandbox.url) ?? sandbox.url,
    ...(mongoUrl ? { MONGO_URL: mongoUrl } : {}),
    ...env,
  });
  const settings = production ? { ...read, production, shipping: { ...read.shipping, isEnforced: true } } : read;
  const prices: PriceList = { "bns-1": 1_000, "bns-2": 250, "bns-3": 99_99 };
  const published: ChannelEvent[] = [];
  const pricing: { meanwhile?: () => Promise<unknown> } = {};
  // Two payment nodes share nothing in memory: what they do at the same moment meets in the store and at the provider.
  const nodes = mode === "local" ? ["payment"] : ["payment", "payment"];
  const test = await startTestBroker({
    transport: mode === "local" ? "local" : "fake",
    settings,
    documents,
    services: [
      ...nodes,
      "cart",
      ...services,
      ...(services.includes("catalog") ? [] : [catalogOf(prices, pricing)]),
      observer((event) => published.push(event)),
    ],
  });
  const stripe = new Stripe(payment.secretKey, {
    protocol: "http",
    host: "127.0.0.1",
    port: sandbox.port,
    maxNetworkRetries: 0,
  });

  const control = async (path: string, body?: object, method = "POST"): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${sandbox.url}/sandbox${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };

  const confirm = (id: string, params: Stripe.PaymentIntentConfirmParams = {}) =>
    stripe.paymentIntents.confirm(id, {
      payment_method: "pm_card_visa",
      return_url: "http://shop.test/",
      ...params,
    });

  return {
    ...test,
    test,
    stripe,
    sandbox,
    prices,
    /** Does something once, while a checkout that has read its cart waits for the catalog's prices. */
    async whilePricing<T>(checkout: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
      pricing.meanwhile = meanwhile;
      return checkout().finally(() => (pricing.meanwhile = undefined));
    },
    /** Every order.created that was delivered to a consumer. */
    published,
    control,
    fault: (fault: object) => control("/faults", fault),
    noFaults: () => control("/faults", undefined, "DELETE"),

    checkout: (params: Partial<Input<Actions["payment.createCheckoutSession"]>> = {}, caller: Caller = NOBODY) =>
      call(test.as(caller), "payment.createCheckoutSession", { items: [item("bns-1")], ...params }),

    /** The event of a cart that was saved, checked out and paid. */
    async payCart(cartId: string) {
      await call(test.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
      const session = await this.checkout({ cartId });
      await this.pay(session);
      return this.event("checkout.session.completed", session.sessionId);
    },
    /** Pays at the hosted page like a person, who enters `fields`. */
    async pay(
      session: { sessionId: string },
      form: "card" | "delayed" | "declined" = "card",
      fields: Record<string, string> = {},
    ) {
      const forms = await pageForms(await stripe.checkout.sessions.retrieve(session.sessionId));
      const ending = { card: /\/c\/pay\/[^/]+$/, delayed: /\/delayed$/, declined: /\/decline$/ }[form];
      const chosen = forms.find(({ action }) => ending.test(action));
      if (!chosen) throw new Error(`The page has no form for ${form}`);
      await submit(chosen, fields);
    },

    /** A payment intent that is paid at once, made at the provider without us. */
    async paidIntent(amount: number, metadata?: Stripe.MetadataParam) {
      const { id } = await stripe.paymentIntents.create({ amount, currency: "usd", ...(metadata && { metadata }) });
      return confirm(id);
    },
    /** Pays an intent, as a store's own form does. */
    confirm,

    /** The provider's newest event of a type, about an object when its id is given. */
    async event(type: string, objectId?: string): Promise<Stripe.Event> {
      const events = await stripe.events.list({ type, limit: 100 });
      const found = events.data.find(
        ({ data }) => objectId === undefined || (data.object as { id?: string }).id === objectId,
      );
      if (!found) throw new Error(`The provider has no event ${type}`);
      return found;
    },

    /** Delivers an event as the provider would: signed, as text. */
    deliver: (event: Stripe.Event | object | string, options: { secret?: string; timestamp?: number } = {}) =>
      call(test.broker, "payment.receiveWebhook", signed(event, { secret: payment.webhookSecret, ...options })),

    /** The same happening under another event id. */
    asAnotherEvent: (event: Stripe.Event): Stripe.Event => ({ ...event, id: `evt_${ulid()}` }),

    orders: () => test.documents.collection<OrderDocument>(ORDERS).find({}),
    sessionsOf: async (cartId: string) =>
      (await stripe.checkout.sessions.list({ limit: 100 })).data.filter((one) => one.client_reference_id === cartId),
    payments: () => test.documents.collection<Payment>(PAYMENTS).find({}),
    webhookEvents: () => test.documents.collection<WebhookEvent>(WEBHOOK_EVENTS).find({}),

    async stop() {
      await test.stop();
      await sandbox.close();
    },
  };
}

/** An item of the price list as a shopper sends it: 10.00 each unless said otherwise. */
export function item(productId: string, { unitPrice = 10, quantity = 1, title = `Part ${productId}` } = {}) {
  return { productId, partNumber: productId.toUpperCase(), title, quantity, unitPrice };
}

export const newCartId = (): string => `cart_${Date.now()}_${ulid().toLowerCase()}`;

export function signed(event: object | string, { secret, timestamp }: { secret: string; timestamp?: number }) {
  const body = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  const header = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    ...(timestamp === undefined ? {} : { timestamp }),
  });
  return { body, headers: { "stripe-signature": header } };
}

/** A catalog with these prices. */
export function catalogOf(prices: PriceList, pricing: { meanwhile?: () => Promise<unknown> } = {}) {
  return (_broker: ServiceBroker): ServiceSchema => ({
    name: "catalog",
    actions: {
      price: async (ctx: { params: { items: { productId: string; partNumber: string }[] } }) => {
        const { meanwhile } = pricing;
        pricing.meanwhile = undefined;
        await meanwhile?.();
        return {
          items: ctx.params.items.map(({ productId, partNumber }) => {
            const price = prices[productId];
            return price === undefined
              ? { found: false, price: null }
              : {
                  found: true,
                  productId,
                  partNumber,
                  title: `Part ${productId}`,
                  status: productId.startsWith("old") ? "discontinued" : "active",
                  price,
                  ...(productId.startsWith("heavy") ? { weightGrams: 20_000 } : {}),
                  ...(productId.startsWith("acid") ? { hazmat: true } : {}),
                };
          }),
        };
      },
      hold: (ctx: { params: { lines: unknown[] } }) => ({
        whole: true,
        lines: ctx.params.lines.map(() => ({ backordered: null, days: null })),
      }),
    },
  });
}

/** Refunds at the provider as an order node asks for them, of orders that hold nothing else. */
export function refundsOf(shop: Pick<Shop, "settings" | "documents">) {
  const attemptRefund = createProviderRefunds({
    provider: createPaymentProvider(shop.settings.payment),
    attempts: createAttempts(shop.documents),
  });
  return async ({ refundId, paymentIntentId, amount, reason }: WantedRefund): Promise<string> => {
    const refund = { refundId, amount, reason, status: "requested", providerRefundId: null };
    const order = { _id: "ord_1", paymentIntentId, refunds: [refund] } as unknown as OrderDocument;
    const attempt = await attemptRefund(order, refundId);
    if (attempt.error !== undefined) throw attempt.error;
    return (attempt.outcome as RefundOutcome).providerRefundId!;
  };
}

export interface WantedRefund {
  refundId: string;
  paymentIntentId: string;
  amount: number;
  reason: RefundReason;
}

/** A consumer of order.created. */
export function observer(keep: (event: ChannelEvent) => void) {
  return consumerService("observer", {
    "order.created": { group: "observer", handler: async (event: ChannelEvent) => keep(event) },
  });
}
