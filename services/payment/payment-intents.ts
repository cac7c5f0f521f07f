import { hash } from "node:crypto";
import type { Stripe } from "stripe";
import { holdOfCart, STORE_CURRENCY } from "../shared/commerce.ts";
import { getCaller, type CallContext, type Caller } from "../../broker/contract/context.ts";
import type { Params, Result } from "@partline/api-contracts";
import type { Settings } from "../../broker/settings.ts";
import { errorCode, invalidField, notFound } from "../../mixins/errors.ts";
import { computeWorth } from "@partline/parts-language";
import type { Place } from "@partline/toolkit/pure";
import type { Attempt } from "../../mixins/payment-provider/attempts.ts";
import { type Actions, call } from "../contracts.ts";
import { UNPAID_KEPT_MS } from "./collections.ts";
import { startOnce } from "./records.ts";
import {
  assertMayPayFor,
  assertMayUse,
  assertPayable,
  createCartPaidError,
  findBuyer,
  isAnothers,
  computeLinesDigest,
  resolveOwnCart,
  resolveOwner,
  PRICES_HOLD_MS,
  resolveStanding,
} from "./checkout-rules.ts";
import { holdStock, presentBackorder } from "./catalog.ts";
import { resolvePickupPlace } from "./delivery.ts";
import { readAddress, type CheckoutDeps, loadCustomer, getHolder, priceLines, withLivingCustomer } from "./checkout.ts";
import { toIntentRequest, taxRequest } from "./provider-requests.ts";
import type { Purchase } from "./purchase.ts";

type CreateIntent = Actions["payment.createPaymentIntent"];
type OpenIntent = Result<CreateIntent>;

interface IntentAttempt {
  params: Stripe.PaymentIntentCreateParams;
  purchase: Purchase;
}

