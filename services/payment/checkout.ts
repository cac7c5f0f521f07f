import type { Stripe } from "stripe";
import type { Channels } from "@partline/durable";
import { holdOfCart, STORE_CURRENCY } from "../shared/commerce.ts";
import { type CallContext, type Caller, getCaller, createId } from "../../broker/contract/context.ts";
import type { Params, Result } from "@partline/api-contracts";
import { assertShipsTo, isShippingEnforced } from "../shared/shipping-costs.ts";
import type { Settings } from "../../broker/settings.ts";
import { computeDigest } from "@partline/toolkit";
import { invalidField } from "../../mixins/errors.ts";
import { toCents, computeWorth } from "@partline/parts-language";
import type { Attempt, Attempts } from "../../mixins/payment-provider/attempts.ts";
import { isAnswered, providerCode, providerFailure } from "../../mixins/payment-provider/errors.ts";
import { type Actions, call } from "../contracts.ts";
import { type NewCheckout, startOnce, type PaymentParts } from "./records.ts";
import {
  type CatalogItem,
  type ItemsField,
  type ShownItem,
  assertMayPayFor,
  assertMayUse,
  assertPayable,
  createCartPaidError,
  checkPrices,
  findBuyer,
  isAnothers,
  areItemsDifferent,
  resolveOwnCart,
  resolveOwner,
  PRICES_HOLD_MS,
  resolveStanding,
} from "./checkout-rules.ts";
import type { PricedLine, Purchase } from "./purchase.ts";
import { type Checkout, UNPAID_KEPT_MS } from "./collections.ts";
import { holdStock, findCatalogItems, presentBackorder, releaseStock } from "./catalog.ts";
import { findDeliveryAddress, resolvePickupPlace, toProviderShipping, type WholeAddress } from "./delivery.ts";
import { findId } from "./event-commands.ts";
import { toSessionRequest } from "./provider-requests.ts";
import type { Shipping } from "./shipping.ts";

type CheckoutContext = CallContext<Params<Actions["payment.createCheckoutSession"]>>;

interface SessionAttempt {
  params: Stripe.Checkout.SessionCreateParams;
  /** Customer made for the session, because the provider knows an address only by a customer. */
  customer?: Stripe.CustomerCreateParams;
  purchase: Purchase;
}

interface Hold {
  key: string;
  /** An answer that is lost may have been that they are held. */
  isAsked: boolean;
}

type SavedCart = Result<Actions["cart.access"]>["cart"];
type OpenedSession = Result<Actions["payment.createCheckoutSession"]>;

export interface CheckoutDeps extends PaymentParts {
  settings: Settings;
  attempts: Attempts;
  shipping: Shipping;
  channels: Pick<Channels, "wake">;
}

/** Prices hold for the provider's least life of a session; a minute is for its clock, and for a retry. */
const CLOCK_MARGIN_MS = 60_000;
const SHORTEST_SESSION_MS = PRICES_HOLD_MS + CLOCK_MARGIN_MS;

/** Age from which an unfinished attempt is not repeated: its prices may be out of date. */
const ATTEMPT_STALE_MS = 60 * 60 * 1000;

