import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { call } from "../../services/contracts.ts";
import { payment, startOrders } from "./order.support.ts";
import { useStarted } from "../support/use-started.ts";

describe.each([1, 3])("Making orders (%d nodes)", (nodes) => {
  const orders = useStarted(() => startOrders({ nodes }));

  const make = (fields: Parameters<typeof payment>[0] = {}) =>
    call(orders.broker, "order.createFromPayment", payment(fields));
  const stored = () => orders.documents.collection<OrderDocument>(ORDERS);
  /** Between nodes, a slow call is asked of another node too: its answer may be that the order is there. */
  const expectMade = (answers: readonly { created: boolean }[], orders: number): void => {
    const made = answers.filter(({ created }) => created).length;
    expect(made).toBeLessThanOrEqual(orders);
    if (nodes === 1) expect(made).toBe(orders);
  };

  it("answers what order.created says, in cents", async () => {
    const paid = payment({ cartId: "cart_1" });
    const { orderId, orderNumber, created, order } = await call(orders.broker, "order.createFromPayment", paid);
    expect(created).toBe(true);
    expect(orderId).toMatch(/^ord_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(orderNumber).toMatch(/^ORD-\d{8}-\d{6}$/);
    const { shippingAddress: _address, paymentKey: _key, items, ...facts } = paid;
    const createdAt = (await stored().findOne({ _id: orderId }))!.createdAt.toISOString();
    expect(order).toEqual({
      ...facts,
      orderId,
      orderNumber,
      items,
      createdAt,
    });
  });

  it("leaves staff a note if the catalog could not say what is in stock", async () => {
    const { orderId } = await make({ stockUnconfirmed: true });
    const order = await stored().findOne({ _id: orderId });
    expect(order).toMatchObject({ notes: [{ actor: "system", text: expect.stringContaining("Check the shelf") }] });
    expect(order).not.toHaveProperty("stockUnconfirmed");
  });

  it("makes one order of a payment, in any race and however often", async () => {
    const paid = payment();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(orders.broker, "order.createFromPayment", paid)),
    );
    expectMade(answers, 1);
    expect(new Set(answers.map(({ order }) => JSON.stringify(order))).size).toBe(1);
    expect(await stored().count({ paymentKey: paid.paymentKey })).toBe(1);
    const later = await call(orders.broker, "order.createFromPayment", paid);
    expect(later).toEqual({ ...answers[0], created: false });
  });

  it("knows a payment by its session and its intent too", async () => {
    const first = await make({ paymentIntentId: "pi_same" });
    expect(await make({ paymentIntentId: "pi_same" })).toMatchObject({ orderId: first.orderId, created: false });
  });

  it("answers the order as it was made, also after it changed", async () => {
    const paid = payment({ paymentStatus: "pending" });
    const first = await call(orders.broker, "order.createFromPayment", paid);
    await orders.tell(first.orderId, { kind: "paid" });
    expect(await call(orders.broker, "order.createFromPayment", paid)).toEqual({ ...first, created: false });
  });

  it("numbers orders of the same moment without a gap, a repeat or a descent", async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const before = await stored().count({ orderNumber: { $gte: `ORD-${day}`, $lt: `ORD-${day}~` } });
    // Half of them are repeats, which must burn no number.
    const keys = Array.from({ length: 40 }, () => `cs_${ulid()}`);
    const answers = await Promise.all(
      [...keys, ...keys].map((paymentKey) =>
        make({ paymentKey, sessionId: paymentKey, paymentIntentId: `pi_of_${paymentKey}` }),
      ),
    );
    expectMade(answers, 40);
    const numbers = [...new Set(answers.map(({ orderNumber }) => orderNumber))].sort();
    expect(numbers).toEqual(
      Array.from({ length: 40 }, (_, index) => `ORD-${day}-${String(before + index + 1).padStart(6, "0")}`),
    );
    if (nodes === 1) {
      const inTime = await stored().find({ orderNumber: { $in: numbers } }, { sort: { createdAt: 1, orderNumber: 1 } });
      expect(inTime.map(({ orderNumber }) => orderNumber)).toEqual(numbers);
    }
  });

  it("finds an order by its payment, and none by another's", async () => {
    const paid = payment();
    const { orderId, orderNumber, order: placed } = await call(orders.broker, "order.createFromPayment", paid);
    const expected = {
      order: { orderId, orderNumber, userId: "user_1", status: "pending", paymentStatus: "paid", placed },
    };
    expect(await call(orders.broker, "order.findByPayment", { paymentKey: paid.paymentKey })).toEqual(expected);
    expect(await call(orders.broker, "order.findByPayment", { paymentIntentId: paid.paymentIntentId! })).toEqual(
      expected,
    );
    expect(await call(orders.broker, "order.findByPayment", { paymentKey: "cs_unknown" })).toEqual({ order: null });
    expect(await call(orders.broker, "order.findByPayment", {})).toEqual({ order: null });
  });
});
