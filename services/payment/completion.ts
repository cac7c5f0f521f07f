import type { ServiceBroker } from "moleculer";
import type { Stripe } from "stripe";
import type { Input, Result } from "../../broker/contract/define.ts";
import { ifFound } from "../../mixins/errors.ts";
import { withinTime } from "../../mixins/within-time.ts";
import { call, type Actions } from "../contracts.ts";
import { STORE_CURRENCY } from "../../broker/contract/common.ts";
import { type Cents, worthOf } from "../../mixins/money.ts";
import { sentItems } from "./checkout-rules.ts";
import { heldAtPayment } from "./catalog.ts";
import { ERASED } from "./erasure.ts";
import { deliveryAddress, orderableAddress, fromProviderShipping } from "./delivery.ts";
import type { CompleteCommand } from "./event-commands.ts";
import { type Purchase, isOfAnother, isOfShop, linesInMetadata, rateInText } from "./provider-requests.ts";
import type { CheckoutClosing, CheckoutRecords, PaymentRecords } from "./records.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";

type OrderRequest = Input<Actions["order.createFromPayment"]>;
type Taxes = NonNullable<OrderRequest["taxes"]>;
type Placed = Result<Actions["order.createFromPayment"]>;
type OfCarts = Pick<Input<Actions["cart.clearAfterOrder"]>, "ownCart" | "cartSavedAt">;
export type PlacedOrder = Placed["order"];

interface Deps {
  broker: Pick<ServiceBroker, "call">;
  /** STORE_URL. */
  shop: string;
  provider: Pick<PaymentProvider, "request">;
  checkouts: Pick<CheckoutRecords, "find">;
  closing: Pick<CheckoutClosing, "closeOthers" | "coveredByOthers">;
  payments: Pick<PaymentRecords, "find" | "record">;
  logger: Pick<ServiceBroker["logger"], "warn">;
}

export type Completion = (command: CompleteCommand) => Promise<PlacedOrder | null>;

/**
 * Completes payments. Each step is durable before the next begins and has one effect however often it runs, also
 * concurrently: after a crash all of them run again. Source: spec, sections 3 and 6; design, The completion webhook.
 */
export function createCompletion({ broker, shop, provider, checkouts, closing, payments, logger }: Deps): Completion {
  /** @returns the order; null if no checkout of this shop opened what is paid */
  return async function complete(command) {
    const placed = await place(command);
    if (!placed) return null;
    const { order, created, ownCart, cartSavedAt } = placed;
    const { paymentKey, paymentIntentId, payment } = command;
    const { orderId, cartId } = order;
    await payments.record(command, order);
    await call(broker, "order.announce", { orderId });
    if (cartId !== null || ownCart)
      await call(broker, "cart.clearAfterOrder", { cartId, cartSavedAt, paymentKey, ownCart });
    // An existing order may have been made while the money was on its way.
    if (payment === "failed" || (payment === "paid" && !created)) {
      const refs = { paymentKey, paymentIntentId: paymentIntentId ?? undefined };
      await call(broker, "order.applyPayment", { ...refs, change: { kind: payment } });
    }
    // A cart whose payment failed may be paid again.
    if (cartId !== null && payment !== "failed") await closing.closeOthers(cartId, paymentKey);
    return order;
  };

  /** Finds or makes the order of a payment. If it exists, its purchase may be known nowhere any more. */
  async function place(command: CompleteCommand): Promise<(Pick<Placed, "created" | "order"> & OfCarts) | null> {
    const { paymentKey, sessionId, cartId } = command;
    const kept = (await checkouts.find(paymentKey))?.purchase;
    if (kept) {
      const ownCart = kept.ownCart && { ...kept.ownCart, items: sentItems(kept) };
      return { ...(await order(command, kept)), ownCart, cartSavedAt: kept.cartSavedAt ?? undefined };
    }
    // An intent without a cart is of a session, whose own event makes the order, or not of this shop.
    if (sessionId === null && cartId === undefined) return null;
    const known = (await call(broker, "order.findByPayment", { paymentKey })).order;
    if (known) return { created: false, order: known.placed };
    const purchase = await purchaseAtProvider(command);
    return purchase && order(command, purchase);
  }

  async function order(command: CompleteCommand, purchase: Purchase): Promise<Placed> {
    const { paymentKey } = command;
    const held = heldAtPayment(broker, purchase, {
      paymentKey,
      isOrdered: async () => (await payments.find(paymentKey)) !== null,
      coveredByOthers: () => closing.coveredByOthers({ _id: paymentKey, purchase }),
    });
    const [taxes, stock] = await Promise.all([taxesOf(command), held]);
    const request = orderRequest(command, { ...purchase, ...stock });
    // An intent's taxes are in its purchase.
    return call(broker, "order.createFromPayment", { ...request, taxes: taxes ?? request.taxes });
  }

  /** Returns what the tax consists of: one entry while the provider does not say it, since the order does not wait. */
  async function taxesOf({ sessionId, tax }: CompleteCommand): Promise<Taxes | undefined> {
    if (sessionId === null || tax === 0) return undefined;
    const asked = provider.request((stripe) => taxesOfSession(stripe, sessionId));
    const taxes = await withinTime(asked, LONGEST_TAX_READ_MS, () => null).catch(() => null);
    const sum = taxes?.reduce((total, { amount }) => total + amount, 0);
    return taxes && sum === tax ? taxes : [{ name: "Tax", amount: tax }];
  }

  /** Null if no checkout of this shop opened it. */
  async function purchaseAtProvider({ paymentKey, sessionId, cartId }: CompleteCommand): Promise<Purchase | null> {
    if (sessionId !== null) {
      const named = { what: "Checkout session", id: sessionId };
      const bought = await ifFound(provider.request((stripe) => purchaseOfSession(stripe, sessionId, shop), named));
      if (bought !== "unclaimed") return bought ?? null;
      const why = "no checkout of this shop opened it";
      logger.warn(`Checkout session ${sessionId} is paid, and no order is made of it: ${why}`);
      return null;
    }
    if (cartId === undefined) return null;
    const named = { what: "Payment intent", id: paymentKey };
    const asked = provider.request((stripe) => purchaseOfIntent(stripe, paymentKey, cartId, shop), named);
    const bought = await ifFound(asked);
    if (bought === "lost") throw new LostPurchase(paymentKey, cartId);
    return bought ?? null;
  }
}

