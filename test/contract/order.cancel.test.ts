import { describe, expect, it } from "@jest/globals";
import { RUNS } from "@partline/moleculer-kit";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { eventually } from "../support/eventually.ts";
import { admin, nobody, owner, useOrders } from "./order.support.ts";

describe("Cancelling orders", () => {
  const orders = useOrders();
  const stored = () => orders.documents.collection<OrderDocument>(ORDERS);

  it.each([
    ["jpy", { price: 2_000, total: 10_000, refund: 2_500, taken: 2_500, left: "7500" }],
    ["kwd", { price: 2, total: 10, refund: 2.5, taken: 2_500, left: "7.500" }],
  ])(
    "and a refund are shown, asked for and refused in the units of the order's currency: %s",
    async (currency, { price, total, refund, taken, left }) => {
      const orderId = await orders.make({ currency });
      expect(await orders.read(orderId)).toMatchObject({ currency, total, items: [{ price, total: price * 2 }, {}] });
      expect(await orders.refund(orderId, { amount: refund })).toMatchObject({
        refundedAmount: refund,
        refund: { amount: refund },
        refunds: [{ amount: refund }],
      });
      expect(orders.provider.taken).toMatchObject([{ amount: taken }]);
      await expect(orders.refund(orderId, { amount: total })).rejects.toMatchObject({
        message: expect.stringContaining(`${left} is left`),
      });
      expect(await orders.cancel(orderId)).toMatchObject({ refundedAmount: total, refund: { amount: total - refund } });
    },
  );

  it("makes one refund of many cancellations at once, and the same answer for all; later ones are refused", async () => {
    const orderId = await orders.make();
    const open = orders.provider.hold();
    const cancels = Array.from({ length: 8 }, () => orders.cancel(orderId));
    await eventually(() => orders.provider.calls === 1);
    open();
    const answers = await Promise.all(cancels);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(orders.provider.taken).toHaveLength(1);
    for (const caller of [owner(), admin])
      await expect(orders.cancel(orderId, {}, caller)).rejects.toMatchObject({
        code: "ORDER_NOT_CANCELLABLE",
        message: "The order is cancelled already",
      });
    expect(orders.provider.calls).toBe(1);
    expect(await orders.read(orderId)).toMatchObject({ version: 2, refundedAmount: 100 });
  });

  it.each(["paid", "pending"] as const)(
    "with a key gets its first answer, also if its process died: %s",
    async (paymentStatus) => {
      const orderId = await orders.make({ paymentStatus });
      const once = { id: `${"k".repeat(30)}${orderId}`, secret: "s", request: "r" };
      const answer = await orders.cancel(orderId, {}, owner(), { once });
      const left = { $set: { heldUntil: new Date(0) }, $unset: { answer: true } } as const;
      expect(await orders.documents.collection(RUNS).updateOne({ _id: once.id }, left)).toMatchObject({ matched: 1 });
      expect(await orders.cancel(orderId, {}, owner(), { once })).toEqual(answer);
      const another = { ...once, id: `${once.id}-2` };
      await expect(orders.cancel(orderId, {}, owner(), { once: another })).rejects.toMatchObject({
        code: "ORDER_NOT_CANCELLABLE",
      });
    },
  );

  it("leaves the order as it was when the provider refuses, and works when tried again", async () => {
    const orderId = await orders.make();
    const before = await orders.read(orderId);
    orders.provider.mode = "refuses";
    await expect(orders.cancel(orderId, { adminNote: "angry" }, admin)).rejects.toMatchObject({
      code: "PROVIDER_ERROR",
    });
    expect(await orders.read(orderId)).toEqual(before);
    expect((await stored().findOne({ _id: orderId }))!.resumeAt).toBeUndefined();
    orders.provider.mode = "works";
    await orders.patch(orderId, { status: "processing" });
    expect(await orders.cancel(orderId)).toMatchObject({ status: "cancelled", refundedAmount: 100 });
  });

  it("gives everybody who waited the refusal", async () => {
    const orderId = await orders.make();
    orders.provider.mode = "refuses";
    const open = orders.provider.hold();
    const cancels = Promise.allSettled([orders.cancel(orderId), orders.cancel(orderId), orders.cancel(orderId)]);
    await eventually(async () => (await stored().findOne({ _id: orderId }))!.cancelling !== undefined);
    open();
    for (const outcome of await cancels)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "PROVIDER_ERROR" } });
    expect(await orders.read(orderId)).toMatchObject({ status: "pending", refunds: [] });
  });

  it("keeps a shipment out while the provider is asked", async () => {
    const orderId = await orders.make();
    await orders.patch(orderId, { status: "processing" });
    const open = orders.provider.hold();
    const cancelled = orders.cancel(orderId);
    await eventually(() => orders.provider.calls === 1);
    await expect(orders.patch(orderId, { status: "shipped" })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    await expect(orders.refund(orderId, { amount: 1 })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    expect(await orders.read(orderId)).toMatchObject({ status: "processing", refundedAmount: 0 });
    open();
    expect(await cancelled).toMatchObject({ status: "cancelled" });
  });

  it("either ships or cancels, when both come at once", async () => {
    for (let round = 0; round < 10; round++) {
      const orderId = await orders.make();
      await orders.patch(orderId, { status: "processing" });
      const taken = orders.provider.taken.length;
      const [shipped, cancelled] = await Promise.allSettled([
        orders.patch(orderId, { status: "shipped" }),
        orders.cancel(orderId),
      ]);
      expect([shipped.status, cancelled.status].sort()).toEqual(["fulfilled", "rejected"]);
      const { status } = await orders.read(orderId);
      expect(status).toBe(shipped.status === "fulfilled" ? "shipped" : "cancelled");
      expect(orders.provider.taken.length - taken).toBe(status === "cancelled" ? 1 : 0);
    }
  });

  it("is for the owner and admins, and its notes and force for admins", async () => {
    const orderId = await orders.make();
    await expect(orders.cancel(orderId, {}, nobody)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(orders.cancel(orderId, {}, owner("user_2"))).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(orders.cancel(orderId, { adminNote: "n" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(orders.cancel(orderId, { forceCancel: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const unused = { adminNote: "", forceCancel: false } as const;
    expect(await orders.cancel(await orders.make(), unused)).toMatchObject({ status: "cancelled" });
    await expect(orders.cancel("ord_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(orders.cancel("ord_unknown", {}, nobody)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const answer = await orders.cancel(orderId, { adminNote: "called twice" }, admin);
    expect(JSON.stringify(answer)).not.toContain("called twice");
    expect(await orders.read(orderId)).toMatchObject({ adminNote: "called twice", cancellation: { actor: "admin" } });
  });

  it("refunds a payment that goes through after it", async () => {
    const orderId = await orders.make({ paymentStatus: "pending" });
    await orders.cancel(orderId);
    await orders.tell(orderId, { kind: "paid" });
    await eventually(async () => (await orders.read(orderId)).paymentStatus === "refunded");
    expect(orders.provider.taken).toMatchObject([{ amount: 10_000 }]);
  });

  it("through PATCH is the same action, and takes no tracking", async () => {
    const orderId = await orders.make();
    await expect(orders.patch(orderId, { status: "cancelled", carrier: "ups" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    await expect(orders.patch(orderId, { status: "cancelled", version: 7 })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
    expect(orders.provider.calls).toBe(0);
    expect(await orders.patch(orderId, { status: "cancelled", version: 1, adminNote: "n" })).toMatchObject({
      status: "cancelled",
      adminNote: "n",
      refund: { amount: 100, status: "succeeded" },
    });
    await expect(orders.patch(orderId, { status: "processing" })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    expect(await orders.patch(orderId, { status: "cancelled" })).toMatchObject({ version: 2 });
  });
});