/** Opens hosted sessions: one for each cart, also for concurrent submissions. */
export function createCheckoutSessions(deps: CheckoutDeps) {
  const { settings, provider, attempts, checkouts, closing, payments, shipping, channels, broker } = deps;
  const logger = broker.getLogger("payment");

  /**
   * Returns the session of the cart. One of a guest or another user of the browser session is closed, since nobody pays
   * for another's order, and so is one whose cart was paid, and with `replace` one that another request opened.
   */
  async function submit(ctx: CheckoutContext): Promise<OpenedSession> {
    const { cartId, customerId, items, replace } = ctx.params;
    assertMayPayFor(getCaller(ctx), customerId);
    const cart = cartId === undefined ? null : (await call(ctx, "cart.access", { cartId })).cart;
    const buyer = findBuyer(customerId, cart, getCaller(ctx));
    const hold: Hold = { key: cartId === undefined ? `checkout:${createId(ctx)}` : holdOfCart(cartId), isAsked: false };
    const opened = await withLivingCustomer(ctx, buyer, () => openOnce(ctx, hold, cart, buyer)).catch(
      async (error: unknown) => {
        // A cart's pieces wait for the shopper who comes back to it.
        if (cartId === undefined && hold.isAsked) await releaseStock(ctx, hold.key, logger);
        throw error;
      },
    );
    const checkout = await checkouts.find(opened.sessionId);
    if (!checkout) return opened;
    const differs = areItemsDifferent(checkout.purchase, toShownItems(items)) && { itemsDiffer: true };
    const isStale =
      opened.status === "open" &&
      (isAnothers(checkout, buyer) ||
        (replace && checkout.purchase.request !== digestRequest(ctx.params)) ||
        (await closing.isPaidByOther(checkout)));
    if (!isStale) return { ...opened, ...differs };
    return (await closing.close(checkout)) === "paid"
      ? { ...(await toCompletedSession(checkout)), ...differs }
      : submit(ctx);
  }

  async function openOnce(
    ctx: CheckoutContext,
    hold: Hold,
    cart: SavedCart,
    buyer: string | undefined,
  ): Promise<OpenedSession> {
    const { cartId } = ctx.params;
    const caller = getCaller(ctx);
    if (cartId === undefined) {
      const request = await prepare(ctx, hold, cart, buyer);
      const checkout = toCheckout(await make(request), request.purchase);
      await checkouts.insert(checkout);
      channels.wake();
      return toOpenSession(checkout);
    }

    const subject = `checkout:${cartId}`;
    const last = await attempts.find<SessionAttempt>(subject);
    const openSession = last && (await follow(last, caller));
    if (openSession) return openSession;
    const paid = await checkouts.ofCart(cartId, "complete");
    // Its attempt was lost with a restored store, or was given up before its result was stored.
    const session = paid.find(({ kind }) => kind === "session");
    if (session) {
      assertMayUse(caller, session.purchase.owner);
      return toCompletedSession(session);
    }
    if (paid.length > 0) throw createCartPaidError();
    const request = await prepare(ctx, hold, cart, buyer);
    const userId = getHolder(request.purchase);
    const attempt = await attempts.begin(subject, last, { request, userId, keptMs: UNPAID_KEPT_MS });
    return (await follow(attempt, caller)) ?? openOnce(ctx, hold, cart, buyer);
  }

  /**
   * Returns the session that an attempt leads to; null if it cannot be paid any more.
   * @throws UNAUTHORIZED, FORBIDDEN if the attempt is another caller's
   */
  async function follow(attempt: Attempt<SessionAttempt>, caller: Caller): Promise<OpenedSession | null> {
    if (attempt.state === "over") return null;
    assertMayUse(caller, attempt.request.purchase.owner);
    if (attempt.state === "running") return getAge(attempt) > ATTEMPT_STALE_MS ? null : open(attempt, caller);
    const checkout = attempt.resultId === undefined ? null : await checkouts.find(attempt.resultId);
    const standing = resolveStanding(checkout, new Date());
    if (!checkout || standing === "replace") return null;
    if (standing === "reuse")
      return checkout.status === "complete" ? toCompletedSession(checkout) : toOpenSession(checkout);
    // It has expired by our clock; the provider knows whether it was paid before that, and closes one without a quote.
    const { closesAt } = checkout.purchase;
    const atProvider = await (closesAt === undefined ? closing.standing(checkout) : closing.close(checkout));
    if (atProvider === "paid") return toCompletedSession(checkout);
    if (atProvider === "open") return toOpenSession(checkout);
    await checkouts.expire(checkout._id);
    return null;
  }

  async function toCompletedSession(checkout: Checkout): Promise<OpenedSession> {
    const payment = await payments.find(checkout._id);
    return { ...toOpenSession(checkout), status: "complete", orderId: payment?.orderId };
  }

  /** Returns null if the attempt, read again, can be followed no further. */
  async function open(attempt: Attempt<SessionAttempt>, caller: Caller): Promise<OpenedSession | null> {
    const { request } = attempt;
    const opened = await attempts
      .send(attempt, async (idempotencyKey) => {
        const session = await make(request, idempotencyKey);
        const checkout = toCheckout(session, request.purchase);
        if (await attempts.settle(attempt, session.id, startOnce(checkout))) {
          channels.wake();
          return toOpenSession(checkout);
        }
        // The next attempt has begun, or the user was deleted: a session that is not stored must not stay payable.
        await closing.close(checkout);
        return null;
      })
      .catch((error: unknown) => {
        // A request that the provider has never seen may be too old for it: its session would live too short.
        if (providerFailure(error) === "refused" && getAge(attempt) > CLOCK_MARGIN_MS) return null;
        throw error;
      });
    if (opened) return opened;
    const now = await attempts.find<SessionAttempt>(attempt._id);
    return now && (now.state !== "running" || now.attempt !== attempt.attempt) ? follow(now, caller) : null;
  }

  /** A customer that is made for a session does not outlive its failure. */
  async function make({ params, customer }: SessionAttempt, idempotencyKey?: string): Promise<Stripe.Checkout.Session> {
    if (!customer) return provider.request((stripe) => stripe.checkout.sessions.create(params, { idempotencyKey }));
    const customerKey = idempotencyKey && `${idempotencyKey}:customer`;
    const { id } = await provider.request((stripe) =>
      stripe.customers.create(customer, { idempotencyKey: customerKey }),
    );
    const sessionParams = { ...params, customer: id };
    try {
      return await provider.request((stripe) => stripe.checkout.sessions.create(sessionParams, { idempotencyKey }));
    } catch (error) {
      // The same request may be sent again, and then names the same customer.
      if (idempotencyKey === undefined || isAnswered(error))
        await provider
          .request((stripe) => stripe.customers.del(id))
          .catch((err: unknown) =>
            logger.warn({ customer: id, err }, "A customer without a session could not be deleted at the provider"),
          );
      throw error;
    }
  }

  /** Checks all that a new session depends on, and returns the exact request for it. */
  async function prepare(
    ctx: CheckoutContext,
    hold: Hold,
    cart: SavedCart,
    buyer: string | undefined,
  ): Promise<SessionAttempt> {
    const { items, customerId: _named, cartId, successUrl, cancelUrl, currency: _ignored, ...rest } = ctx.params;
    const { shippingRate: _rate, quote: _quoted, replace: _replaced, ...request } = rest;
    const pickupPlace = resolvePickupPlace(ctx.params, settings.shop);
    const { lines, catalog } = await priceLines(ctx, toShownItems(items));
    const address = readAddress(request, settings);
    const { method, offers, paidFor, country, until } = await shipping.choose(ctx.params, lines, catalog);
    const subtotal = computeWorth(lines);
    for (const { cost } of offers ?? [method ?? { cost: 0 }]) assertPayable(subtotal + cost);
    hold.isAsked = true;
    const holding = await holdStock(ctx, hold.key, lines, { pickupPlace });
    const { providerCustomerId } = await loadCustomer(ctx, buyer);
    const taxedAt = address && settings.payment.automaticTax ? { shipping: toProviderShipping(address) } : undefined;
    if (providerCustomerId !== null && taxedAt)
      await provider.request((stripe) => stripe.customers.update(providerCustomerId, taxedAt));
    const owner = resolveOwner(cart, buyer);
    const purchase: Purchase = {
      ...request,
      pickupPlace,
      cartId: cartId ?? null,
      userId: buyer ?? "guest",
      owner,
      cartSavedAt: cart?.createdAt.getTime() ?? null,
      ownCart: resolveOwnCart(getCaller(ctx), owner),
      ...holding,
      items: holding.items.map(({ imageUrl: _shown, ...line }) => line),
      sentIds: items.map(({ productId }) => productId),
      subtotal,
      currency: STORE_CURRENCY,
      closesAt: until?.getTime(),
      shippingRate: method,
      shippingOffers: offers,
      shippingPaidFor: paidFor,
      request: digestRequest(ctx.params),
    };
    const params = toSessionRequest({
      purchase,
      shop: settings.storeUrl,
      lines: holding.items,
      successUrl: successUrl ?? `${settings.storeUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: cancelUrl ?? `${settings.storeUrl}/checkout/cancel`,
      expiresAt: new Date(Date.now() + SHORTEST_SESSION_MS),
      shipTo: country === undefined ? settings.shipping.shipTo : [country],
      customer: providerCustomerId,
      automaticTax: settings.payment.automaticTax,
      promotionCodes: settings.payment.promotionCodes,
    });
    const customer =
      providerCustomerId === null && taxedAt ? { ...taxedAt, metadata: { shop: settings.storeUrl } } : undefined;
    return { params, customer, purchase };
  }

  return { submit };
}

function digestRequest({ cartId: _same, replace: _asked, ...request }: CheckoutContext["params"]): string {
  return computeDigest(request);
}

const toShownItems = (items: CheckoutContext["params"]["items"]): ShownItem[] =>
  items.map((item) => ({ ...item, unitPrice: toCents(item.unitPrice) }));

/** Returns the whole address that a request ships to. @throws VALIDATION_FAILED if the shop does not ship there */
export function readAddress(
  request: Parameters<typeof findDeliveryAddress>[0],
  settings: Pick<Settings, "shipping" | "shop">,
): WholeAddress | undefined {
  const address = findDeliveryAddress(request);
  if (address && isShippingEnforced(settings)) assertShipsTo(address, "shippingAddress", settings.shipping.shipTo);
  return address;
}

/**
 * Returns the lines at the catalog's prices, and what it says of them.
 * @throws VALIDATION_FAILED (see `checkPrices`)
 */
export async function priceLines(
  ctx: CallContext<unknown>,
  items: readonly ShownItem[],
  from?: ItemsField,
): Promise<{ lines: PricedLine[]; catalog: CatalogItem[] }> {
  const catalog = await findCatalogItems(ctx, items, { confirmed: true });
  return { lines: checkPrices(items, catalog, from), catalog };
}

/** The user whose deletion erases a purchase's request. */
export function getHolder({ owner, ownCart }: Purchase): string | undefined {
  return owner.userId ?? ownCart?.userId;
}

const getAge = ({ startedAt }: Attempt): number => Date.now() - startedAt.getTime();

function toCheckout(session: Stripe.Checkout.Session, purchase: Purchase): NewCheckout {
  return {
    _id: session.id,
    kind: "session",
    purchase: withRateIds(purchase, session),
    url: session.url ?? undefined,
    paymentIntentId: findId(session.payment_intent) ?? undefined,
    expiresAt: new Date(Math.min(session.expires_at * 1000, purchase.closesAt ?? Infinity)),
  };
}

/** The session of a payment names the rate that the buyer chose by its id. */
function withRateIds(purchase: Purchase, { shipping_options: options }: Stripe.Checkout.Session): Purchase {
  const { shippingOffers: offers } = purchase;
  if (!offers) return purchase;
  const findRateId = (index: number): string | undefined => findId(options?.[index]?.shipping_rate) ?? undefined;
  return { ...purchase, shippingOffers: offers.map((offer, index) => ({ ...offer, rateId: findRateId(index) })) };
}

function toOpenSession({ _id: sessionId, url = "", paymentIntentId, purchase }: NewCheckout): OpenedSession {
  return { sessionId, url, status: "open", paymentIntentId, ...presentBackorder(purchase.items) };
}

/** Returns a user's customer; its provider's id is null without a user or a customer. */
export async function loadCustomer(
  ctx: CallContext<unknown>,
  userId: string | undefined,
): Promise<Result<Actions["customer.providerId"]>> {
  return userId === undefined ? { providerCustomerId: null } : call(ctx, "customer.providerId", { userId });
}

/** A concurrent submission may send the lost customer again. */
const MOST_TRIES = 3;

/**
 * Does work that may name the user's customer, and repeats it once a customer that the provider lost is recreated.
 * @throws VALIDATION_FAILED for an address that the provider cannot find
 */
export async function withLivingCustomer<T>(
  ctx: CallContext<unknown>,
  userId: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (providerCode(error) === "customer_tax_location_invalid")
        throw invalidField("shippingAddress", "must be an address that tax can be calculated for");
      if (userId === undefined || tries === MOST_TRIES || providerCode(error) !== "resource_missing") throw error;
      await call(ctx, "customer.livingProviderId", { userId });
    }
  }
}
