import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { RUNS } from "@partline/moleculer-kit";
import { toHttpError } from "../../gateway/http/errors.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { eventually } from "../support/eventually.ts";
import { startOrders, useOrders } from "./order.support.ts";
import { storeAway } from "../support/store-away.ts";

describe("Refunding orders", () => {
  const orders = useOrders();
  const stored = () => orders.documents.collection<OrderDocument>(ORDERS);

  it("never pays more than the total, when many come at once", async () => {
    const orderId = await orders.make();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => orders.refund(orderId, { amount: 30 })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await orders.read(orderId)).toMatchObject({ refundedAmount: 90, paymentStatus: "partially_refunded" });
  });

  it("changes nothing when the provider refuses, and pays once when its answer was lost", async () => {
    const orderId = await orders.make();
    const before = await orders.read(orderId);
    for (const mode of ["refuses", "loses its answer"] as const) {
      orders.provider.mode = mode;
      await expect(orders.refund(orderId, { amount: 25 })).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
      expect(await orders.read(orderId)).toEqual(before);
    }
    orders.provider.mode = "works";
    expect(await orders.refund(orderId, { amount: 25 })).toMatchObject({ refundedAmount: 25 });
    expect(orders.provider.taken).toHaveLength(1);
  });

  it("pays once when its answer was lost and the provider reports it before it is asked for again", async () => {
    const orderId = await orders.make();
    orders.provider.mode = "loses its answer";
    await expect(orders.refund(orderId, { amount: 25 })).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    const { refundId } = orders.provider.taken[0]!;
    await orders.tellRefund(orderId, refundId, 2_500, "succeeded");
    orders.provider.mode = "works";
    expect(await orders.refund(orderId, { amount: 25 })).toMatchObject({
      refundedAmount: 25,
      refund: { refundId, status: "succeeded" },
    });
    expect(orders.provider.taken).toHaveLength(1);
    // It was answered now: what is asked for from here on is another refund.
    expect(await orders.refund(orderId, { amount: 25 })).toMatchObject({ refundedAmount: 50 });
  });

  it("with a key is made once, and goes on if its process died", async () => {
    const orderId = await orders.make();
    const once = { id: `${"k".repeat(30)}${orderId}`, secret: "s", request: "r" };
    orders.provider.mode = "refuses";
    await expect(orders.refund(orderId, { amount: 25 }, { once })).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    orders.provider.mode = "works";
    const { refund } = await orders.refund(orderId, { amount: 25 }, { once });
    expect((await orders.refund(orderId, { amount: 25 }, { once })).refund.refundId).toBe(refund.refundId);
    // The answer went with the process.
    const left = { $set: { heldUntil: new Date(0) }, $unset: { answer: true } } as const;
    expect(await orders.documents.collection(RUNS).updateOne({ _id: once.id }, left)).toMatchObject({ matched: 1 });
    expect(await orders.refund(orderId, { amount: 25 }, { once })).toMatchObject({
      refundedAmount: 25,
      refund: { refundId: refund.refundId, status: "succeeded" },
    });
    expect(orders.provider.taken).toHaveLength(1);
  });

  it("that the provider fails before its answer comes is no success", async () => {
    const orderId = await orders.make();
    const open = orders.provider.hold();
    const refunded = orders.refund(orderId, { amount: 40 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    await eventually(() => orders.provider.calls === 1);
    const { refundId } = (await orders.read(orderId)).refunds[0]!;
    await orders.tellRefund(orderId, refundId, 4_000, "failed");
    open();
    expect(await refunded).toMatchObject({ code: "PROVIDER_ERROR" });
    expect(await orders.read(orderId)).toMatchObject({
      paymentStatus: "paid",
      refundedAmount: 0,
      refunds: [{ status: "failed" }],
    });
  });

  it("is reported by its webhook with who asked for it", async () => {
    const orderId = await orders.make();
    const open = orders.provider.hold();
    const refunded = orders.refund(orderId, { amount: 40, reason: "other" });
    await eventually(() => orders.provider.calls === 1);
    const { refundId } = (await orders.read(orderId)).refunds[0]!;
    await orders.tell(orderId, { kind: "refunded", refundedTotal: 4_000 });
    await orders.tellRefund(orderId, refundId, 4_000, "succeeded");
    open();
    expect(await refunded).toMatchObject({ version: 2, refundedAmount: 40, refund: { status: "succeeded" } });
    const events = await orders.history(orderId, 1);
    expect(events[0]).toMatchObject({
      event_type: "ORDER_REFUNDED",
      data: { actor: "admin", reason: "other", amount: 4_000, refundId },
    });
  });

  it("of what others have refunded is refused, and the order knows it", async () => {
    const orderId = await orders.make();
    orders.provider.mode = "has refunded all";
    await expect(orders.refund(orderId, { amount: 40 })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    expect(await orders.read(orderId)).toMatchObject({ paymentStatus: "refunded", refundedAmount: 100, refunds: [] });
  });

  it("at the provider's console counts once, reported as figure and as refund", async () => {
    const orderId = await orders.make();
    await orders.tell(orderId, { kind: "refunded", refundedTotal: 3_000 });
    expect(await orders.tell(orderId, { kind: "refunded", refundedTotal: 3_000 })).toMatchObject({ changed: false });
    await orders.tell(orderId, { kind: "refund", providerRefundId: "re_x", amount: 3_000, status: "succeeded" });
    expect(await orders.read(orderId)).toMatchObject({
      refundedAmount: 30,
      paymentStatus: "partially_refunded",
      version: 2,
    });
    expect(await orders.cancel(orderId)).toMatchObject({ refund: { amount: 70 }, refundedAmount: 100 });
  });

  it("is not said to have changed nothing while the store is away, and is resumed", async () => {
    const orderId = await orders.make();
    orders.provider.mode = "has no store";
    const refused: unknown = await orders.refund(orderId, { amount: 40 }).catch((error: unknown) => error);
    expect(toHttpError(refused)).toMatchObject({ status: 504, code: "TIMEOUT", headers: {} });
    expect(await orders.read(orderId)).toMatchObject({ refunds: [{ amount: 40, status: "pending" }] });
    await expect(orders.refund(orderId, { amount: 61 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    orders.provider.mode = "works";
    await stored().updateOne({ _id: orderId }, { $set: { resumeAt: new Date(0) } });
    await eventually(async () => (await orders.read(orderId)).refundedAmount === 40);
    expect(orders.provider.taken).toHaveLength(1);
  });
});

describe("A refund or a cancellation that the store goes away in", () => {
  it("is not said to have changed nothing, and is finished when the store is back", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "partline-refund-"));
    const store = await openDocumentStore({ dataDir });
    let isAway = false;
    // Every change of an order is an atomic batch.
    const documents = storeAway(store, (operation) => isAway && operation === "atomically");
    const orders = await startOrders({ nodes: 1, documents });
    try {
      const [refunded, cancelled] = [await orders.make(), await orders.make()];
      for (const begun of [() => orders.refund(refunded, { amount: 40 }), () => orders.cancel(cancelled)]) {
        const calls = orders.provider.calls;
        const open = orders.provider.hold();
        const answer = begun().then(
          () => "done",
          (error: unknown) => error,
        );
        await eventually(() => orders.provider.calls > calls);
        isAway = true;
        open();
        expect(await answer).toMatchObject({ code: "TIMEOUT" });
        isAway = false;
      }
      for (const _id of [refunded, cancelled])
        await store.collection<OrderDocument>(ORDERS).updateOne({ _id }, { $set: { resumeAt: new Date(0) } });
      await eventually(
        async () =>
          (await orders.read(refunded)).refundedAmount === 40 &&
          (await orders.read(cancelled)).paymentStatus === "refunded",
      );
      expect(orders.provider.taken.map(({ amount }) => amount).sort()).toEqual([10_000, 4_000]);
    } finally {
      await orders.stop();
      await store.close();
    }
  });
});
