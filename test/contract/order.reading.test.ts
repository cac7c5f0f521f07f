import { beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import type { Caller } from "../../broker/contract/context.ts";
import type { Rule, Rules, Input } from "@partline/api-contracts";
import { type Actions, call, outbox } from "../../services/contracts.ts";
import { ORDER_PARTS, ORDERS, type OrderDocument, type OrderPartDocument } from "../../services/order/collections.ts";
import { dayRule } from "../../services/shared/commerce.ts";
import { orderContract } from "../../services/order/contract.ts";
import { createDeriving } from "../../services/order/derived.ts";
import { createErasure } from "../../services/order/erasure.ts";
import { createOrderRepository } from "../../services/order/repository.ts";
import { WAITING_LINES } from "../../services/order/waiting.ts";
import { deliveryFields, staffFields } from "../../services/order/shape.ts";
import { eventually } from "../support/eventually.ts";
import { admin, nobody, owner, payment, startOrders } from "./order.support.ts";
import { useStarted } from "../support/use-started.ts";

describe("Reading and updating orders", () => {
  const orders = useStarted(() => startOrders());

  const stored = () => orders.documents.collection<OrderDocument>(ORDERS);
  const list = (query: object = {}) => call(orders.as(admin), "order.adminList", query);

  describe("one order", () => {
    it("has the fields of the page in currency units", async () => {
      const orderId = await orders.make();
      const order = await call(orders.as(owner()), "order.get", { orderId });
      expect(order).toEqual({
        orderId,
        orderNumber: expect.stringMatching(/^ORD-\d{8}-\d{6}$/),
        userId: "user_1",
        items: [
          {
            ...{ productId: "bns-a", partNumber: "BNS-A", name: "Part A", quantity: 2, price: 20, total: 40 },
            ...{ state: "open", quantities: { open: 2, backordered: 0, shipped: 0, cancelled: 0, returned: 0 } },
          },
          {
            ...{ productId: "bns-b", partNumber: "BNS-B", name: "Part B", quantity: 1, price: 40, total: 40 },
            ...{ state: "open", quantities: { open: 1, backordered: 0, shipped: 0, cancelled: 0, returned: 0 } },
          },
        ],
        subtotal: 80,
        tax: 5,
        shipping: 15,
        total: 100,
        currency: "usd",
        status: "pending",
        paymentStatus: "paid",
        refundedAmount: 0,
        shippingAddress: payment().shippingAddress,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
    });

    it("is its owner's and the admins'; a guest's is the admins' alone", async () => {
      const mine = await orders.make();
      const guests = await orders.make({ userId: "guest" });
      const read = (orderId: string, caller: typeof admin) => call(orders.as(caller), "order.get", { orderId });
      expect(await read(mine, { ...owner("boss"), admin: true })).toMatchObject({ orderId: mine });
      expect(await read(guests, admin)).toMatchObject({ userId: "guest" });
      await expect(read(mine, owner("user_2"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(read(guests, owner("guest"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(read(mine, nobody)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await expect(read("ord_unknown", owner())).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });

  describe("update", () => {
    it("moves one step at a time, with tracking that its owner sees and a note that he does not", async () => {
      const orderId = await orders.make();
      await expect(orders.patch(orderId, { status: "shipped" })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
      await orders.patch(orderId, { status: "processing" });
      const shipped = await orders.patch(orderId, {
        status: "shipped",
        trackingNumber: "1Z999",
        carrier: "ups",
        adminNote: "fragile",
        version: 2,
      });
      expect(shipped).toMatchObject({ status: "shipped", trackingNumber: "1Z999", adminNote: "fragile", version: 3 });
      const seen = await call(orders.as(owner()), "order.get", { orderId });
      expect(seen).toMatchObject({ status: "shipped", trackingNumber: "1Z999", carrier: "ups" });
      expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(["adminNote"]));
      await expect(orders.patch(orderId, { status: "processing" })).rejects.toMatchObject({
        code: "INVALID_TRANSITION",
      });
    });

    it("announces that it was shipped once, in place of the update, with what and for whom", async () => {
      const orderId = await orders.make();
      await orders.patch(orderId, { status: "processing" });
      await Promise.allSettled(Array.from({ length: 6 }, () => orders.patch(orderId, { status: "shipped" })));
      await orders.patch(orderId, { status: "shipped", carrier: "ups" });
      const history = await orders.history(orderId, 3);
      expect(history.map(({ event_type, version }) => [event_type, version])).toEqual([
        ["ORDER_UPDATED", 2],
        ["ORDER_SHIPPED", 3],
        ["ORDER_UPDATED", 4],
      ]);
      expect(history[1]!.data).toEqual({
        orderId,
        version: 3,
        actor: "admin",
        from: { status: "processing", paymentStatus: "paid" },
        to: { status: "shipped", paymentStatus: "paid" },
        toShip: [],
        changed: ["shipments", "status"],
        userId: "user_1",
        orderNumber: expect.stringMatching(/^ORD-\d{8}-\d{6}$/),
        shipmentId: expect.stringMatching(/^shp_/),
        items: [
          { productId: "bns-a", partNumber: "BNS-A", quantity: 2 },
          { productId: "bns-b", partNumber: "BNS-B", quantity: 1 },
        ],
      });
    });

    it("lets one of many win that saw the same version", async () => {
      const orderId = await orders.make();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) => orders.patch(orderId, { adminNote: `note ${n}`, version: 1 })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          expect(outcome.reason).toMatchObject({ code: "VERSION_CONFLICT", data: { version: 2 } });
    });

    it("loses none of many that change different things without a version", async () => {
      const orderId = await orders.make();
      await Promise.all([
        orders.patch(orderId, { status: "processing" }),
        orders.patch(orderId, { carrier: "ups" }),
        orders.patch(orderId, { trackingNumber: "1Z" }),
        orders.patch(orderId, { adminNote: "n" }),
      ]);
      expect(await orders.read(orderId)).toMatchObject({
        status: "processing",
        carrier: "ups",
        trackingNumber: "1Z",
        adminNote: "n",
        version: 5,
      });
    });
  });

  describe("lists", () => {
    const userId = `user_${ulid()}`;
    const mine: string[] = [];
    const listMine = (query: object = {}) => call(orders.as(owner(userId)), "order.listForUser", { userId, ...query });
    const ids = ({ orders: found }: { orders: { orderId: string }[] }) => found.map(({ orderId }) => orderId);
    const search = (query: Input<Actions["order.adminSearch"]>) => call(orders.as(admin), "order.adminSearch", query);
    /** The orders of all pages. */
    const walked = async (query: Input<Actions["order.adminSearch"]>, pageSize: number): Promise<string[]> => {
      const { orders: found, nextCursor } = await search({ ...query, pageSize });
      expect(found.length).toBeLessThanOrEqual(pageSize);
      const shown = ids({ orders: found });
      return nextCursor === undefined
        ? shown
        : [...shown, ...(await walked({ ...query, cursor: nextCursor }, pageSize))];
    };
    beforeAll(async () => {
      for (const [index, total] of [3_000, 1_000, 2_000].entries()) {
        mine.push(
          await orders.make({
            userId,
            total,
            items: [
              {
                productId: `p${index}`,
                partNumber: `ZZ-${index}/${userId.slice(-6)}`,
                name: "Part",
                quantity: 1,
                price: total,
              },
            ],
          }),
        );
      }
      const days = ["2024-03-01T00:00:00Z", "2024-03-02T23:59:59.999Z", "2024-03-03T12:00:00Z"];
      for (const [index, day] of days.entries())
        await stored().updateOne({ _id: mine[index]! }, { $set: { createdAt: new Date(day) } });
    });

    it("are sorted, paged and counted", async () => {
      const [first, second, third] = mine as [string, string, string];
      expect(ids(await listMine())).toEqual([third, second, first]);
      expect(ids(await listMine({ sort: "oldest" }))).toEqual([first, second, third]);
      expect(ids(await listMine({ sort: "total_desc" }))).toEqual([first, third, second]);
      expect(ids(await listMine({ sort: "total_asc" }))).toEqual([second, third, first]);
      const page = await listMine({ page: 2, pageSize: 2 });
      expect(ids(page)).toEqual([first]);
      expect(page.pagination).toEqual({ page: 2, pageSize: 2, total: 3, totalPages: 2 });
      expect(ids(await listMine({ page: 9 }))).toEqual([]);
    });

    it("are narrowed by dates, which include the last, and by states", async () => {
      const [first, second, third] = mine as [string, string, string];
      expect(ids(await listMine({ from: "2024-03-02" }))).toEqual([third, second]);
      expect(ids(await listMine({ to: "2024-03-02" }))).toEqual([second, first]);
      expect(ids(await listMine({ from: "2024-03-02T00:00:00Z", to: "2024-03-03T12:00:00Z" }))).toEqual([second]);
      await orders.patch(second, { status: "processing" });
      await orders.tell(third, { kind: "refunded", refundedTotal: 100 });
      expect(ids(await listMine({ status: "processing" }))).toEqual([second]);
      expect(ids(await listMine({ paymentStatus: "partially_refunded" }))).toEqual([third]);
      expect(ids(await listMine({ status: "delivered" }))).toEqual([]);
    });

    it("are searched by order number, id and part number, typed any way", async () => {
      const [first] = mine as [string, string, string];
      const { orderNumber } = await orders.read(first);
      for (const q of [
        orderNumber,
        orderNumber.toLowerCase(),
        first,
        `zz0${userId.slice(-6).toLowerCase()}`,
        ` ZZ-0/${userId.slice(-6)} `,
      ]) {
        expect(ids(await list({ q }))).toEqual([first]);
      }
      expect((await list({ q: orderNumber.slice(0, 12) })).pagination.total).toBeGreaterThan(3);
      expect(ids(await list({ q: "no-such-part" }))).toEqual([]);
      expect(ids(await list({ q: "--" }))).toEqual([]);
      expect(ids(await listMine({ q: orderNumber, status: "delivered" }))).toEqual([]);
    });

    it("are searched from a cursor on, in each order, with none twice or left out", async () => {
      const email = `Ada.${ulid()}@Example.com`;
      const made: string[] = [];
      for (const total of [3_000, 1_000, 3_000, 2_000, 3_000])
        made.push(await orders.make({ total, contact: { email } }));
      const at = new Date("2024-05-01T00:00:00Z");
      for (const [index, id] of made.entries()) {
        // Three of one moment: they follow by id.
        const createdAt = new Date(at.getTime() + (index < 3 ? 0 : index));
        await stored().updateOne({ _id: id }, { $set: { createdAt } });
        const rows = orders.documents.collection<OrderPartDocument>(ORDER_PARTS);
        await rows.updateMany({ orderId: id }, { $set: { createdAt } });
      }
      const [a, b, c, d, e] = made as [string, string, string, string, string];
      const oldest = [a, b, c, d, e];
      const expected = {
        newest: oldest.toReversed(),
        oldest,
        total_asc: [b, d, a, c, e],
        total_desc: [e, c, a, d, b],
      };
      for (const [sort, ids] of Object.entries(expected)) {
        const query = { email: email.toUpperCase(), sort: sort as keyof typeof expected };
        expect(await walked(query, 2)).toEqual(ids);
        expect(await walked({ ...query, q: "bns-a", from: "2024-05-01", to: "2024-05-01" }, 1)).toEqual(ids);
      }
      expect(await walked({ email, sort: "oldest", from: "2024-05-01T00:00:00.004Z" }, 1)).toEqual([e]);
      expect(await walked({ email, q: "bns-a", status: "shipped" }, 1)).toEqual([]);
      expect(await walked({ email: `other.${email}` }, 2)).toEqual([]);

      const { nextCursor } = await search({ email, pageSize: 2 });
      for (const cursor of ["x", "W10", nextCursor!.slice(0, -4)])
        await expect(search({ email, cursor })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      await expect(search({ email, cursor: nextCursor, sort: "total_asc" })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        data: [{ field: "cursor" }],
      });
    });

    it("are searched by the buyer's name until it is erased, and listed by the queues that count them", async () => {
      const name = `Jenny ${ulid()}`;
      const readCount = async () =>
        (await call(orders.as(admin), "order.adminQueues", {})).queues.find(({ queue }) => queue === "to_pack")!.count;
      const countBefore = await readCount();
      const contact = { name, email: `${ulid()}@example.com` };
      const orderId = await orders.make({ userId: "guest", contact });
      const query = { q: name.slice(3).toLowerCase(), queue: "to_pack" } as const;
      expect([ids(await search(query)), await readCount()]).toEqual([[orderId], countBefore + 1]);
      expect(ids(await list({ queue: "to_pack", pageSize: 100 }))).toContain(orderId);
      await orders.patch(orderId, { status: "processing" });
      await orders.patch(orderId, { status: "shipped", trackingNumber: `1Z ${orderId.slice(-8)}` });
      expect([ids(await search(query)), await readCount()]).toEqual([[], countBefore]);
      expect(ids(await search({ q: `z${orderId.slice(-8)}` }))).toEqual([orderId]);
      // An address typed in part is no name without its @.
      const [start = ""] = contact.email.split("example");
      await orders.make({ contact: { name: `${start.slice(0, -1)} Example`, email: "else@where.com" } });
      for (const q of [`${start}exa`, `${start.replace("@", " @ ")}EXA`])
        expect([q, ids(await search({ q }))]).toEqual([q, [orderId]]);
      const { orderNumber } = await orders.read(orderId);
      await orders.patch(orderId, { status: "delivered" });
      await call(orders.as(admin), "order.guestErase", { orderNumber, email: contact.email });
      expect(ids(await search({ q: name }))).toEqual([]);
    });

    it("are narrowed by the states of pieces, also of orders that an older version wrote", async () => {
      const email = `${ulid()}@example.com`;
      const [shipped, cancelled, part, old] = [
        await orders.make({ contact: { email } }),
        await orders.make({ contact: { email } }),
        await orders.make({ contact: { email } }),
        await orders.make({ contact: { email } }),
      ];
      await orders.patch(shipped, { status: "processing" });
      await orders.patch(shipped, { status: "shipped" });
      await orders.cancel(cancelled);
      const ship = { orderId: part, lines: [{ productId: "bns-a", quantity: 1 }] };
      await call(orders.as(admin), "order.adminShip", ship);
      const before = await stored().findOneAndUpdate(
        { _id: old },
        { $unset: { lineStates: 1, contactKey: 1, derived: 1 } },
      );
      const byState = async (lineState: "unshipped" | "open" | "backordered" | "shipped" | "cancelled" | "returned") =>
        (await walked({ email, lineState, sort: "oldest" }, 3)) as unknown;
      const items = [{ productId: "bns-a", partNumber: "A", name: "A", quantity: 1, price: 1000, backordered: 1 }];
      const waiting = await orders.make({ contact: { email }, items });
      expect(await byState("open")).toEqual([part]);
      expect(await byState("backordered")).toEqual([waiting]);
      const readLines = () => orders.documents.collection(WAITING_LINES).find({ _id: `${waiting}:0` });
      const linesBefore = await readLines();
      expect(linesBefore).toMatchObject([{ productId: "bns-a", quantity: 1 }]);
      await orders.documents.collection(WAITING_LINES).deleteOne({ _id: `${waiting}:0` });
      await stored().updateOne({ _id: waiting }, { $set: { derived: 6 } });
      expect(await byState("unshipped")).toEqual([part, waiting]);
      expect(await byState("shipped")).toEqual([shipped, part]);
      expect(await byState("cancelled")).toEqual([cancelled]);
      expect(await byState("returned")).toEqual([]);
      expect(ids(await list({ lineState: "open", pageSize: 100 }))).toContain(part);

      const deriving = createDeriving(createOrderRepository(orders.documents, orders.channels));
      expect(await deriving.isNeeded()).toBe(true);
      await deriving.run();
      expect(await deriving.isNeeded()).toBe(false);
      expect(await byState("open")).toEqual([part, old]);
      expect(await readLines()).toEqual(linesBefore);
      expect(await byState("unshipped")).toEqual([part, old, waiting]);
      expect(await orders.read(old)).toMatchObject({ version: before!.version, updatedAt: before!.updatedAt });
    });

    it("are a user's own, and everybody's for admins", async () => {
      await expect(call(orders.as(owner()), "order.listForUser", { userId })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      expect(ids(await call(orders.as(admin), "order.listForUser", { userId }))).toHaveLength(3);
      expect(
        (await call(orders.as(owner("nobody_yet")), "order.listForUser", { userId: "nobody_yet" })).orders,
      ).toEqual([]);
      expect((await listMine()).orders[0]).not.toHaveProperty("version");
      expect((await list({ pageSize: 1 })).orders[0]).toHaveProperty("version");
    });

    it("become the user's if a guest placed them with the same verified address, once", async () => {
      const [sub, email] = [`user_${ulid()}`, `${ulid()}@example.com`.toLowerCase()];
      const guest = { userId: "guest", contact: { email: email.toUpperCase(), name: "Ada" } };
      const [first, second] = [await orders.make(guest), await orders.make(guest)];
      const others = await orders.make({ contact: { email }, userId: "user_2" });
      const listAs = async (userId: string, claims: { email?: string; emailVerified?: true }) => {
        const caller: Caller = { admin: false, user: { ...owner(sub).user!, ...claims } };
        return ids(await call(orders.as(caller), "order.listForUser", { userId }));
      };
      expect(await listAs(sub, { email })).toEqual([]);
      expect(await listAs(sub, { emailVerified: true })).toEqual([]);
      expect(await listAs(sub, { email: `x${email}`, emailVerified: true })).toEqual([]);
      const lists = await Promise.all([1, 2].map(() => listAs(sub, { email, emailVerified: true })));
      for (const list of lists) expect(list.sort()).toEqual([first, second].sort());
      expect(await orders.read(others)).toMatchObject({ userId: "user_2", version: 1 });
      const history = await eventually(async () => {
        const events = await orders.history(first);
        return events.length > 0 && events;
      });
      expect(history).toMatchObject([{ data: { actor: `user:${sub}`, changed: ["userId"] } }]);
    });

    it("give statistics of the period", async () => {
      const stats = await call(orders.as(admin), "order.adminStats", { from: "2024-03-01", to: "2024-03-02" });
      expect(stats).toMatchObject({
        totalOrders: 2,
        revenue: { gross: 40, refunded: 0, net: 40 },
        averageOrderValue: 20,
      });
      expect(stats.byDay.map(({ date }) => date)).toEqual(["2024-03-01", "2024-03-02"]);
      const all = await call(orders.as(admin), "order.adminStats", {});
      expect(all.totalOrders).toBe(await stored().count({}));
    });
  });

  it("keeps notes of staff, which name who wrote them and reach neither its owner nor an event", async () => {
    const userId = `user_${ulid()}`;
    const orderId = await orders.make({ userId });
    const note = (text: string) => call(orders.as(admin), "order.adminNote", { orderId, text });
    await note("Ada called");
    const { notes, version } = await note("<b>Deliver</b> after 17:00");
    expect({ notes, version }).toEqual({
      notes: [
        { noteId: expect.stringMatching(/^note_/), text: "Ada called", actor: "admin", createdAt: expect.any(String) },
        expect.objectContaining({ text: "<b>Deliver</b> after 17:00" }),
      ],
      version: 3,
    });
    expect(await call(orders.as(owner(userId)), "order.get", { orderId })).not.toHaveProperty("notes");
    const remove = () => call(orders.as(admin), "order.adminRemoveNote", { orderId, noteId: notes![0]!.noteId });
    expect((await remove()).notes).toEqual([notes![1]]);
    await expect(remove()).rejects.toMatchObject({ code: "NOT_FOUND" });
    const events = await orders.history(orderId, 3);
    expect(events.at(-1)!.data).toMatchObject({ actor: "admin", changed: ["notes"] });
    expect(JSON.stringify(events)).not.toMatch(/Ada|Deliver/);
    await call(orders.as(admin), "order.adminShip", { orderId });
    await orders.patch(orderId, { status: "delivered" });
    await orders.documents.atomically([outbox("user.deleted", { userId })]);
    orders.channels.wake();
    await eventually(async () => (await orders.read(orderId)).notes === undefined);
  });

  it("keeps the orders of a deleted user under a pseudonym, and nothing that names the person", async () => {
    const userId = `user_${ulid()}`;
    const orderId = await orders.make({ userId });
    const other = await orders.make();
    await orders.patch(orderId, { adminNote: "ask Ada" });
    await orders.cancel(orderId, {}, owner(userId));
    const actor = `user:${userId}`;
    const ids = { shipmentId: "shp_1", parcelId: "parcel_1" };
    const labels = [{ ...ids, state: "voiding" as const, carrier: "USPS", cost: "7.35", url: "https://x.example/Ada" }];
    const labelling = { ...ids, rateId: "rate_1", request: { adminNote: "ask Ada" }, actor };
    await stored().updateOne({ _id: orderId }, { $set: { labels, labelling, packed: { items: [], actor, at: "" } } });
    await orders.documents.atomically([outbox("user.deleted", { userId })]);
    orders.channels.wake();
    const erased = await eventually(async () => {
      const order = await orders.read(orderId);
      return order.userId !== userId && order;
    });
    expect(erased.userId).toMatch(/^deleted-[0-9A-Z]{26}$/);
    const { labelling: started, ...waiting } = (await stored().findOne({ _id: orderId }))!;
    expect(started).toMatchObject({ ...ids, rateId: "rate_1", actor: `user:${erased.userId}` });
    expect(waiting).toMatchObject({ erasing: "account_deleted", shippingAddress: { name: "Ada Mechanic" } });
    await stored().replaceOne({ _id: orderId }, waiting);
    await createErasure(orders.documents, createOrderRepository(orders.documents, orders.channels)).eraseDone();
    expect(await orders.read(orderId)).toMatchObject({
      total: 100,
      status: "cancelled",
      version: 4,
      cancellation: { actor: `user:${erased.userId}` },
      labels: [{ ...ids, state: "voiding" }],
    });
    const kept = await stored().findOne({ _id: orderId });
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`Ada|555 0100|Main|${userId}`));
    expect(await orders.read(other)).toMatchObject({ userId: "user_1", shippingAddress: { name: "Ada Mechanic" } });

    expect(await call(orders.as(admin), "order.exportForUser", { userId: erased.userId })).toMatchObject({
      orders: [{ orderId, createdAt: expect.any(Date) }],
    });

    // The same message again, and an order whose payment was on its way.
    await orders.documents.atomically([outbox("user.deleted", { userId })]);
    orders.channels.wake();
    const late = await orders.make({ userId });
    expect(await orders.read(late)).toMatchObject({ userId: erased.userId });
    expect(await orders.read(orderId)).toMatchObject({ version: 4 });
    expect((await orders.read(late)).shippingAddress).toBeUndefined();
  });

  it("erases every text that an order keeps of a person: a field is marked personal, or named here", async () => {
    // `shippingUnderpaid` has names of zones.
    const ofGoods =
      /^(?:paymentKey|sessionId|paymentIntentId|cartId|hold|pickupPlace|(?:items|taxes|shippingMethod|shippingUnderpaid)\.\w+|trackingNumber|carrier)$/i;
    const { createFromPayment } = orderContract.actions;
    const userId = `user_${ulid()}`;
    const given = filled(createFromPayment.params) as ReturnType<typeof payment>;
    const placed = { ...given, userId, currency: "usd" };
    const { orderId } = await call(orders.broker, "order.createFromPayment", placed);
    await orders.patch(orderId, filled({ ...deliveryFields, ...staffFields }));
    const kept = () => stored().findOne({ _id: orderId });
    const texts = async () => [...JSON.stringify(await kept()).matchAll(/is:([\w.]+)/g)].map(([, path]) => path!);
    expect(await texts()).toEqual(expect.arrayContaining(["adminNote", "shippingAddress.street"]));
    const exported = () => call(orders.as(owner(userId)), "order.exportForUser", { userId });
    const { shippingAddress } = placed;
    expect((await exported()).orders).toEqual([
      expect.objectContaining({ orderId, createdAt: expect.any(Date), shippingAddress }),
    ]);
    await expect(call(orders.as(owner()), "order.exportForUser", { userId })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await stored().updateOne({ _id: orderId }, { $set: { status: "delivered" } });
    await orders.documents.atomically([outbox("user.deleted", { userId })]);
    orders.channels.wake();
    await eventually(async () => (await kept())?.userId !== userId);
    expect((await texts()).filter((path) => !ofGoods.test(path))).toEqual([]);
  });
});

/** Something for every field, texts by their paths. */
function filled(fields: Rules, at = ""): Record<string, unknown> {
  const of = (rule: Rule, path: string): unknown => {
    switch (rule.type) {
      case "string":
        return rule.words === dayRule.words ? "2999-12-01" : `is:${path}`;
      case "number":
        return rule.min ?? 1;
      case "enum":
        return rule.values[0];
      case "array":
        return [of(rule.items, path)];
      case "object":
        return filled(rule.props, `${path}.`);
      case "record":
        return { any: of(rule.value, path) };
      case "any":
      case "boolean":
        return true;
      case "date":
        throw new Error(`No example of ${rule.type} for ${path}`);
    }
  };
  return Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, of(rule, `${at}${name}`)]));
}
