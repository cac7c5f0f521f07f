import { describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { eventually } from "../support/eventually.ts";
import { admin, owner, useOrders } from "./order.support.ts";

const OPEN = { kind: "dispute", disputeId: "du_1", status: "needs_response", amount: 10_000, currency: "usd" } as const;
const b = [{ productId: "bns-b", quantity: 1 }];

describe("Orders whose payment is disputed", () => {
  const orders = useOrders();
  const disputed = async (dispute: Partial<typeof OPEN> | { status: string } = {}): Promise<string> => {
    const orderId = await orders.make();
    await orders.tell(orderId, { ...OPEN, ...dispute });
    return orderId;
  };
  const found = async (disputeState: "open" | "lost", orderId: string) =>
    (await call(orders.as(admin), "order.adminList", { disputeState, pageSize: 100 })).orders.some(
      (order) => order.orderId === orderId,
    );

  it("are listed, and say what the bank has: the dispute to admins alone", async () => {
    const orderId = await disputed({ reason: "fraudulent", dueBy: "2026-12-01T00:00:00.000Z" } as object);
    expect(await orders.read(orderId)).toMatchObject({
      paymentStatus: "paid",
      disputedAmount: 100,
      disputeState: "open",
      disputes: [{ amount: 100, reason: "fraudulent", dueBy: new Date("2026-12-01T00:00:00.000Z") }],
    });
    expect([await found("open", orderId), await found("lost", orderId)]).toEqual([true, false]);
    const seen = await call(orders.as(owner()), "order.get", { orderId });
    expect(seen).toMatchObject({ disputedAmount: 100 });
    expect(seen).not.toHaveProperty("disputes");
    await orders.tell(orderId, { ...OPEN, status: "won" });
    const won = await orders.read(orderId);
    expect([won.disputedAmount, won.disputeState, await found("open", orderId)]).toEqual([undefined, undefined, false]);
    const events = await orders.history(orderId, 2);
    expect(events.map(({ data }) => data)).toMatchObject([
      { disputedAmount: 10_000, dispute: { disputeId: "du_1", status: "needs_response", amount: 10_000 } },
      { disputedAmount: -10_000, dispute: { status: "won" } },
    ]);
  });

  it("are not shipped, unless staff say so", async () => {
    const orderId = await disputed();
    const override = { reason: "The bank said so" };
    const ship = (decision?: { override: typeof override }) =>
      call(orders.as(admin), "order.adminShip", { orderId, lines: b, ...decision });
    await expect(ship()).rejects.toMatchObject({ code: "PAYMENT_DISPUTED", data: { disputedAmount: "100.00" } });
    await orders.patch(orderId, { status: "processing" });
    await expect(orders.patch(orderId, { status: "shipped" })).rejects.toMatchObject({ code: "PAYMENT_DISPUTED" });
    expect(await ship({ override })).toMatchObject({ shipments: [{}], notes: [{ actor: "admin" }] });
    expect(await orders.patch(orderId, { status: "shipped", override })).toMatchObject({
      status: "shipped",
    });
  });

  it("are closed too where the provider knows of a dispute that nobody reported", async () => {
    orders.provider.mode = "is disputed";
    const [whole, part, amount] = [await orders.make(), await orders.make(), await orders.make()];
    expect(await orders.cancel(whole)).toMatchObject({ status: "cancelled", refund: null });
    expect(await call(orders.as(admin), "order.adminCancelLines", { orderId: part, lines: b })).toMatchObject({
      refund: { amount: 0 },
      items: [{}, { state: "cancelled" }],
    });
    await expect(orders.refund(amount, { amount: 10 })).rejects.toMatchObject({ code: "PAYMENT_DISPUTED" });
    const { calls } = orders.provider;
    await expect(orders.refund(amount, { amount: 10 })).rejects.toMatchObject({ code: "PAYMENT_DISPUTED" });
    expect(orders.provider.calls).toBe(calls);
    for (const orderId of [whole, part, amount]) expect(await orders.read(orderId)).not.toHaveProperty("refundDue");
    // What was withheld follows once the dispute is won.
    orders.provider.mode = "works";
    for (const orderId of [whole, part]) await orders.tell(orderId, { ...OPEN, status: "won" });
    await eventually(async () => (await orders.read(whole)).refundedAmount === 100);
    await eventually(async () => (await orders.read(part)).refundedAmount === 42.5);
  });

  it("of an older version have the whole charge disputed, and are found", async () => {
    const orderId = await orders.make();
    const disputes = [{ disputeId: "du_1", status: "lost", updatedAt: new Date().toISOString() }];
    const stored = orders.documents.collection<OrderDocument>(ORDERS);
    await stored.updateOne({ _id: orderId }, { $set: { disputes, derived: 1 } });
    await call(orders.as(admin), "order.adminNote", { orderId, text: "n" });
    expect(await orders.read(orderId)).toMatchObject({ disputedAmount: 100, disputeState: "lost" });
  });

  it("leave the net revenue without what disputes have", async () => {
    const period = { from: new Date(Date.now() - 60_000).toISOString() };
    const stats = () => call(orders.as(admin), "order.adminStats", period);
    const { revenue: before } = await stats();
    const orderId = await disputed({ amount: 4_000 } as object);
    const { revenue } = await stats();
    expect(revenue.gross - before.gross).toBeCloseTo(100);
    expect(revenue.disputed - before.disputed).toBeCloseTo(40);
    expect(revenue.net - before.net).toBeCloseTo(60);
    expect(await orders.cancel(orderId)).toMatchObject({ refund: { amount: 60 } });
  });
});
