import type { AtomicWrite } from "@partline/durable";
import type { ServiceBroker } from "moleculer";
import type { Input, Result, TasksOf } from "@partline/api-contracts";
import { ifFound, PartlineError } from "../../mixins/errors.ts";
import type { Cents } from "@partline/parts-language";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { ShippingMethod, ShippingRates } from "../../mixins/shipping-rates/port.ts";
import type { Underpaid } from "../../mixins/shipping-rates/underpaid.ts";
import { withTimeout } from "@partline/toolkit";
import { call, enqueue, type Actions } from "../contracts.ts";
import { giveUpIfRefused } from "../shared/unless-refused.ts";
import { compareShipping, describeUnknown } from "../shared/shipping-costs.ts";
import type { paymentContract } from "./contract.ts";
import { toSentItems } from "./checkout-rules.ts";
import { holdAtPayment } from "./catalog.ts";
import { ERASED } from "./collections.ts";
import { findDeliveryAddress, toOrderableAddress } from "./delivery.ts";
import type { CompleteCommand } from "./event-commands.ts";
import type { Purchase } from "./purchase.ts";
import {
  LostPurchase,
  loadPurchaseOfIntent,
  loadPurchaseOfSession,
  loadTaxesOfSession,
} from "./purchase-at-provider.ts";
import type { CheckoutClosing, CheckoutRecords, PaymentRecords, PlacedOrder } from "./records.ts";

type OrderRequest = Input<Actions["order.createFromPayment"]>;
type PlacementResult = Result<Actions["order.createFromPayment"]>;
type CartClearing = Pick<Input<Actions["cart.clearAfterOrder"]>, "ownCart" | "cartSavedAt">;

interface Deps {
  broker: Pick<ServiceBroker, "call">;
  /** STORE_URL. */
  shop: string;
  provider: Pick<PaymentProvider, "request">;
  rates: ShippingRates;
  checkouts: Pick<CheckoutRecords, "find">;
  closing: Pick<CheckoutClosing, "coveredByOthers">;
  payments: Pick<PaymentRecords, "find" | "record">;
  logger: Pick<ServiceBroker["logger"], "warn" | "error">;
}

interface CompletionOptions {
  /** The payment is worked on again if the catalog does not say what is in stock. */
  mayFail?: boolean;
  /** Writes that end the work on the command, in one batch with the last of the completion's own. */
  end?: readonly AtomicWrite[];
}

export type Completion = (command: CompleteCommand, options?: CompletionOptions) => Promise<PlacedOrder | null>;

/**
 * Completes payments: order with its event, cart, state of the payment, payment record. Each step is durable before the
 * next begins and has one effect however often it runs, also concurrently. So no progress is kept: after a crash between
 * two steps all of them run again. What the provider need not wait for is a task (`enqueueFollowing`). Source: spec,
 * sections 3 and 6; design, The completion webhook.
 */
