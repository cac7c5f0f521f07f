import type { ServiceBroker } from "moleculer";
import type { AtomicWrite, CollectionDefinition, DocumentStore } from "@partline/durable";
import { ifFound } from "../../mixins/errors.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { Result } from "@partline/api-contracts";
import { enqueue, outbox, type Actions } from "../contracts.ts";
import { isPaidWith } from "./checkout-rules.ts";
import {
  CHECKOUTS,
  CHECKOUT_KEPT_MS,
  type Checkout,
  PAYMENTS,
  type Payment,
  UNPAID_KEPT_MS,
  ERASED,
} from "./collections.ts";
import type { CompleteCommand } from "./event-commands.ts";

export type CheckoutRecords = ReturnType<typeof createCheckoutRecords>;

export function createCheckoutRecords(documents: DocumentStore) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  return {
    find: (paymentKey: string) => checkouts.findOne({ _id: paymentKey }),

    findByPaymentIntent: (paymentIntentId: string) =>
      checkouts.findOne({ $or: [{ _id: paymentIntentId }, { paymentIntentId }] }),

    /** Lists what can be paid now. */
    listOpen: () => checkouts.find({ status: "open", expiresAt: { $gt: new Date() } }),

    ofCart: (cartId: string, status: "open" | "complete") => checkouts.find({ "purchase.cartId": cartId, status }),

    insert: (checkout: NewCheckout) => documents.atomically(startOnce(checkout)),

    /** Changes an open checkout only: a paid one stays complete. */
    async expire(paymentKey: string): Promise<void> {
      const filter = { _id: paymentKey, status: "open" };
      const expired = { collection: CHECKOUTS, updateOne: { filter, update: { $set: { status: "expired" } } } };
      await documents.atomically([expired, forgetErased(paymentKey)]);
    },
  };
}

/** Objects that the parts of the service share. */
export interface PaymentParts {
  broker: ServiceBroker;
  documents: DocumentStore;
  provider: PaymentProvider;
  /** STORE_URL. */
  shop: string;
  checkouts: CheckoutRecords;
  closing: CheckoutClosing;
  payments: PaymentRecords;
}

/** Order as `order.createFromPayment` returns it. */
export type PlacedOrder = Result<Actions["order.createFromPayment"]>["order"];

export type NewCheckout = Omit<Checkout, "status" | "createdAt" | "purgeAt">;

/** Stores a new checkout and announces it; a repeat changes nothing. */
export function startOnce(checkout: NewCheckout): AtomicWrite[] {
  const { _id, kind, purchase, amount } = checkout;
  const started = {
    sessionId: kind === "session" ? _id : null,
    paymentIntentId: kind === "intent" ? _id : null,
    cartId: purchase.cartId,
    total: amount ?? purchase.subtotal + ((purchase.shippingRate ?? purchase.shippingOffers?.[0])?.cost ?? 0),
    currency: purchase.currency,
  };
  const writes = [insertOnce(checkout), outbox("checkout.started", started, `checkout.started:${_id}`)];
  const { closesAt } = purchase;
  if (closesAt !== undefined)
    writes.push(enqueue("payment.close", _id, { paymentKey: _id }, { dueAt: new Date(closesAt) }));
  return writes;
}

function insertOnce({ _id, ...fields }: NewCheckout): AtomicWrite {
  const createdAt = new Date();
  const purgeAt = new Date(createdAt.getTime() + UNPAID_KEPT_MS);
  return setOnce(CHECKOUTS, _id, { ...fields, status: "open", createdAt, purgeAt });
}

function setOnce(collection: CollectionDefinition, _id: string, fields: object): AtomicWrite {
  return { collection, updateOne: { filter: { _id }, update: { $setOnInsert: { ...fields } }, upsert: true } };
}

export type PaymentRecords = ReturnType<typeof createPaymentRecords>;

export function createPaymentRecords(documents: DocumentStore) {
  const payments = documents.collection<Payment>(PAYMENTS);
  return {
    find: (paymentKey: string) => payments.findOne({ _id: paymentKey }),
    among: async (paymentKeys: readonly string[]): Promise<Set<string>> =>
      new Set((await payments.find({ _id: { $in: paymentKeys } })).map(({ _id }) => _id)),
    findByPaymentIntent: (paymentIntentId: string) => payments.findOne({ paymentIntentId }),

    /** Records the payment of an order and completes its checkout, with `also`; a repeat changes nothing. */
    async record(command: CompleteCommand, order: PlacedOrder, also: readonly AtomicWrite[] = []): Promise<void> {
      const { paymentKey, sessionId, paymentIntentId, total: amount, currency } = command;
      const { orderId, cartId } = order;
      const payment = { orderId, sessionId, paymentIntentId, cartId, amount, currency, createdAt: new Date() };
      await documents.atomically([
        setOnce(PAYMENTS, paymentKey, payment),
        // If the checkout's record is lost, nothing else says that the cart is paid.
        insertOnce(checkoutOf(command, order)),
        markCompleted(command),
        forgetErased(paymentKey),
        ...also,
      ]);
    },
  };
}

