import { describe, expect, it } from "@jest/globals";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ulid } from "ulid";
import type { AtomicWrite, DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { call, type Actions, type StoredEvent } from "../../services/contracts.ts";
import type { Input } from "@partline/api-contracts";
import { CHECKPOINTS, ROWS, type Checkpoint } from "../../services/analytics/collections.ts";
import { createProjector, PROJECTIONS } from "../../services/analytics/projector.ts";
import { createReports } from "../../services/analytics/reports.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

describe("The analytics service", () => {
  const test = useStarted(() =>
    startTestBroker({
      services: ["eventstore", "analytics", "analytics"],
      transport: "fake",
      settings: testSettings(mongoSetting("analytics")),
    }),
  );

  const append = (aggregate_type: string, event_type: string, aggregate_id: string, data: Record<string, unknown>) =>
    call(test.broker, "eventstore.append", { aggregate_id, aggregate_type, event_type, data });
  const order = (orderId: string, fields: Record<string, unknown> = {}) =>
    append("order", "ORDER_CREATED", orderId, {
      orderId,
      sessionId: `cs_${orderId}`,
      total: 10_000,
      currency: "usd",
      paymentStatus: "paid",
      createdAt: new Date().toISOString(),
      items: [{ productId: "kaw-1", partNumber: "1", name: "Carburetor", quantity: 2, price: 4_000 }],
      ...fields,
    });
  const change = (orderId: string, version: number, from: string, to: string, fields: Record<string, unknown> = {}) =>
    append("order", "ORDER_UPDATED", orderId, {
      orderId,
      version,
      from: { status: "pending", paymentStatus: from },
      to: { status: "pending", paymentStatus: to },
      ...fields,
    });
  const search = (query: string, results_count: number) =>
    append("search", "SEARCH_PERFORMED", `search_${ulid()}`, { query, results_count });
  const standings = async () => (await call(test.broker, "analytics.projections", {})).projections;
  const caughtUp = () =>
    eventually(async () => (await standings()).every(({ behind, rebuilding }) => behind === 0 && rebuilding === null));
  const overview = (params: Input<Actions["analytics.overview"]> = {}) =>
    call(test.broker, "analytics.overview", params);
  const checkpoints = () => test.documents.collection<Checkpoint>(CHECKPOINTS).find({}, { sort: { _id: 1 } });

  it("counts what is recorded, and says until when", async () => {
    const [late, yen] = [ulid(), ulid()];
    await append("cart", "CART_SAVED", "cart_1", { cartId: "c1", items: 1, subtotal: 8_000 });
    await append("checkout", "CHECKOUT_STARTED", "cs_1", {
      cartId: "c1",
      sessionId: "cs_1",
      total: 10_000,
      currency: "usd",
    });
    await order(ulid(), { cartId: "c1" });
    await change(late, 2, "pending", "paid");
    await order(late, { paymentStatus: "pending", total: 5_001 });
    await append("order", "ORDER_REFUNDED", late, {
      orderId: late,
      version: 3,
      from: { status: "pending", paymentStatus: "paid" },
      to: { status: "pending", paymentStatus: "partially_refunded" },
      amount: 1_000,
    });
    await order(yen, { currency: "jpy", total: 900 });
    await search("Carburetor  FS730V", 3);
    await search("carburetor fs730v", 0);
    await search("nobody has this", 0);
    const last = await search("nobody has this", 0);
    await caughtUp();

    const found = await overview();
    expect(found).toMatchObject({
      as_of: last.timestamp,
      behind: 0,
      orders: { totalOrders: 3, byPaymentStatus: { paid: 2, partially_refunded: 1 } },
      revenue: {
        chargedOrders: 2,
        revenue: { gross: 150.01, refunded: 10, disputed: 0, net: 140.01 },
        averageOrderValue: 75.01,
        otherCurrencies: [
          { currency: "jpy", orders: 1, grossMinor: 900, refundedMinor: 0, disputedMinor: 0, netMinor: 900 },
        ],
      },
      conversion: {
        carts: { saved: 1, checkedOut: 1, paid: 1 },
        checkouts: { started: 1, paid: 1 },
        rates: { cartToCheckout: 1, checkoutToPaid: 1, cartToPaid: 1 },
      },
      searches: { searches: 4, zeroHits: 3 },
      topParts: [{ productId: "kaw-1", partNumber: "1", name: "Carburetor", quantity: 4, revenue: 160 }],
      topSearches: [
        { query: "carburetor fs730v", searches: 2, zeroHits: 1 },
        { query: "nobody has this", searches: 2, zeroHits: 2 },
      ],
    });
    expect(found.topZeroHits[0]).toEqual({ query: "nobody has this", searches: 2, zeroHits: 2 });

    const today = new Date().toISOString().slice(0, 10);
    const hourly = await call(test.broker, "analytics.revenue", { from: today, interval: "hour" });
    expect(hourly.series.reduce((sum, { gross }) => sum + gross, 0)).toBeCloseTo(150.01);
    expect(hourly.series.at(-1)!.start.getTime()).toBeLessThanOrEqual(Date.now());
    const daily = await call(test.broker, "analytics.orders", {});
    expect(daily.series).toHaveLength(30);
    expect(daily.series.at(-1)).toEqual({ start: new Date(`${today}T00:00:00Z`), orders: 3, charged: 3, cancelled: 0 });
    expect((await call(test.broker, "analytics.parts", { sort: "quantity", limit: 1 })).parts).toMatchObject([
      { productId: "kaw-1" },
    ]);
    expect((await call(test.broker, "analytics.zeroHits", { to: "2020-01-01" })).queries).toEqual([]);
    expect((await call(test.broker, "analytics.searches", {})).series.at(-1)).toMatchObject({
      searches: 4,
      zeroHits: 3,
    });
    expect((await call(test.broker, "analytics.conversion", {})).series.at(-1)).toMatchObject({
      carts: { saved: 1, paid: 1 },
      checkouts: { started: 1, paid: 1 },
    });
  });

  it("rebuilds the counts beside what is read, and puts them in place when they have caught up", async () => {
    await caughtUp();
    const before = await overview();
    const { generation } = (await standings())[0]!;
    const asked = await Promise.all([
      call(test.broker, "analytics.rebuild", {}),
      call(test.broker, "analytics.rebuild", {}),
    ]);
    for (const { projections } of asked)
      expect(projections.map(({ name }) => name)).toEqual(["orders", "conversion", "searches"]);
    const reading = (async () => {
      while ((await standings()).some(({ rebuilding }) => rebuilding !== null)) {
        expect(await overview()).toEqual({ ...before, to: expect.any(Date) });
        await nextTurn();
      }
    })();
    await caughtUp();
    await reading;
    expect(await overview()).toEqual({ ...before, to: expect.any(Date) });
    for (const standing of await standings())
      expect(standing).toMatchObject({ generation: generation + 1, state: "current", rebuilding: null });
    await eventually(async () => (await checkpoints()).every(({ retired }) => retired.length === 0));
    const ids = (await test.documents.collection(ROWS).find({})).map(({ _id }) => _id);
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(new RegExp(`^[a-z]+:${generation + 1}:`));
  });

  it("counts an event once, however many count at once and wherever they are cut off", async () => {
    const ids = Array.from({ length: 40 }, () => ulid());
    const before = await overview();
    const counting = Array.from({ length: 3 }, () =>
      createProjector(
        failingNowAndThen(test.documents),
        async (after) => (await call(test.broker, "eventstore.list", { after, limit: 3 })).events as StoredEvent[],
      ),
    );
    let done = false;
    const turns = counting.map(async ({ turn }) => {
      while (!done) await turn().then(nextTurn, (error: unknown) => expect(String(error)).toContain("cut off"));
    });
    try {
      await Promise.all(ids.map((id) => order(id, { paymentStatus: "pending", total: 100 })));
      await Promise.all(ids.map((id) => change(id, 2, "pending", "paid")));
      await caughtUp();
    } finally {
      done = true;
      await Promise.all(turns);
    }
    const after = await overview();
    expect(after.orders.totalOrders - before.orders.totalOrders).toBe(ids.length);
    expect(after.revenue.revenue.gross - before.revenue.revenue.gross).toBeCloseTo(ids.length);
    expect(after.topParts[0]!.quantity - before.topParts[0]!.quantity).toBe(2 * ids.length);
  });

  it("says that the event store lost events that are counted, also when others have filled the gap, until they are rebuilt", async () => {
    await caughtUp();
    const before = await overview();
    const { position: head } = await call(test.broker, "eventstore.head", {});
    await test.documents.collection<Checkpoint>(CHECKPOINTS).updateMany({}, { $set: { position: head + 2 } });
    await eventually(async () => (await checkpoints()).every(({ ahead }) => ahead));
    const isAhead = async () =>
      expect((await standings()).map(({ state, behind }) => [state, behind])).toEqual(
        PROJECTIONS.map(() => ["ahead", null]),
      );
    await isAhead();
    expect((await overview()).behind).toBeNull();
    for (let n = 0; n < 3; n++) await order(ulid());
    await eventually(async () => (await checkpoints()).every(({ position }) => position === head + 3));
    await isAhead();
    await call(test.broker, "analytics.rebuild", {});
    await caughtUp();
    expect((await standings()).map(({ state, position }) => [state, position])).toEqual(
      PROJECTIONS.map(() => ["current", head + 3]),
    );
    expect((await overview()).orders.totalOrders).toBe(before.orders.totalOrders + 3);
  });

  it("puts a rebuild in place at the log's end, though more was counted than the log has", async () => {
    await caughtUp();
    const before = await overview();
    const { position: head } = await call(test.broker, "eventstore.head", {});
    await test.documents.collection<Checkpoint>(CHECKPOINTS).updateMany({}, { $set: { position: head + 1_000 } });
    await call(test.broker, "analytics.rebuild", {});
    await caughtUp();
    for (const standing of await standings()) expect(standing).toMatchObject({ state: "current", position: head });
    expect(await overview()).toEqual({ ...before, to: expect.any(Date) });
  });

  it("says that it does not know how far behind it is when the event store does not answer", async () => {
    const reports = createReports({ documents: test.documents, head: async () => null });
    expect(await reports.overview({ params: {} })).toMatchObject({
      behind: null,
      orders: { totalOrders: expect.any(Number) },
    });
  });
});

it("takes no event store for shorter than what was counted whose member is a little late, as around an election", async () => {
  // A member that knows the newest event only when it makes sure.
  const late = {
    name: "eventstore",
    actions: {
      head: ({ params: { known = 0 } }: { params: { known?: number } }) => ({ position: known > 5 ? 10 : 5 }),
      list: () => ({ events: [] }),
    },
  };
  const test = await startTestBroker({ services: [() => late, "analytics"] });
  try {
    await eventually(
      async () => (await test.documents.collection<Checkpoint>(CHECKPOINTS).count({})) === PROJECTIONS.length,
    );
    await test.documents.collection<Checkpoint>(CHECKPOINTS).updateMany({}, { $set: { position: 10 } });
    for (const standing of (await call(test.broker, "analytics.projections", {})).projections)
      expect(standing).toMatchObject({ state: "current", position: 10, behind: 0 });
    expect((await call(test.broker, "analytics.overview", {})).behind).toBe(0);
  } finally {
    await test.stop();
  }
});

/** Every third write does not happen, every other third happens and is not answered. */
function failingNowAndThen(documents: DocumentStore): DocumentStore {
  let writes = 0;
  const atomically = async (batch: AtomicWrite[]) => {
    writes += 1;
    if (writes % 3 === 1) throw new Error("cut off before the write");
    const result = await documents.atomically(batch);
    if (writes % 3 === 2) throw new Error("cut off after the write");
    return result;
  };
  return new Proxy(documents, {
    get: (target, name) =>
      name === "atomically" ? atomically : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
  });
}