const LONGEST_TAX_READ_MS = 2_000;

/**
 * Returns the order of a purchase at the provider's figures. An intent has a total alone: what exceeds subtotal and tax
 * is for shipping, by its quote or as the store's page added it.
 */
export function orderRequest(command: CompleteCommand, purchase: Purchase): OrderRequest {
  const { paymentKey, sessionId, paymentIntentId, discount, total, currency, payment } = command;
  // The provider says a session's; an intent's was calculated before.
  const tax = sessionId === null ? (purchase.tax ?? 0) : command.tax;
  const {
    owner,
    ownCart: _ownCart,
    sentIds: _sentIds,
    cartSavedAt: _savedAt,
    closesAt: _closesAt,
    request: _request,
    hold,
    items,
    shippingRate,
    contact,
    shippingAddress,
    ...ordered
  } = purchase;
  const subtotal = command.subtotal ?? purchase.subtotal;
  // The order service recognises an erased account by its id, which may be erased here.
  const person = owner.userId === ERASED ? undefined : command.person;
  // An intent's request says who buys; the provider knows by it alone to whom it ships.
  const reached = sessionId === null ? { ...person?.contact, ...contact } : { ...contact, ...person?.contact };
  const asked = deliveryAddress(purchase) ?? person?.shippingAddress ?? shippingAddress;
  return {
    ...ordered,
    items: items.map(({ backordered, backorderDays, ...line }) =>
      backordered ? { ...line, backordered, backorderDays } : line,
    ),
    hold: hold?.key,
    shippingMethod: shippingRate,
    contact: Object.keys(reached).length > 0 ? reached : undefined,
    shippingAddress: asked && orderableAddress(asked),
    paymentKey,
    sessionId,
    paymentIntentId,
    subtotal,
    tax,
    shipping: command.shipping ?? Math.max(0, total - subtotal - tax),
    discount: discount || undefined,
    total,
    currency,
    paymentStatus: payment === "paid" ? "paid" : "pending",
  };
}

/** Neither we nor the provider know what a paid intent bought: a person must act. */
export class LostPurchase extends Error {
  override readonly name = "LostPurchase";

  constructor(paymentIntentId: string, cartId: string) {
    super(
      `Payment intent ${paymentIntentId} of cart ${cartId} is paid, and what was bought is not known any more: no order can be made of it. Pay it back in full at the provider`,
    );
  }
}