export function createCompletion(deps: Deps): Completion {
  const { broker, shop, provider, rates, checkouts, closing, payments, logger } = deps;
  /** @returns the order; null if no checkout of this shop opened what is paid */
  return async function complete(command, { mayFail = false, end = [] } = {}) {
    const placement = await place(command, mayFail);
    if (!placement) return null;
    const { order, created, ownCart, cartSavedAt } = placement;
    const { paymentKey, paymentIntentId, payment } = command;
    const { cartId } = order;
    if (cartId !== null || ownCart)
      await call(broker, "cart.clearAfterOrder", { cartId, cartSavedAt, paymentKey, ownCart });
    // An existing order may have been made while the money was on its way.
    if (payment === "failed" || (payment === "paid" && !created)) {
      const refs = { paymentKey, paymentIntentId: paymentIntentId ?? undefined };
      await call(broker, "order.applyPayment", { ...refs, change: { kind: payment } });
    }
    await payments.record(command, order, [...end, ...enqueueFollowing(command, order)]);
    return order;
  };

  /** Finds or makes the order of a payment. If it exists, its purchase may be known nowhere any more. */
  async function place(
    command: CompleteCommand,
    mayFail: boolean,
  ): Promise<(Pick<PlacementResult, "created" | "order"> & CartClearing) | null> {
    const { paymentKey, sessionId, cartId } = command;
    const checkout = await checkouts.find(paymentKey);
    if (checkout) {
      const storedPurchase = checkout.purchase;
      const ownCart = storedPurchase.ownCart && { ...storedPurchase.ownCart, items: toSentItems(storedPurchase) };
      // A webhook that comes again asks neither carrier nor provider.
      const existing = checkout.status === "open" ? null : await findOrdered(paymentKey);
      const placement = existing ?? (await order(command, storedPurchase, mayFail));
      return { ...placement, ownCart, cartSavedAt: storedPurchase.cartSavedAt ?? undefined };
    }
    // An intent without a cart is of a session, whose own event makes the order, or not of this shop.
    if (sessionId === null && cartId === undefined) return null;
    const existingOrder = await findOrdered(paymentKey);
    if (existingOrder) return existingOrder;
    const purchase = await purchaseAtProvider(command);
    return purchase && order(command, purchase, mayFail);
  }

  async function findOrdered(paymentKey: string): Promise<Pick<PlacementResult, "created" | "order"> | null> {
    const { order: existing } = await call(broker, "order.findByPayment", { paymentKey });
    return existing && { created: false, order: existing.placed };
  }

  async function order(command: CompleteCommand, purchase: Purchase, mayFail: boolean): Promise<PlacementResult> {
    const { paymentKey } = command;
    const holding = holdAtPayment(broker, purchase, {
      paymentKey,
      isOrdered: async () => (await payments.find(paymentKey)) !== null,
      coveredByOthers: () => closing.coveredByOthers({ _id: paymentKey, purchase }),
      mayFail,
      logger,
    });
    const paid = orderRequest(command, purchase);
    const [{ stockUnconfirmed, ...stock }, shippingUnderpaid] = await Promise.all([holding, compareInTime(paid)]);
    const request = orderRequest(command, { ...purchase, ...stock });
    // Only the call that makes the order decides what is underpaid.
    const concerns = { stockUnconfirmed, shippingUnderpaid };
    // An intent's taxes are in its purchase; what those of a session are is read later.
    const taxes = hasUnreadTaxes(command) ? [{ name: "Tax", amount: command.tax }] : request.taxes;
    return call(broker, "order.createFromPayment", { ...request, taxes, ...concerns });
  }

  /**
   * Returns what shipping to the address costs more than was paid. An order does not wait for a carrier that is away: of
   * an address that is not the place that was paid for, the cost is then unknown.
   */
  async function compareInTime(paid: OrderRequest): Promise<Underpaid | undefined> {
    const compared = compareShipping(rates, paid, paid.shippingAddress);
    return withTimeout(compared, LONGEST_RATES_MS, () => {
      throw new PartlineError("TIMEOUT", "Shipping rates took too long");
    }).catch((error: unknown) => {
      const { paymentKey } = paid;
      logger.warn(
        { paymentKey, err: error },
        "The shipping cost of an order could not be compared, so the order is marked",
      );
      return describeUnknown(rates, paid, paid.shippingAddress);
    });
  }

  /** Returns the purchase as the provider kept it; null if no checkout of this shop opened it. */
  async function purchaseAtProvider({ paymentKey, sessionId, cartId }: CompleteCommand): Promise<Purchase | null> {
    if (sessionId !== null) {
      const resource = { what: "Checkout session", id: sessionId };
      const bought = await ifFound(
        provider.request((stripe) => loadPurchaseOfSession(stripe, sessionId, shop), resource),
      );
      if (bought !== "unclaimed") return bought ?? null;
      const why = "no checkout of this shop opened it";
      logger.warn(`Checkout session ${sessionId} is paid, and no order is made of it: ${why}`);
      return null;
    }
    if (cartId === undefined) return null;
    const subject = { what: "Payment intent", id: paymentKey };
    const loading = provider.request((stripe) => loadPurchaseOfIntent(stripe, paymentKey, cartId, shop), subject);
    const bought = await ifFound(loading);
    if (bought === "lost") throw new LostPurchase(paymentKey, cartId);
    return bought ?? null;
  }
}