/** Makes payment intents for saved carts, and reports the state of payments. */
export function createPaymentIntents(deps: CheckoutDeps) {
  const { settings, provider, attempts, checkouts, closing, payments, shipping, channels } = deps;
  async function create(ctx: CallContext<Params<CreateIntent>>): Promise<OpenIntent> {
    const { amount, cartId, customerId, fulfilment, deliveryPromise, shippingAddress, contact } = ctx.params;
    assertTaxable(ctx.params, settings);
    const pickupPlace = resolvePickupPlace(ctx.params, settings.shop);
    const delivered = { fulfilment, pickupPlace, deliveryPromise, shippingAddress };
    const address = readAddress(delivered, settings);
    assertMayPayFor(getCaller(ctx), customerId);
    const { cart } = await call(ctx, "cart.access", { cartId });
    if (!cart) throw notFound("Cart");
    if (cart.items.length === 0) throw invalidField("cartId", "must name a cart that is not empty");
    const { lines, catalog } = await priceLines(ctx, cart.items, "cartId");
    const items = lines.map(({ imageUrl: _shown, ...line }) => line);
    const { method, paidFor, to, until } = await shipping.chooseForIntent(ctx.params, items, catalog);
    const buyer = findBuyer(customerId, cart, getCaller(ctx));
    const owner = resolveOwner(cart, buyer);
    const purchase: Purchase = {
      cartId,
      userId: buyer ?? "guest",
      owner,
      cartSavedAt: cart.createdAt.getTime(),
      ownCart: resolveOwnCart(getCaller(ctx), owner),
      items,
      sentIds: cart.items.map(({ productId }) => productId),
      subtotal: computeWorth(items),
      currency: STORE_CURRENCY,
      ...delivered,
      closesAt: until?.getTime() ?? Date.now() + PRICES_HOLD_MS,
      shippingRate: method,
      shippingPaidFor: paidFor,
      // An address that is given later must be there.
      ...(to && !address ? { shippingAddress: { ...shippingAddress, ...to } } : {}),
    };
    const { subtotal } = purchase;
    const requestKey = to ? `quote:${attemptDigest([to, method])}` : String(amount);
    const deliveryDigest = attemptDigest([delivered, contact]);
    const subject = `intent:${cartId}:${cart.createdAt.getTime()}:${requestKey}:${computeLinesDigest(items)}:${deliveryDigest}`;
    const prepare = async () => {
      const { providerCustomerId, contact: customerContact } = await loadCustomer(ctx, buyer);
      const reached = contact ?? customerContact ?? (await loadProfile(ctx, buyer));
      const { calculation, ...taxed } = to ? await calculateTax(purchase, to) : {};
      const holding = await holdStock(ctx, holdOfCart(cartId), items, { pickupPlace });
      const completePurchase = { ...purchase, ...taxed, ...holding, contact: reached };
      const total = to ? subtotal + (method?.cost ?? 0) + (completePurchase.tax ?? 0) : amount;
      assertPayable(total, "cartId");
      const params = toIntentRequest(completePurchase, settings.storeUrl, total, providerCustomerId, calculation);
      return { params, purchase: completePurchase };
    };
    const opened = await withLivingCustomer(ctx, buyer, () => open(subject, getCaller(ctx), prepare));
    const checkout = await checkouts.find(opened.paymentIntentId);
    if (!checkout) return opened;
    const isPaid = await closing.isPaidByOther(checkout);
    if (!isPaid && !isAnothers(checkout, buyer)) return opened;
    // It belongs to a guest or another user of the browser session, or the cart was paid meanwhile: nobody pays twice,
    // or for another's order.
    if ((await closing.close(checkout)) === "paid" || isPaid) throw createCartPaidError();
    return create(ctx);
  }

  /** Returns what the provider calculates as tax; nothing if that is off. */
  async function calculateTax(
    purchase: Purchase,
    to: Place,
  ): Promise<Pick<Purchase, "tax" | "taxes"> & { calculation?: string }> {
    if (!settings.payment.automaticTax) return {};
    const calculated = await provider.request((stripe) => stripe.tax.calculations.create(taxRequest(purchase, to)));
    const { id, tax_amount_exclusive: tax, tax_breakdown: breakdown } = calculated;
    const calculation = id === null ? {} : { calculation: id };
    if (tax === 0) return calculation;
    const taxes = breakdown
      .filter(({ amount }) => amount > 0)
      .map(({ amount, tax_rate_details: { tax_type: type, state, country } }) => ({
        name: [taxName(type ?? "tax"), state ?? country].filter(Boolean).join(", "),
        amount,
      }));
    return { ...calculation, tax, taxes };
  }

  /** Returns the intent of the subject's attempt, a new one if that is over. @throws UNAUTHORIZED, FORBIDDEN */
  async function open(subject: string, caller: Caller, prepare: () => Promise<IntentAttempt>): Promise<OpenIntent> {
    const last = await attempts.find<IntentAttempt>(subject);
    const attempt = last && !(await isOver(last)) ? last : await begin(subject, last, await prepare());
    if (attempt.state === "over") return open(subject, caller, prepare);
    const { resultId, request } = attempt;
    const { params, purchase } = request;
    assertMayUse(caller, purchase.owner);
    // The provider keeps its answer to a key for a day only, so a known intent is read by its id.
    if (resultId !== undefined)
      return toOpenIntent(await provider.request((stripe) => stripe.paymentIntents.retrieve(resultId)), purchase);
    const opened = await attempts.send(attempt, async (idempotencyKey) => {
      const intent = await provider.request((stripe) => stripe.paymentIntents.create(params, { idempotencyKey }));
      const checkout = startOnce({
        _id: intent.id,
        kind: "intent",
        purchase,
        paymentIntentId: intent.id,
        amount: intent.amount,
        expiresAt: purchase.closesAt === undefined ? undefined : new Date(purchase.closesAt),
      });
      if (!(await attempts.settle(attempt, intent.id, checkout))) return null;
      channels.wake();
      return toOpenIntent(intent, purchase);
    });
    return opened ?? open(subject, caller, prepare);
  }

  const begin = (subject: string, last: Attempt<IntentAttempt> | null, request: IntentAttempt) =>
    attempts.begin(subject, last, { request, userId: getHolder(request.purchase), keptMs: UNPAID_KEPT_MS });

  async function isOver(attempt: Attempt<IntentAttempt>): Promise<boolean> {
    if (attempt.state === "over") return true;
    // Nobody was given it, and it would be closed as it is made.
    if (attempt.resultId === undefined) return (attempt.request.purchase.closesAt ?? Infinity) <= Date.now();
    const checkout = await checkouts.find(attempt.resultId);
    if (!checkout || checkout.status === "expired") return true;
    return resolveStanding(checkout, new Date()) === "ask" && (await closing.close(checkout)) === "closed";
  }

  async function verify(ctx: CallContext<{ paymentIntentId: string }>): Promise<Result<Actions["payment.verify"]>> {
    const { paymentIntentId } = ctx.params;
    if (!/^pi_[A-Za-z0-9_]{1,250}$/.test(paymentIntentId)) throw notFound("Payment intent");
    const checkout = await checkouts.findByPaymentIntent(paymentIntentId);
    if (checkout) assertMayUse(getCaller(ctx), checkout.purchase.owner);
    const intent = await provider.request((stripe) => stripe.paymentIntents.retrieve(paymentIntentId), {
      what: "Payment intent",
    });
    // Paid at the hosted page, and its webhook is on the way: the provider knows its session.
    if (!checkout) assertMayUse(getCaller(ctx), await findOwnerAtProvider(intent));
    return {
      paymentIntentId,
      status: intent.status,
      paid: intent.status === "succeeded",
      amount: intent.amount,
      currency: intent.currency,
      orderId: (await payments.findByPaymentIntent(paymentIntentId))?.orderId ?? null,
    };
  }

  async function findOwnerAtProvider(intent: Stripe.PaymentIntent) {
    const { data } = await provider.request((stripe) =>
      stripe.checkout.sessions.list({ payment_intent: intent.id, limit: 1 }),
    );
    const checkout = data[0] && (await checkouts.find(data[0].id));
    // The provider's account may have payments of other applications.
    if (!checkout) throw notFound("Payment intent");
    return checkout.purchase.owner;
  }

  return { create, verify };
}