/** Far more than a session takes. */
const MOST_LINES = 10_000;

const LOGGED_EVERY_MS = 24 * 60 * 60 * 1000;

/** Returns the pause of an event after this failure; undefined for the sweep's own pauses. */
export function pauseAfter(error: unknown): number | undefined {
  return error instanceof LostPurchase ? LOGGED_EVERY_MS : undefined;
}

/** Null if this shop did not make the intent, or its money is gone; `lost` if its lines did not fit its metadata. */
export async function purchaseOfIntent(
  stripe: Stripe,
  paymentIntentId: string,
  cartId: string,
  shop: string,
): Promise<Purchase | null | "lost"> {
  const intent = await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ["latest_charge"] });
  const { metadata, currency } = intent;
  if (!isOfShop(metadata, shop)) return null;
  const items = linesInMetadata(metadata);
  if (!items) return (await isMoneyGone(stripe, intent.latest_charge)) ? null : "lost";
  const tax = Number(metadata.tax ?? 0);
  const charged = { ...rateInText(metadata.rate), ...(tax > 0 ? { tax } : {}) };
  return { cartId, ...ownerIn(metadata), items, subtotal: worthOf(items), currency, ...charged };
}

function ownerIn(metadata: Stripe.Metadata | null): Pick<Purchase, "userId" | "owner"> {
  const userId = metadata?.userId ?? "guest";
  return { userId, owner: userId === "guest" ? {} : { userId } };
}

/** Refunded in full, or lost in a dispute. */
async function isMoneyGone(stripe: Stripe, charge: Stripe.PaymentIntent["latest_charge"]): Promise<boolean> {
  if (typeof charge !== "object" || !charge) return false;
  if (charge.refunded || !charge.disputed) return charge.refunded;
  const disputes = await stripe.disputes.list({ charge: charge.id, limit: 100 });
  return disputes.data.some(({ status }) => status === "lost");
}

/** Null if the session is of another shop; `unclaimed` if its metadata name no shop. */
export async function purchaseOfSession(
  stripe: Stripe,
  sessionId: string,
  shop: string,
): Promise<Purchase | null | "unclaimed"> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ["payment_intent", "shipping_cost.shipping_rate"],
  });
  if (!isOfShop(session.metadata, shop)) return isOfAnother(session.metadata, shop) ? null : "unclaimed";
  const asked = { limit: 100, expand: ["data.price.product"] };
  const listed = stripe.checkout.sessions.listLineItems(sessionId, asked);
  const lineItems = await listed.autoPagingToArray({ limit: MOST_LINES });
  const { payment_intent: intent, shipping_cost: cost, metadata } = session;
  const rate = typeof cost?.shipping_rate === "object" ? cost.shipping_rate?.metadata.rate : undefined;
  const shipping = typeof intent === "object" ? intent?.shipping : undefined;
  return {
    cartId: session.client_reference_id ?? metadata?.cartId ?? null,
    ...ownerIn(metadata),
    items: lineItems.map(lineOf),
    subtotal: session.amount_subtotal ?? 0,
    currency: session.currency ?? STORE_CURRENCY,
    ...rateInText(rate),
    shippingAddress: shipping ? fromProviderShipping(shipping) : undefined,
  };
}

export async function taxesOfSession(stripe: Stripe, sessionId: string): Promise<{ name: string; amount: Cents }[]> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["total_details.breakdown"] });
  const amounts = new Map<string, Cents>();
  for (const { amount, rate } of session.total_details?.breakdown?.taxes ?? []) {
    const name = [rate.display_name, rate.jurisdiction].filter(Boolean).join(", ");
    if (amount > 0) amounts.set(name, (amounts.get(name) ?? 0) + amount);
  }
  return [...amounts].map(([name, amount]) => ({ name, amount }));
}

function lineOf({ description, quantity: count, price, amount_subtotal }: Stripe.LineItem) {
  const sold = price?.product;
  const product = typeof sold === "object" && !("deleted" in sold) ? sold : undefined;
  const quantity = count ?? 1;
  const productId = product?.metadata.productId ?? product?.id ?? "unknown";
  return {
    productId,
    partNumber: product?.metadata.partNumber ?? productId,
    name: product?.name ?? description ?? productId,
    quantity,
    price: price?.unit_amount ?? Math.round(amount_subtotal / quantity),
  };
}
