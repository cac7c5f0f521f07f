import { AUDIT, type AuditEntry } from "../../broker/audit/entry.ts";
import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import type { Input } from "@partline/api-contracts";
import { LONGEST_LIFE_DAYS, ORDER_LINK, createSignedTokens } from "../../mixins/http/signed-token.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { createErasure } from "../../services/order/erasure.ts";
import { createOrderRepository } from "../../services/order/repository.ts";
import { admin, nobody, owner, useOrders } from "./order.support.ts";

const whole = { name: "Ada", street: "1 Main St", city: "Reno", state: "NV", postalCode: "89501", country: "US" };
const a = (quantity: number) => [{ productId: "bns-a", quantity }];

describe("Delivering orders", () => {
  const orders = useOrders();
  const asAdmin = <K extends keyof Actions & `order.admin${string}`>(action: K, params: Input<Actions[K]>) =>
    call(orders.as(admin), action, params);
  const eventTypes = async (orderId: string, count: number) =>
    (await orders.history(orderId, count)).map(({ event_type }) => event_type);

  it("ships in parts, one event each; of two shipments of the same piece at once one is refused", async () => {
    const orderId = await orders.make();
    const both = await Promise.allSettled(
      ["ups", "usps"].map((carrier) => asAdmin("order.adminShip", { orderId, lines: a(2), carrier })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "INVALID_TRANSITION", data: [{ productId: "bns-a", quantity: 2, left: 0 }] },
    });
    const rest = await asAdmin("order.adminShip", { orderId, carrier: "ups", trackingNumber: "1Z" });
    expect(rest).toMatchObject({ status: "shipped", trackingNumber: "1Z", shipments: [{}, { trackingNumber: "1Z" }] });
    expect(rest.items.map(({ state }) => state)).toEqual(["shipped", "shipped"]);
    expect(await eventTypes(orderId, 2)).toEqual(["ORDER_SHIPPED", "ORDER_SHIPPED"]);
    await expect(
      asAdmin("order.adminShip", { orderId, lines: [{ productId: "none", quantity: 1 }] }),
    ).rejects.toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "lines[0].productId" }] });
  });

  it("says by whom and under which number a shipment travels, and when the order was delivered", async () => {
    const orderId = await orders.make();
    const { orderNumber } = await orders.read(orderId);
    for (const blank of [{ carrier: " " }, { trackingNumber: "  " }])
      await expect(asAdmin("order.adminShip", { orderId, ...blank })).rejects.toMatchObject({ code: 422 });
    await expect(asAdmin("order.adminSetContact", { orderId, name: " " })).rejects.toMatchObject({ code: 422 });
    await asAdmin("order.adminShip", { orderId, carrier: "UPS", trackingNumber: "1Z 9" });
    await orders.patch(orderId, { status: "delivered" });
    expect(await eventTypes(orderId, 2)).toEqual(["ORDER_SHIPPED", "ORDER_DELIVERED"]);
    const [left, arrived] = (await orders.history(orderId)).map(({ data }) => data);
    expect(left).toMatchObject({
      orderNumber,
      carrier: "UPS",
      trackingNumber: "1Z 9",
      trackingUrl: "https://www.ups.com/track?tracknum=1Z%209",
    });
    expect(arrived).toMatchObject({ orderNumber, changed: ["status"], to: { status: "delivered" } });
  });

  it("cancels lines with their refund, or not at all", async () => {
    const orderId = await orders.make();
    orders.provider.mode = "refuses";
    await expect(asAdmin("order.adminCancelLines", { orderId, lines: a(1) })).rejects.toMatchObject({
      code: "PROVIDER_ERROR",
    });
    expect((await orders.read(orderId)).items[0]).toMatchObject({ quantities: { open: 2, cancelled: 0 } });
    orders.provider.mode = "works";
    expect(await asAdmin("order.adminCancelLines", { orderId, lines: a(1) })).toMatchObject({
      status: "pending",
      refundedAmount: 21.25,
      refund: { amount: 21.25, status: "succeeded" },
    });
    expect(orders.provider.taken).toHaveLength(1);
    expect(await eventTypes(orderId, 1)).toEqual(["ORDER_LINES_CANCELLED"]);
  });

  it("takes pieces back for a refund less the fee, once", async () => {
    const orderId = await orders.make();
    await asAdmin("order.adminShip", { orderId });
    const expected = await asAdmin("order.adminReturn", { orderId, lines: a(1), restockingFee: 5 });
    const { returnId } = expected.returns![0]!;
    expect(expected.returns).toEqual([expect.not.objectContaining({ receivedAt: expect.anything() })]);
    const received = await Promise.all(
      [1, 2].map(() => asAdmin("order.adminReceiveReturn", { orderId, returnId }).catch((error: unknown) => error)),
    );
    expect(received).toContainEqual(expect.objectContaining({ refundedAmount: 16.25 }));
    expect(orders.provider.taken.map(({ amount }) => amount)).toEqual([1_625]);
    expect(await orders.read(orderId)).toMatchObject({
      items: [{ quantities: { shipped: 1, returned: 1 } }, {}],
      returns: [{ returnId, receivedAt: expect.any(String) }],
      refunds: [{ returnId }],
    });
    await expect(asAdmin("order.adminReceiveReturn", { orderId, returnId: "ret_none" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(asAdmin("order.adminReturn", { orderId, lines: a(2) })).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
    });
  });

  it("lists orders without a whole address, until their owner or the shop gives it", async () => {
    const userId = `user_${ulid()}`;
    const orderId = await orders.make({ userId, shippingAddress: { name: "Ada" } });
    const lacking = async () =>
      (await asAdmin("order.adminList", { addressMissing: true, pageSize: 100 })).orders.map((one) => one.orderId);
    expect(await lacking()).toContain(orderId);
    await expect(asAdmin("order.adminShip", { orderId })).rejects.toMatchObject({ code: "ADDRESS_MISSING" });
    const set = (caller: typeof admin, shippingAddress: object) =>
      call(orders.as(caller), "order.setShippingAddress", { orderId, shippingAddress });
    await expect(set(nobody, whole)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(set(owner("user_2"), whole)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(set(owner(userId), { ...whole, country: "Utopia" })).rejects.toMatchObject({
      data: [{ field: "shippingAddress.country" }],
    });
    expect(await set(owner(userId), whole)).toMatchObject({ shippingAddress: whole });
    expect(await lacking()).not.toContain(orderId);
    expect(await eventTypes(orderId, 1)).toEqual(["ORDER_UPDATED"]);
    expect(JSON.stringify(await orders.history(orderId))).not.toContain("Main St");
  });

  it("lets who has the link of a mail act as the buyer, for 90 days", async () => {
    const orderId = await orders.make({ userId: "guest", shippingAddress: { name: "Ada", country: "US" } });
    const DAY_MS = 24 * 60 * 60_000;
    const signed = (purpose: string, daysAgo: number) =>
      createSignedTokens(orders.documents, () => new Date(Date.now() - daysAgo * DAY_MS)).sign(
        purpose,
        { orderId },
        LONGEST_LIFE_DAYS * DAY_MS,
      );
    const token = await signed(ORDER_LINK, 89);
    const byLink = orders.as(nobody);
    for (const none of [await signed(ORDER_LINK, 91), await signed("shipping-quote", 0), `${token}A`, "none"]) {
      for (const asked of [
        call(byLink, "order.byLink", { token: none }),
        call(byLink, "order.setAddressByLink", { token: none, shippingAddress: whole }),
        call(byLink, "order.cancelByLink", { token: none }),
        call(byLink, "order.invoiceByLink", { token: none, file: {} }),
      ])
        await expect(asked).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await call(byLink, "order.byLink", { token })).toMatchObject({ orderId, addressMissing: true });
    const partly = { ...whole, city: "" };
    await expect(call(byLink, "order.setAddressByLink", { token, shippingAddress: partly })).rejects.toMatchObject({
      data: [{ field: "shippingAddress.city" }],
    });
    const set = await call(byLink, "order.setAddressByLink", { token, shippingAddress: whole });
    expect(set).toMatchObject({ shippingAddress: whole });
    expect(set).not.toHaveProperty("addressMissing");
    expect(await call(byLink, "order.invoiceByLink", { token, file: {} })).toMatchObject({ status: 200 });
    expect(await call(byLink, "order.cancelByLink", { token })).toMatchObject({
      status: "cancelled",
      refund: { amount: 100 },
    });
    expect(await orders.read(orderId)).toMatchObject({ cancellation: { actor: "link" } });
    expect(orders.provider.taken).toHaveLength(1);
  });

  it("exports what a guest's order keeps of a person, and erases it once the order is done", async () => {
    const contact = { email: "Ada@example.com", name: "Ada" };
    const orderId = await orders.make({ userId: "guest", contact, shippingAddress: whole });
    const { orderNumber } = await orders.read(orderId);
    const guest = { email: "ada@example.com", orderNumber };
    await expect(
      call(orders.as(admin), "order.guestExport", { ...guest, email: "eve@example.com" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await call(orders.as(admin), "order.guestExport", guest)).toMatchObject({ contact, shippingAddress: whole });
    const waiting = await call(orders.broker, "order.guestErase", guest, { meta: { caller: admin, audit: true } });
    expect(waiting).toEqual({ orderId, erased: [], waitsFor: ["to_pack"] });
    const erasure = createErasure(orders.documents, createOrderRepository(orders.documents, orders.channels));
    await erasure.eraseDone();
    expect(await orders.read(orderId)).toMatchObject({ contact, shippingAddress: whole });
    const shipped = await asAdmin("order.adminShip", { orderId });
    expect(shipped).toMatchObject({ erasing: "guest_request", status: "shipped" });
    await asAdmin("order.adminReturn", { orderId, lines: a(1), reason: "other" });
    const expecting = await call(orders.as(admin), "order.guestErase", guest);
    expect(expecting).toMatchObject({ erased: [], waitsFor: ["return_expected", "undelivered"] });
    const { returnId } = (await orders.read(orderId)).returns![0]!;
    await asAdmin("order.adminCancelReturn", { orderId, returnId });
    await erasure.eraseDone();
    expect(await orders.read(orderId)).toMatchObject({ contact, erasing: "guest_request" });
    const stored = orders.documents.collection<OrderDocument>(ORDERS);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const { shipmentId, items } = shipped.shipments![0]!;
    const letShip = (times: { createdAt: string; failedAt?: string }) =>
      stored.updateOne({ _id: orderId }, { $set: { shipments: [{ shipmentId, items, ...times }] } });
    // One that comes back counts from the day of that news.
    for (const times of [{ createdAt: daysAgo(13) }, { createdAt: daysAgo(30), failedAt: daysAgo(13) }]) {
      await letShip(times);
      await erasure.eraseDone();
      expect(await orders.read(orderId)).toMatchObject({ contact });
    }
    await letShip({ createdAt: daysAgo(14) });
    await erasure.eraseDone();
    expect(JSON.stringify(await orders.read(orderId))).not.toMatch(/Ada|Main St|erasing/);
    await expect(call(orders.as(admin), "order.guestExport", guest)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await call(orders.as(admin), "order.guestErase", guest)).toEqual({ orderId, erased: [] });
    const audit = () => orders.documents.collection<AuditEntry>(AUDIT).find({ objectId: orderId }, { sort: { at: 1 } });
    const [asked, done] = await audit();
    expect(asked).toMatchObject({ actor: "admin", outcome: "waiting", changes: [{ after: "to_pack" }] });
    expect(done).toMatchObject({ action: "order.guestErase", actor: "system", outcome: "done" });
    expect(done!.changes).toContainEqual({ field: expect.any(String), before: null, after: "contact" });
    const { data } = (await orders.history(orderId, 4)).at(-1)!;
    expect(data).toMatchObject({
      reason: "guest_request",
      erased: expect.arrayContaining(["contact", "shippingAddress"]),
    });
    // What is entered again is erased in turn.
    await asAdmin("order.adminSetContact", { orderId, email: "ada@example.com" });
    await erasure.eraseDone();
    expect(await orders.read(orderId)).not.toHaveProperty("contact");
    expect(await audit()).toHaveLength(3);
  });

  it.each(["end.@example.com", "two..dots@example.com", ".start@example.com", '"q"@example.com'])(
    "finds, exports and erases an order by any address that the payment page took: %s",
    async (email) => {
      const orderId = await orders.make({ userId: "guest", contact: { email } });
      const { orderNumber } = await orders.read(orderId);
      const as = orders.as(admin);
      const typed = ` ${email.toUpperCase()} `;
      const found = await call(as, "order.adminSearch", { email: typed });
      expect(found.orders.map(({ orderId }) => orderId)).toContain(orderId);
      const guest = { email: typed, orderNumber };
      expect(await call(as, "order.guestExport", guest)).toMatchObject({ contact: { email } });
      expect(await call(as, "order.guestErase", guest)).toMatchObject({ orderId, waitsFor: ["to_pack"] });
      for (const blank of ["", "  "]) {
        await expect(call(as, "order.adminSearch", { email: blank })).rejects.toMatchObject({ code: 422 });
        await expect(call(as, "order.guestExport", { ...guest, email: blank })).rejects.toMatchObject({ code: 422 });
      }
    },
  );

  it("gives and erases nothing of a guest whose order has a phone number only", async () => {
    const contact = { phone: "+1 775 555 0100" };
    const orderId = await orders.make({ userId: "guest", contact, shippingAddress: whole });
    const guest = { email: "eve@example.com", orderNumber: (await orders.read(orderId)).orderNumber };
    for (const action of ["order.guestExport", "order.guestErase"] as const)
      await expect(call(orders.as(admin), action, guest)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await orders.read(orderId)).toMatchObject({ contact, shippingAddress: whole });
  });
});