/** How long an order waits for rates of a carrier. */
const LONGEST_RATES_MS = 5_000;

const hasUnreadTaxes = ({ sessionId, tax }: CompleteCommand): boolean => sessionId !== null && tax > 0;

/** Returns the write that enqueues what follows a completed payment. */
function enqueueFollowing(command: CompleteCommand, { cartId }: PlacedOrder): AtomicWrite[] {
  const { paymentKey, payment, tax } = command;
  return [
    // A cart whose payment failed may be paid again.
    ...(cartId !== null && payment !== "failed"
      ? [enqueue("payment.completed", paymentKey, { paymentKey, cartId })]
      : []),
    ...(hasUnreadTaxes(command) ? [enqueue("payment.taxes", paymentKey, { paymentKey, tax })] : []),
  ];
}

/** Reads what the tax of a session consists of, and records it with the order. @throws GivenUp if that is refused */
export async function recordTaxes(
  { broker, provider }: Pick<Deps, "broker" | "provider">,
  { paymentKey, tax }: TasksOf<typeof paymentContract>["payment.taxes"],
): Promise<void> {
  const taxes = await giveUpIfRefused(provider.request((stripe) => loadTaxesOfSession(stripe, paymentKey)));
  const sum = taxes.reduce((total, { amount }) => total + amount, 0);
  if (sum === tax) await call(broker, "order.setTaxes", { paymentKey, taxes });
}

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
    shippingOffers: offers = [],
    contact,
    shippingAddress,
    ...ordered
  } = purchase;
  const subtotal = command.subtotal ?? purchase.subtotal;
  // The order service recognises an erased account by its id, which may be erased here.
  const person = owner.userId === ERASED ? undefined : command.person;
  // Who buys by an intent says so in the request; of a session the provider's page knows best.
  const reached = sessionId === null ? { ...person?.contact, ...contact } : { ...contact, ...person?.contact };
  const deliveryAddress = findDeliveryAddress(purchase) ?? person?.shippingAddress ?? shippingAddress;
  return {
    ...ordered,
    items: items.map(({ backordered, backorderDays, ...line }) =>
      backordered ? { ...line, backordered, backorderDays } : line,
    ),
    hold: hold?.key,
    shippingMethod: shippingRate ?? findChosen(offers, command),
    contact: Object.keys(reached).length > 0 ? reached : undefined,
    shippingAddress: deliveryAddress && toOrderableAddress(deliveryAddress),
    paymentKey,
    sessionId,
    paymentIntentId,
    subtotal,
    tax,
    includedTax: sessionId === null ? undefined : includedTax(command, subtotal),
    shipping: command.shipping ?? Math.max(0, total - subtotal - tax),
    discount: discount || undefined,
    total,
    currency,
    paymentStatus: payment === "paid" ? "paid" : "pending",
  };
}

/** Returns the option of the page that the buyer chose. */
function findChosen(
  offers: NonNullable<Purchase["shippingOffers"]>,
  { shippingRateId, shipping }: CompleteCommand,
): ShippingMethod | undefined {
  const chosen = offers.find(({ rateId }) => rateId !== undefined && rateId === shippingRateId);
  const { rateId: _id, ...method } = chosen ?? offers.find(({ cost }) => cost === shipping) ?? {};
  return "provider" in method ? method : undefined;
}

/**
 * Returns how much of a session's tax its prices include, where an account has such prices; undefined without any.
 * Without it, subtotal, shipping and tax would add up to more than the total.
 */
function includedTax(
  { tax, shipping, discount = 0, total }: Pick<CompleteCommand, "tax" | "shipping" | "discount" | "total">,
  subtotal: Cents,
): Cents | undefined {
  const beyond = subtotal + (shipping ?? 0) + tax - discount - total;
  return beyond > 0 && tax > 0 ? Math.min(tax, beyond) : undefined;
}