/** Rebuilds from its order a checkout that was lost with a restored store, or was given up. */
function checkoutOf(
  { paymentKey, sessionId, paymentIntentId, total }: CompleteCommand,
  { cartId, userId, items, subtotal, currency }: PlacedOrder,
): NewCheckout {
  return {
    _id: paymentKey,
    kind: sessionId === null ? "intent" : "session",
    purchase: {
      cartId,
      userId,
      owner: userId === "guest" ? {} : { userId },
      items: items.map(({ productId, partNumber, quantity, price, name = partNumber }) => ({
        productId,
        partNumber,
        quantity,
        price,
        name,
      })),
      subtotal,
      currency,
    },
    paymentIntentId: paymentIntentId ?? undefined,
    amount: sessionId === null ? total : undefined,
  };
}

/** The cart's next submission gets a paid session again, and a new one after a delayed payment that failed. */
function markCompleted({ paymentKey, paymentIntentId, payment }: CompleteCommand): AtomicWrite {
  const status = payment === "failed" ? "failed" : "complete";
  const filter = { _id: paymentKey, ...(status === "failed" ? {} : { status: { $ne: "failed" } }) };
  const purgeAt = new Date(Date.now() + CHECKOUT_KEPT_MS);
  const update = { $set: { status, paymentIntentId: paymentIntentId ?? undefined, purgeAt } };
  return { collection: CHECKOUTS, updateOne: { filter, update } };
}

/** The id of an erased user stays on what may still be paid, for the order. */
function forgetErased(_id: string): AtomicWrite {
  const filter = { _id, "purchase.owner.userId": ERASED, "purchase.userId": { $ne: "guest" } };
  return { collection: CHECKOUTS, updateOne: { filter, update: { $set: { "purchase.userId": ERASED } } } };
}

export type CheckoutClosing = ReturnType<typeof createCheckoutClosing>;

/** `open`: it can be paid; `paid`: it is, or the money is on its way; `closed`: neither. */
type Standing = "open" | "paid" | "closed";

/** Standing by the provider's status; any other is open. */
const STANDING_OF: Readonly<Record<string, Standing>> = {
  complete: "paid",
  succeeded: "paid",
  processing: "paid",
  expired: "closed",
  canceled: "closed",
};

/** Makes checkouts unpayable at the provider. */
export function createCheckoutClosing(provider: PaymentProvider, records: CheckoutRecords, payments: PaymentRecords) {
  async function standing({ _id, kind }: Pick<Checkout, "_id" | "kind">): Promise<Standing> {
    const creation = provider.request(
      ({ checkout, paymentIntents }): Promise<{ status: string | null }> =>
        kind === "session" ? checkout.sessions.retrieve(_id) : paymentIntents.retrieve(_id),
      { what: "Checkout", id: _id },
    );
    const { status } = (await ifFound(creation)) ?? { status: "expired" };
    return STANDING_OF[status ?? "open"] ?? "open";
  }

  /** @returns `paid` if its payment is there or on its way: its own webhook does the rest. @throws PROVIDER_ERROR */
  async function close(checkout: Pick<Checkout, "_id" | "kind">): Promise<Exclude<Standing, "open">> {
    const { _id, kind } = checkout;
    try {
      await provider.request<unknown>((stripe) =>
        kind === "session" ? stripe.checkout.sessions.expire(_id) : stripe.paymentIntents.cancel(_id),
      );
    } catch (error) {
      if (providerFailure(error) !== "refused") throw error;
      const stands = await standing(checkout);
      if (stands === "open") throw error;
      if (stands === "paid") return stands;
    }
    await records.expire(_id);
    return "closed";
  }

  /** Returns of each other payment with the cartId whether it also covers the checkout. */
  async function coveredByOthers(checkout: Pick<Checkout, "_id" | "purchase">): Promise<boolean[]> {
    const { cartId } = checkout.purchase;
    const covered: boolean[] = [];
    for (const paid of cartId === null ? [] : await records.ofCart(cartId, "complete")) {
      const payment = paid._id === checkout._id ? null : await payments.find(paid._id);
      if (payment) covered.push(isPaidWith(checkout, paid, payment.createdAt));
    }
    return covered;
  }

  return {
    standing,
    close,
    coveredByOthers,

    /**
     * Returns whether another checkout paid for the cart. Call it once the checkout is stored, where `closeOthers`
     * finds it: of two payments at the same moment, one then sees the other.
     */
    isPaidByOther: async (checkout: Pick<Checkout, "_id" | "purchase">): Promise<boolean> =>
      (await coveredByOthers(checkout)).includes(true),

    /** Closes the other open checkouts of a cart that `paymentKey` has paid. */
    async closeOthers(cartId: string, paymentKey: string): Promise<void> {
      const otherCheckouts = (await records.ofCart(cartId, "open")).filter(({ _id }) => _id !== paymentKey);
      if (otherCheckouts.length === 0) return;
      const payment = await payments.find(paymentKey);
      const paid = await records.find(paymentKey);
      // After a delayed payment has failed, the cart may be paid by another checkout.
      if (!payment || paid?.status === "failed") return;
      for (const checkout of otherCheckouts) if (isPaidWith(checkout, paid, payment.createdAt)) await close(checkout);
    },
  };
}
