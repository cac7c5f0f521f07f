import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type { CallMeta } from "../../broker/contract/context.ts";
import { ulid } from "../../packages/toolkit/src/ulid.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { findHolders, type Holder } from "../../services/catalog/holders.ts";
import {
  createStock,
  HOLDER_SHARES,
  type HolderShare,
  STOCK_HOLDS,
  STOCK_LEVELS,
  type StockHold,
  type StockLevel,
} from "../../services/catalog/stock.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { call, type Events, outbox } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { awaitNoEvents, eventually } from "../support/eventually.ts";
import { newCartId, NOBODY, SHOP_MODE, startShop, user } from "./payment.shop.ts";
import { useStarted } from "../support/use-started.ts";

const STAFF = { admin: true };

type Meta = Pick<CallMeta, "client" | "caller">;

describe("Stock and what holds it", () => {
  const shop = useStarted(() =>
    startShop({
      mode: SHOP_MODE,
      // Over several nodes, two of the catalog hold the same pieces.
      services: ["order", "customer", "dis-router", "catalog", "catalog"],
      env: { STOCK_POLICY: "sell:14,KAW=up_to_stock,HON=sell" },
    }),
  );
  let partCount = 0;

  /** A part of which so many pieces are on hand; undefined while the dealer has not said. */
  async function part(code: string, quantityOnHand?: number) {
    const partNumber = `S-${(partCount += 1)}`;
    const news = { partNumber, title: `Part ${partCount}`, price: 1_000, quantityOnHand };
    await createPartWriter(shop.documents).write(DEFAULT_VENDORS.getByCode(code), [news], "price_file");
    return { productId: `${code.toLowerCase()}-s${partCount}`, partNumber, title: `Part ${partCount}`, unitPrice: 10 };
  }
  type Item = Awaited<ReturnType<typeof part>>;

  const open = (item: Item, quantity = 1, cartId: string | null = newCartId(), changed = {}) =>
    shop.checkout({ cartId: cartId ?? undefined, items: [{ ...item, quantity }], ...changed });
  const held = async ({ productId }: Item) =>
    (await shop.documents.collection<StockLevel>(STOCK_LEVELS).findOne({ _id: productId }))?.held ?? 0;
  /** The order of a session that is paid. */
  async function ordered({ sessionId }: { sessionId: string }) {
    await shop.pay({ sessionId });
    await shop.deliver(await shop.event("checkout.session.completed", sessionId));
    return orderOf(sessionId);
  }
  /** The order of a payment, once it holds its pieces. */
  async function orderOf(paymentKey: string) {
    const order = (await shop.orders()).find((made) => made.paymentKey === paymentKey)!;
    const hold = { _id: `order:${order._id}` };
    await eventually(async () => (await shop.documents.collection<StockHold>(STOCK_HOLDS).findOne(hold)) !== null);
    return order;
  }
  async function runOut(sessionId: string, ago: number) {
    const until = Date.now() - ago;
    const checkouts = shop.documents.collection<Checkout>(CHECKOUTS);
    const { hold } = (await checkouts.findOne({ _id: sessionId }))!.purchase;
    await checkouts.updateOne({ _id: sessionId }, { $set: { "purchase.hold.until": until } });
    await shop.documents
      .collection<StockHold>(STOCK_HOLDS)
      .updateOne({ _id: hold!.key }, { $set: { until: new Date(until) } });
  }

  it("pieces are held, and the error is reported, if the parts cannot be read again for search", async () => {
    const item = await part("KAW", 1);
    const away = new Error("The store is away");
    const reader = createPartReader(shop.documents);
    let reads = 0;
    const failing = {
      ...reader,
      findByIds: (...asked: Parameters<typeof reader.findByIds>) =>
        (reads += 1) === 1 ? reader.findByIds(...asked) : Promise.reject(away),
    };
    const errors: unknown[] = [];
    const stock = createStock({
      documents: shop.documents,
      reader: failing,
      shop: shop.settings.shop,
      followers: { notify: () => Promise.resolve(), onError: (error) => errors.push(error) },
    });
    const lines = [{ productId: item.productId, quantity: 1 }];
    await stock.hold({ key: newCartId(), lines, until: new Date(Date.now() + 60_000), paid: false }, []);
    expect(await held(item)).toBe(1);
    await eventually(() => errors.length > 0);
    expect(errors).toEqual([away]);
  });

  it("40 checkouts of the last 5 pieces, sold up to the stock: 5 can be paid, the others are refused with what is left", async () => {
    const item = await part("KAW", 5);
    const opened = await Promise.allSettled(Array.from({ length: 40 }, () => open(item)));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const refused = opened.find((result) => result.status === "rejected")!;
    expect(refused.reason).toMatchObject({
      code: "OUT_OF_STOCK",
      data: [{ productId: item.productId, partNumber: item.partNumber, left: 0 }],
    });
    expect(await held(item)).toBe(5);
  });

  it("20 checkouts of the last 5 pieces, sold beyond the stock: 15 say so before they are paid, with the vendor's days", async () => {
    const item = await part("BNS", 5);
    const opened = await Promise.all(Array.from({ length: 20 }, () => open(item)));
    const told = opened.filter(({ backordered }) => backordered !== undefined);
    expect(told).toHaveLength(15);
    const { productId, partNumber } = item;
    expect(told[0]!.backordered).toEqual([{ productId, partNumber, quantity: 1, days: 14 }]);
    const { data } = await shop.stripe.checkout.sessions.listLineItems(told[0]!.sessionId, {
      expand: ["data.price.product"],
    });
    expect(data[0]!.price!.product).toMatchObject({ description: "1 on backorder, usually here within 14 days" });
  });

  it("a cart has one hold for all its checkouts, and the order that is made of it takes it over", async () => {
    const item = await part("KAW", 3);
    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [{ ...item, quantity: 2 }] });
    const session = await open(item, 2, cartId);
    await call(shop.as(NOBODY), "payment.createPaymentIntent", { cartId, amount: 2_000 });
    expect(await held(item)).toBe(2);
    await expect(open(item, 2)).rejects.toMatchObject({ code: "OUT_OF_STOCK", data: [{ left: 1 }] });
    const order = await ordered(session);
    expect(await held(item)).toBe(2);
    expect(await shop.documents.collection(STOCK_HOLDS).findOne({ _id: `cart:${cartId}` })).toBeNull();

    const lines = [{ productId: item.productId, quantity: 1 }];
    await call(shop.as(STAFF), "order.adminShip", { orderId: order._id, lines });
    await eventually(async () => (await held(item)) === 1);
    await call(shop.as(STAFF), "order.adminCancelLines", { orderId: order._id, lines, reason: "other" });
    await eventually(async () => (await held(item)) === 0);
  });

  it("a shopper who comes back to pay with another delivery finds the pieces that the cart holds", async () => {
    const item = await part("KAW", 1);
    const cartId = newCartId();
    const first = await open(item, 1, cartId, { replace: true });
    const second = await open(item, 1, cartId, { replace: true, fulfilment: "pickup" });
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(await held(item)).toBe(1);
    expect((await ordered(second)).items).toMatchObject([{ quantity: 1 }]);
    expect(await held(item)).toBe(1);
  });

  it("a checkout without a cart holds until its order does", async () => {
    const item = await part("KAW", 1);
    const session = await open(item, 1, null);
    await expect(open(item)).rejects.toMatchObject({ code: "OUT_OF_STOCK" });
    await ordered(session);
    expect(await held(item)).toBe(1);
  });

  it("a checkout without a cart has the last piece although its customer must be made again", async () => {
    const item = await part("KAW", 1);
    const ada = user("user_ada_stock");
    const customerId = ada.user!.sub;
    await call(shop.as(ada), "customer.create", { email: "ada@example.com", name: "Ada" });
    const { providerCustomerId } = await call(shop.broker, "customer.providerId", { userId: customerId });
    await shop.stripe.customers.del(providerCustomerId!);
    await shop.checkout({ items: [{ ...item, quantity: 1 }], customerId }, ada);
    expect(await held(item)).toBe(1);
  });

  it("a checkout without a cart that the provider does not open holds nothing", async () => {
    const item = await part("KAW", 1);
    await shop.fault({ match: "POST /v1/checkout/sessions", status: 500, times: 2 });
    await expect(open(item, 1, null)).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    expect(await held(item)).toBe(0);
    await open(item, 1, null);
  });

  it("a hold that ran out is free for others; paid after all, its pieces are backordered, and the order says so", async () => {
    const item = await part("KAW", 2);
    const late = await open(item, 2);
    await runOut(late.sessionId, 10 * 60_000);
    await open(item, 1);
    expect(await held(item)).toBe(1);
    const order = await ordered(late);
    expect(order.items).toMatchObject([{ quantity: 2, backordered: 1 }]);
    expect(await held(item)).toBe(3);
  });

  it("pieces that are counted go to the orders that wait, the oldest first, each once", async () => {
    const item = await part("HON", 1);
    const older = await ordered(await open(item, 2));
    const orders = [older, await ordered(await open(item, 3))];
    const waiting = async () => {
      const read = await Promise.all(
        orders.map(({ _id: orderId }) => call(shop.as(STAFF), "order.adminGet", { orderId })),
      );
      return read.map(({ items }) => items[0]!.quantities.backordered);
    };
    expect(await waiting()).toEqual([1, 3]);
    const count = (onHand: number) => call(shop.as(STAFF), "catalog.countStock", { id: item.productId, onHand });
    // Beside the one that the dealer has.
    await count(2);
    await eventually(async () => (await waiting()).join() === "0,2");
    // Two clerks who see the same: of others, either could be the last.
    await Promise.all([count(4), count(4)]);
    await eventually(async () => (await waiting()).join() === "0,0");
    const { version } = await call(shop.as(STAFF), "order.adminGet", { orderId: older._id });
    expect(version).toBe(2);
  });

  it("a cart that was paid twice has its pieces once: those of the second order are backordered", async () => {
    const item = await part("KAW", 2);
    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [{ ...item, quantity: 2 }] });
    const session = await open(item, 2, cartId);
    const asked = { cartId, amount: 2_000 };
    const { paymentIntentId } = await call(shop.as(NOBODY), "payment.createPaymentIntent", asked);
    await shop.confirm(paymentIntentId);
    await shop.pay(session);
    const succeeded = await shop.event("payment_intent.succeeded", paymentIntentId);
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    await shop.deliver(succeeded);
    const orders = (await shop.orders()).filter((order) => order.cartId === cartId);
    const backordered = orders.map(({ paymentKey, items }) => [paymentKey, items[0]!.backordered]);
    expect(new Map(backordered as [string, number | undefined][])).toEqual(
      new Map([
        [session.sessionId, undefined],
        [paymentIntentId, 2],
      ]),
    );
    await shop.deliver(shop.asAnotherEvent(succeeded));
    await eventually(async () => (await held(item)) === 4);
    const holds = shop.documents.collection<StockHold>(STOCK_HOLDS);
    await eventually(async () => (await holds.count({ products: item.productId })) === 0);
    expect(await held(item)).toBe(4);
  });

  it("a cart that was saved again after its checkout has its pieces once, and keeps those that it held since", async () => {
    const item = await part("KAW", 2);
    const cartId = newCartId();
    const saved = { cartId, items: [{ ...item, quantity: 2 }] };
    const intent = async () => {
      await call(shop.broker, "cart.remove", { cartId });
      await call(shop.broker, "cart.saveForCheckout", saved);
      return call(shop.as(NOBODY), "payment.createPaymentIntent", { cartId, amount: 2_000 });
    };
    const paid = async ({ paymentIntentId }: { paymentIntentId: string }) => {
      await shop.confirm(paymentIntentId);
      await shop.deliver(await shop.event("payment_intent.succeeded", paymentIntentId));
      return orderOf(paymentIntentId);
    };
    await call(shop.broker, "cart.saveForCheckout", saved);
    const session = await open(item, 2, cartId);
    const before = await intent();
    expect((await ordered(session)).items).toMatchObject([{ quantity: 2 }]);
    expect((await paid(before)).items).toMatchObject([{ quantity: 2, backordered: 2 }]);
    expect(await held(item)).toBe(4);

    const counted = (quantityOnHand: number) =>
      createPartWriter(shop.documents).write(
        DEFAULT_VENDORS.getByCode("KAW"),
        [{ partNumber: item.partNumber, title: item.title, price: 1_000, quantityOnHand }],
        "price_file",
      );
    await counted(6);
    const after = await intent();
    await counted(4);
    expect((await paid(after)).items[0]!.backordered).toBeUndefined();
  });

  it("a hold that ran out counts for nobody, however many others ran out before, and is freed if nobody asks", async () => {
    const [item, other] = [await part("KAW", 2), await part("KAW", 100)];
    const youngest = await open(item, 2);
    const older: { sessionId: string }[] = [];
    // Not all at once: over slow servers, the second try of a call that took too long would hold again what ran out
    // here.
    while (older.length < 60) older.push(...(await Promise.all(Array.from({ length: 6 }, () => open(other)))));
    await Promise.all(older.map(({ sessionId }) => runOut(sessionId, 60 * 60_000)));
    await runOut(youngest.sessionId, 10 * 60_000);
    await open(item, 2);
    await eventually(async () => (await held(other)) === 0);
    expect(await held(item)).toBe(2);
  });

  it("a part that nobody counted is held by orders alone, and the newest of them wait for what a count misses", async () => {
    const unknown = await part("VAL");
    const opened = await open(unknown, 50);
    expect(opened).not.toHaveProperty("backordered");
    expect(await held(unknown)).toBe(0);
    const orders = [await ordered(opened), await ordered(await open(unknown, 2))];
    expect(orders.map(({ items }) => items[0]!.uncounted)).toEqual([50, 2]);
    expect(await held(unknown)).toBe(52);
    for (const [onHand, waiting] of [
      [0, "50,2"],
      [51, "0,1"],
      [60, "0,0"],
    ] as const) {
      await call(shop.as(STAFF), "catalog.countStock", { id: unknown.productId, onHand });
      await eventually(async () => {
        const read = orders.map(({ _id: orderId }) => call(shop.as(STAFF), "order.adminGet", { orderId }));
        const lines = (await Promise.all(read)).map(({ items }) => items[0]!);
        // Once they have had their pieces, they are like any other.
        const areCounted = lines.every(({ uncounted }) => uncounted === undefined);
        return areCounted === onHand > 51 && lines.map(({ quantities }) => quantities.backordered).join() === waiting;
      });
    }
    const empty = await part("HON", 0);
    expect((await open(empty, 2)).backordered).toMatchObject([{ quantity: 2, days: null }]);
  });

  it("events of an order that come twice and in any order leave what is left to ship", async () => {
    const item = await part("BNS", 9);
    const stock = createStock({
      documents: shop.documents,
      reader: createPartReader(shop.documents),
      shop: shop.settings.shop,
    });
    const lines = (quantity: number) => (quantity === 0 ? [] : [{ productId: item.productId, quantity }]);
    const events = [5, 3, 0].map((quantity, index) => ({ version: index + 1, lines: lines(quantity) }));
    for (const [round, order] of [
      [2, 0, 1],
      [1, 0, 1, 2, 0],
      [0, 1, 0, 2, 1],
    ].entries()) {
      for (const index of order) await stock.holdOfOrder({ orderId: `ord_${partCount}_${round}`, ...events[index]! });
      expect(await held(item)).toBe(0);
    }
    await Promise.all(
      [0, 1, 0, 1, 1].map((index) => stock.holdOfOrder({ orderId: `ord_${partCount}_race`, ...events[index]! })),
    );
    expect(await held(item)).toBe(3);
  });

  it("an order.created that comes twice frees no later checkout of the cart", async () => {
    const item = await part("KAW", 5);
    const cartId = newCartId();
    const stock = createStock({
      documents: shop.documents,
      reader: createPartReader(shop.documents),
      shop: shop.settings.shop,
    });
    await open(item, 2, cartId);
    const lines = [{ productId: item.productId, quantity: 2 }];
    const created = { orderId: `ord_${cartId}`, version: 1, lines, hold: `cart:${cartId}` };
    await stock.holdOfOrder(created);
    expect(await held(item)).toBe(2);
    const until = new Date(Date.now() + 60_000);
    await stock.hold({ key: created.hold, lines, until, paid: false }, []);
    await stock.holdOfOrder(created);
    expect(await held(item)).toBe(4);
  });

  it("an order.created of 0.2.0 holds nothing: what followed it would free nothing", async () => {
    const item = await part("KAW", 3);
    const order = await ordered(await open(item));
    const { payload } = shop.published.find((event) => event.payload["orderId"] === order._id)!;
    const created = { ...payload, orderId: `ord_${ulid()}` } as Events["order.created"];
    await shop.documents.atomically([outbox("order.created", created, undefined, 1)]);
    shop.test.channels.wake();
    await eventually(() => shop.published.some((event) => event.payload["orderId"] === created.orderId));
    await awaitNoEvents(shop.test.channels);
    expect(await held(item)).toBe(1);
  });

  it("an order whose delayed payment arrives after its hold ran out holds its pieces once", async () => {
    const item = await part("KAW", 3);
    const session = await open(item);
    await shop.pay(session, "delayed");
    const completed = await shop.event("checkout.session.completed", session.sessionId);
    await shop.deliver(completed);
    await eventually(async () => (await held(item)) === 1);
    await shop.documents
      .collection<Checkout>(CHECKOUTS)
      .updateOne({ _id: session.sessionId }, { $set: { "purchase.hold.until": Date.now() - 10 * 60_000 } });
    await shop.deliver({
      ...completed,
      id: `evt_${session.sessionId}`,
      type: "checkout.session.async_payment_succeeded",
    });
    expect((await shop.orders()).find(({ sessionId }) => sessionId === session.sessionId)!.paymentStatus).toBe("paid");
    expect(await held(item)).toBe(1);
  });

  it("an order whose delayed payment fails holds nothing more", async () => {
    const item = await part("KAW", 1);
    const session = await open(item);
    await shop.pay(session, "delayed");
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    await eventually(async () => (await held(item)) === 1);
    const { paymentKey } = (await shop.orders()).find(({ sessionId }) => sessionId === session.sessionId)!;
    await call(shop.broker, "order.applyPayment", { paymentKey, change: { kind: "failed" } });
    await eventually(async () => (await held(item)) === 0);
  });

  it("an order that is refunded in full is cancelled and holds nothing more, even if the bank returns the refund", async () => {
    const item = await part("KAW", 1);
    const { paymentKey, total } = await ordered(await open(item));
    expect(await held(item)).toBe(1);
    const refund = (status: string) =>
      call(shop.broker, "order.applyPayment", {
        paymentKey,
        change: { kind: "refund", providerRefundId: `re_${paymentKey}`, amount: total, status },
      });
    await refund("succeeded");
    await eventually(async () => (await held(item)) === 0);
    await refund("failed");
    const returned = (await shop.orders()).find((order) => order.paymentKey === paymentKey)!;
    expect(returned).toMatchObject({ status: "cancelled", refundDue: total });
    await awaitNoEvents(shop.test.channels);
    expect(await held(item)).toBe(0);
  });

  describe("of one guest", () => {
    let address = 0;
    async function partsOf(count: number, quantityOnHand: number): Promise<Item[]> {
      const items: Item[] = [];
      while (items.length < count) items.push(await part("KAW", quantityOnHand));
      return items;
    }
    const guest = (): Meta => ({ client: `203.0.113.${(address += 1)}`, caller: { admin: false } });
    const openFor = (meta: Meta, lines: readonly [Item, number][]) => {
      const items = lines.map(([item, quantity]) => ({ ...item, quantity }));
      return call(shop.broker, "payment.createCheckoutSession", { cartId: newCartId(), items }, { meta });
    };
    const heldInAll = async (items: readonly Item[]) =>
      (await Promise.all(items.map(held))).reduce((sum, pieces) => sum + pieces, 0);

    it("no request, and no number of them, holds the stock of the shop: others go on to buy", async () => {
      const items = await partsOf(60, 20);
      const thief = guest();
      const whole = items.map((item) => [item, 20] as [Item, number]);
      await openFor(thief, whole);
      expect(await heldInAll(items)).toBe(250);
      // The thief is refused where the guest was faster.
      await Promise.all([
        openFor(guest(), [[items[40]!, 20]]),
        openFor(thief, whole.slice(30)).catch((error: unknown) =>
          expect(error).toMatchObject({ code: "OUT_OF_STOCK" }),
        ),
      ]);
      expect(await heldInAll(items)).toBe(270);
    });

    it("new sessions at one address hold no more than the address may", async () => {
      const items = await partsOf(8, 100);
      const { client } = guest();
      const inSession = (): Meta => ({ client, caller: { admin: false, sessionId: randomUUID() } });
      for (const item of items) await openFor(inSession(), [[item, 50]]);
      expect(await heldInAll(items)).toBe(250);
    });

    it("what is beyond the bound can be paid all the same: it is there, or backordered if others were faster", async () => {
      const items = await partsOf(2, 250);
      const [first, second] = items as [Item, Item];
      const session = await openFor(guest(), [
        [first, 250],
        [second, 250],
      ]);
      expect(session).not.toHaveProperty("backordered");
      expect(await held(second)).toBe(0);
      await openFor(guest(), [[second, 150]]);
      const order = await ordered(session);
      expect(order.items.map(({ backordered }) => backordered)).toEqual([undefined, 150]);
      expect(await held(second)).toBe(400);
    });

    it("what was paid, and what ran out, counts for no bound any more", async () => {
      const [paid, lapsed, later] = (await partsOf(3, 250)) as [Item, Item, Item];
      const shopper = guest();
      await ordered(await openFor(shopper, [[paid, 150]]));
      const left = await openFor(shopper, [[lapsed, 250]]);
      expect(await held(lapsed)).toBe(250);
      await runOut(left.sessionId, 10 * 60_000);
      await eventually(async () => (await held(lapsed)) === 0);
      await openFor(shopper, [[later, 250]]);
      expect(await held(later)).toBe(250);
      const [{ id }] = findHolders({ meta: shopper as CallMeta }) as [Holder];
      const shares = await shop.documents.collection<HolderShare>(HOLDER_SHARES).find({});
      expect(shares.filter(({ _id }) => _id.startsWith(`${id}:`))).toHaveLength(1);
    });

    it("the catalog, and so search, says what is left, also of a part that was made by hand", async () => {
      const newPart = { partNumber: "HAND-1", title: "Bracket" };
      const admin = { meta: { caller: { admin: true } } };
      const byHand = { ...newPart, price: { fixed: 10 }, stock: { onHand: 8, place: "main" } };
      const { id: handId } = await call(shop.broker, "catalog.addPart", byHand, admin);
      const hand = await call(shop.broker, "catalog.get", { id: handId });
      await openFor(guest(), [[{ ...newPart, productId: handId, unitPrice: 10 }, 4]]);
      await eventually(async () => {
        const { parts } = await call(shop.broker, "catalog.changes", { vendor: "OWN", after: hand.revision });
        return parts.some(({ availability }) => availability === "low_stock");
      });
      const item = await part("KAW", 8);
      const { revision } = await call(shop.broker, "catalog.get", { id: item.productId });
      const read = () => call(shop.broker, "catalog.get", { id: item.productId });
      await openFor(guest(), [[item, 4]]);
      expect(await read()).toMatchObject({ availability: "low_stock", stock: { quantityOnHand: 8, held: 4 } });
      const changed = async () =>
        (await call(shop.broker, "catalog.changes", { vendor: "KAW", after: revision })).parts;
      const news = await eventually(async () => (await changed()).find(({ id }) => id === item.productId));
      expect(news.availability).toBe("low_stock");
      await openFor(guest(), [[item, 4]]);
      expect((await read()).availability).toBe("out_of_stock");
    });
  });
});
