import { describe, expect, it } from "@jest/globals";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { admin, owner, useOrders } from "./order.support.ts";

describe("A cancellation whose refund comes back", () => {
  const orders = useOrders();
  const stored = () => orders.documents.collection<OrderDocument>(ORDERS);
  const tellFailed = (orderId: string, refundId: string) => orders.tellRefund(orderId, refundId, 10_000, "failed");
  const due = async () =>
    (await call(orders.as(admin), "order.adminList", { refundDue: true })).orders.map(({ orderId }) => orderId);
  /** As time passes: the pause before the next attempt is over. */
  const whenDue = (orderId: string) => stored().updateOne({ _id: orderId }, { $set: { resumeAt: new Date(0) } });

  it("before its answer is refused, and the order stays as it was", async () => {
    const orderId = await orders.make();
    const open = orders.provider.hold();
    const cancelled = orders.cancel(orderId).then(
      () => undefined,
      (error: unknown) => error,
    );
    await eventually(() => orders.provider.calls === 1);
    const { refundId } = (await stored().findOne({ _id: orderId }))!.cancelling!;
    await orders.tellRefund(orderId, refundId, 10_000, "succeeded");
    await tellFailed(orderId, refundId);
    open();
    expect(await cancelled).toMatchObject({ code: "PROVIDER_ERROR" });
    expect(await orders.read(orderId)).toMatchObject({
      status: "pending",
      paymentStatus: "paid",
      refundedAmount: 0,
      refunds: [{ status: "failed" }],
    });
    const again = await orders.cancel(orderId);
    expect(again).toMatchObject({
      status: "cancelled",
      paymentStatus: "refunded",
      refund: { amount: 100, status: "succeeded" },
    });
    expect(again).not.toHaveProperty("refundDue");
  });

  it.each(["works", "pending"] as const)(
    "after it was answered has its money due until it goes through (%s)",
    async (mode) => {
      const orderId = await orders.make();
      orders.provider.mode = mode;
      const answer = await orders.cancel(orderId, { reason: "duplicate" });
      const first = answer.refund!.refundId;
      await tellFailed(orderId, first);
      const now = await orders.read(orderId);
      expect(now).toMatchObject({
        status: "cancelled",
        paymentStatus: "paid",
        refundedAmount: 0,
        refundDue: 100,
        refunds: [
          { refundId: first, status: "failed" },
          { status: "pending", amount: 100, actor: "user:user_1", reason: "duplicate" },
        ],
      });
      expect(await due()).toContain(orderId);
      for (const caller of [owner(), admin])
        await expect(orders.cancel(orderId, { forceCancel: caller === admin }, caller)).rejects.toMatchObject({
          code: "ORDER_NOT_CANCELLABLE",
          message: "The order is cancelled already. 100.00 is still to be refunded, and is tried again",
        });
      await expect(orders.refund(orderId)).rejects.toMatchObject({
        code: "INVALID_TRANSITION",
        message: expect.stringContaining("100.00"),
      });
      orders.provider.mode = "works";
      await whenDue(orderId);
      await eventually(async () => (await orders.read(orderId)).paymentStatus === "refunded");
      expect(orders.provider.taken.map(({ refundId }) => refundId)).toEqual([first, now.refunds[1]!.refundId]);
      const after = await orders.read(orderId);
      expect(after).toMatchObject({
        refundedAmount: 100,
        refunds: [{ status: "failed" }, { refundId: now.refunds[1]!.refundId, status: "succeeded" }],
      });
      expect(after).not.toHaveProperty("refundDue");
      const events = await orders.history(orderId, 3);
      expect(events.map(({ event_type, data }) => `${event_type} ${(data as { actor: string }).actor}`)).toEqual([
        "ORDER_CANCELLED user:user_1",
        "ORDER_REFUNDED payment-provider",
        "ORDER_REFUNDED system",
      ]);
    },
  );

  it("changes the order once, though two messages report it at the same time", async () => {
    const orderId = await orders.make();
    const { refund } = await orders.cancel(orderId);
    const answers = await Promise.all([1, 2].map(() => tellFailed(orderId, refund!.refundId)));
    expect(answers.map(({ changed }) => changed).sort()).toEqual([false, true]);
  });

  it("of cancelled pieces is due and listed too, and is made again", async () => {
    const orderId = await orders.make();
    const { items } = await orders.read(orderId);
    const lines = [{ productId: items[0]!.productId, quantity: 1 }];
    const { refund } = await call(orders.as(admin), "order.adminCancelLines", { orderId, lines });
    await tellFailed(orderId, refund.refundId);
    expect(await orders.read(orderId)).toMatchObject({ refundDue: refund.amount, refundedAmount: 0 });
    expect(await due()).toContain(orderId);
    await whenDue(orderId);
    await eventually(async () => (await orders.read(orderId)).refundedAmount === refund.amount);
    expect(await due()).not.toContain(orderId);
    expect((await orders.read(orderId)).items[0]!.quantities.cancelled).toBe(1);
  });

  it("is paid by check, once, but not while the provider is asked; what that took all the same is a refund too", async () => {
    const orderId = await orders.make();
    const pay = () =>
      call(orders.as(admin), "order.adminSettleRefund", { orderId, paidBy: "check", note: "Check 1042" });
    const refused = { code: "INVALID_TRANSITION" };
    await expect(pay()).rejects.toMatchObject(refused);
    orders.provider.mode = "fails the refund";
    await orders.cancel(orderId, { forceCancel: true }, admin);
    const { calls } = orders.provider;
    const answer = orders.provider.hold();
    await whenDue(orderId);
    await eventually(() => orders.provider.calls > calls);
    await expect(pay()).rejects.toMatchObject({ ...refused, message: expect.stringContaining("being asked") });
    answer();
    await eventually(async () =>
      (await stored().findOne({ _id: orderId }))!.refunds.some(({ attempts }) => attempts === 2),
    );
    const answers = await Promise.allSettled([pay(), pay()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const paid = { paymentStatus: "refunded", refundedAmount: 100, notes: [{ text: "Check 1042" }] };
    const order = await orders.read(orderId);
    expect([order, order.refunds.at(-1)]).toMatchObject([paid, { paidBy: "check", amount: 100, status: "succeeded" }]);
    expect(await due()).not.toContain(orderId);
    const { resumeAt, refunds } = (await stored().findOne({ _id: orderId }))!;
    expect(resumeAt).toBeUndefined();
    const { refundId } = refunds.find(
      ({ status, providerRefundId }) => status === "failed" && providerRefundId === null,
    )!;
    await orders.tellRefund(orderId, refundId, 10_000, "succeeded");
    await orders.tell(orderId, { kind: "refunded", refundedTotal: 10_000 });
    const after = await orders.read(orderId);
    expect([after, after.refunds.filter(({ status }) => status === "succeeded")]).toMatchObject([paid, [{}, {}]]);
  });

  it("of the last pieces pays back all that is left at once, and leaves the order as it was if it is refused", async () => {
    const orderId = await orders.make();
    const cancelLast = () =>
      call(orders.as(admin), "order.adminCancelLines", { orderId, lines: [{ productId: "bns-b", quantity: 1 }] });
    const refunded = await orders.refund(orderId, { items: [{ productId: "bns-a", quantity: 2 }] });
    expect(refunded).toMatchObject({ status: "pending", refund: { amount: 42.5 } });
    expect(refunded.items[0]!.quantities).toMatchObject({ open: 0, cancelled: 2 });
    orders.provider.mode = "refuses";
    await expect(cancelLast()).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    expect(await orders.read(orderId)).toMatchObject({ status: "pending", refundedAmount: 42.5 });
    orders.provider.mode = "works";
    const cancelled = await cancelLast();
    expect(cancelled).toMatchObject({ status: "cancelled", refundedAmount: 100, refund: { amount: 57.5 } });
    expect(cancelled).not.toHaveProperty("refundDue");
    expect(orders.provider.taken.map(({ amount }) => amount)).toEqual([4_250, 5_750]);
    const events = await orders.history(orderId, 2);
    expect(events.map(({ event_type }) => event_type)).toEqual(["ORDER_LINES_CANCELLED", "ORDER_CANCELLED"]);
  });
});