/** @throws VALIDATION_FAILED in production for what is fetched where tax is on, since the tax is that of a place */
function assertTaxable({ fulfilment }: Params<CreateIntent>, { production, payment }: Settings): void {
  if (production && fulfilment === "pickup" && payment.automaticTax)
    throw invalidField("fulfilment", "must be ship. For a pickup order with tax, use POST /api/checkout/session");
}

function toOpenIntent(
  { id, client_secret, amount }: Pick<Stripe.PaymentIntent, "id" | "client_secret" | "amount">,
  { shippingRate, subtotal, tax = 0, items }: Purchase,
): OpenIntent {
  const charged = shippingRate ? { amount, shipping: amount - subtotal - tax, tax } : {};
  return { clientSecret: client_secret ?? "", paymentIntentId: id, ...charged, ...presentBackorder(items) };
}

/** Returns how to reach a user who pays for themselves: by their profile, or their token while that cannot be read. */
async function loadProfile(ctx: CallContext<unknown>, userId: string | undefined): Promise<Purchase["contact"]> {
  const { user } = getCaller(ctx);
  if (!user || user.sub !== userId) return undefined;
  const tokenProfile = { email: user.email ?? null, name: null, phone: null };
  const { email, name, phone } = await call(ctx, "user.me", {}).catch((error: unknown) => {
    ctx.broker.logger.warn({ code: errorCode(error), err: error }, "A profile could not be read for a payment intent");
    return tokenProfile;
  });
  const knownFields = Object.entries({ email, name, phone }).filter(([, value]) => value !== null);
  return knownFields.length > 0 ? (Object.fromEntries(knownFields) as Purchase["contact"]) : undefined;
}

/** `sales_tax` is "Sales Tax", `vat` is "VAT". */
function taxName(type: string): string {
  if (type.length <= 3 && type !== "tax") return type.toUpperCase();
  return type.replaceAll(
    /(?:^|_)(.)/g,
    (_match, letter: string, offset) => (offset === 0 ? "" : " ") + letter.toUpperCase(),
  );
}

function attemptDigest(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url").slice(0, 16);
}
