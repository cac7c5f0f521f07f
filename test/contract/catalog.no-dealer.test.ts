import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call, outbox } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

describe("A shop without a dealer inventory system and a tire supplier", () => {
  let test: TestBroker;
  beforeAll(async () => {
    const settings = testSettings({ DIS_URL: "off", TIRE_SUPPLIER_URL: "off", PRICE_MAX_AGE: "1s" });
    test = await startTestBroker({ services: ["catalog", "search", "dis-router"], transport: "fake", settings });
    await importPrices(test.broker, "part_number,title,list_price\n12 055 03,Belt,9.50\n", { vendor: "KOH" });
  });
  afterAll(() => test.stop());

  it("sells at the prices of its files, regardless of their age, and asks nobody", async () => {
    const [answer] = await eventually(async () => {
      const { results } = await call(test.broker, "search.aiAvailability", { partNumbers: ["12 055 03"] });
      return results[0]?.found && results;
    });
    expect(answer).toMatchObject({ price: 9.5, live: false, reason: "not_asked" });
    const { items } = await call(test.broker, "catalog.price", { items: [{ productId: answer!.id!, partNumber: "" }] });
    expect(items).toMatchObject([{ price: 950 }]);
    expect(await call(test.broker, "dis-router.health", {})).toEqual({ dis: null });
  });

  it("sells what it counted: by file and by hand, down by shipments and up by returns, each once", async () => {
    const id = "koh-1205504";
    const file = "part_number,title,stock\n12 055 04,Belt,5\n";
    await importPrices(test.broker, file, { vendor: "KOH" });
    const read = () => call(test.broker, "catalog.ownStock", { id });
    expect((await read()).places).toMatchObject([{ place: "main", onHand: 5, version: 1 }]);

    const seen = { id, onHand: 9, version: 1, bin: "A-3", reorderPoint: 6, reason: "Counted" };
    const clerks = await Promise.allSettled([
      call(test.broker, "catalog.countStock", seen),
      call(test.broker, "catalog.countStock", { ...seen, onHand: 8 }),
    ]);
    expect(clerks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(clerks.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "VERSION_CONFLICT" } });
    await call(test.broker, "catalog.countStock", { id, onHand: 9 });

    const send = async (
      channel: "order.shipped" | "order.shipment_cancelled" | "order.returned",
      version: number,
      quantity: number,
    ) => {
      const states = { status: "shipped", paymentStatus: "paid" } as const;
      const items = [{ productId: id, partNumber: "12 055 04", quantity }];
      const change = { orderId: "ord_1", version, actor: "user:u1", from: states, to: states, toShip: [], items };
      await test.documents.atomically([
        channel === "order.shipped"
          ? outbox(channel, { ...change, changed: ["shipments"], userId: "guest" })
          : channel === "order.shipment_cancelled"
            ? outbox(channel, { ...change, changed: ["shipments"], orderNumber: "ORD-1", shipmentId: "s" })
            : outbox(channel, { ...change, refundId: null, amount: 0, returnId: "ret_1" }),
      ]);
      test.channels.wake();
    };
    await send("order.shipped", 2, 4);
    await send("order.shipped", 2, 4);
    await eventually(async () => (await read()).places[0]?.onHand === 5);
    // Two of the six were never on the shelf.
    await send("order.shipment_cancelled", 3, 6);
    await eventually(async () => (await read()).places[0]?.onHand === 9);
    await send("order.shipped", 4, 4);
    await eventually(async () => (await read()).places[0]?.onHand === 5);
    await send("order.returned", 5, 1);
    await eventually(async () => (await read()).places[0]?.onHand === 6);
    const { movements } = await read();
    expect(movements.slice(0, 2)).toMatchObject([
      { cause: "return", change: 1, onHand: 6, orderId: "ord_1" },
      { cause: "shipment", change: -4, onHand: 5, actor: "user:u1" },
    ]);
    expect(movements.filter(({ cause }) => cause === "shipment")).toHaveLength(2);
    expect((await call(test.broker, "catalog.lowStock", {})).parts).toMatchObject([{ id, onHand: 6, bin: "A-3" }]);

    // The list of prices without the column says nothing of the shelf; with it, it counts.
    await importPrices(test.broker, "part_number,title\n12 055 04,Drive belt\n", { vendor: "KOH" });
    expect((await read()).places).toMatchObject([{ onHand: 6, bin: "A-3" }]);
    // What a person counted since stays, unless the file is to replace it.
    const preview = await importPrices(test.broker, file, { vendor: "KOH", dryRun: true });
    expect(preview.remarks).toContainEqual({ code: "counts_kept", values: { parts: 1 } });
    const { remarks } = await importPrices(test.broker, file, { vendor: "KOH" });
    expect([remarks, (await read()).places[0]?.onHand]).toEqual([preview.remarks, 6]);
    const replacing = { vendor: "KOH", overwriteCounts: true, fileName: "stock.csv" };
    expect(await importPrices(test.broker, file, replacing)).toMatchObject({ written: 1 });
    expect((await read()).movements[0]).toMatchObject({
      ...{
        cause: "price_file",
        change: -1,
        onHand: 5,
        reason: "stock.csv",
        importId: expect.stringMatching(/^import_/),
      },
    });
    expect(await importPrices(test.broker, file, { vendor: "KOH" })).toMatchObject({ unchanged: 1 });
    expect((await call(test.broker, "catalog.get", { id })).stock).toMatchObject({ quantityOnHand: 5, own: 5 });
    const { results } = await call(test.broker, "search.stock", { ids: ["koh-1", id] });
    const backorder = { from: "backorder", pieces: null, readyOn: null };
    const shelf = { from: "shelf", pieces: 5, readyOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(results).toMatchObject([{ id, live: true, stock: 5, supply: [shelf, backorder] }]);
  });

  it("receives what it ordered beside other changes of the purchase, and keeps the count of a person", async () => {
    const id = "koh-1205505";
    const file = "part_number,title,stock\n12 055 05,Belt,3\n";
    await importPrices(test.broker, file, { vendor: "KOH" });
    await call(test.broker, "catalog.countStock", { id, onHand: 10 });
    const day = (expectedAt: string) => ({ vendor: "KOH", lines: [{ id, quantity: 9 }], expectedAt });
    for (const wrong of ["2031-02-31", "2020-01-01"])
      await expect(call(test.broker, "catalog.createPurchase", day(wrong))).rejects.toMatchObject({
        ...{ code: "VALIDATION_FAILED", data: [{ field: "expectedAt" }] },
      });
    const { purchaseId } = await call(test.broker, "catalog.createPurchase", day("2031-02-28"));
    const receive = () => ({ purchaseId, lines: [{ id, quantity: 1 }] });
    const changes = [1, 2, 3, 4].flatMap((turn) => [
      call(test.broker, "catalog.receivePurchase", receive()),
      call(test.broker, "catalog.updatePurchase", { purchaseId, note: `Note ${turn}` }),
    ]);
    expect(await Promise.allSettled(changes)).toEqual(
      changes.map(() => expect.objectContaining({ status: "fulfilled" })),
    );
    await expect(call(test.broker, "catalog.receivePurchase", { ...receive(), version: 1 })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
    const tooMany = { vendor: "KOH", lines: [{ id, quantity: 1_000_000 }] };
    const large = await call(test.broker, "catalog.createPurchase", tooMany);
    await expect(call(test.broker, "catalog.receivePurchase", { purchaseId: large.purchaseId })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });

    const { remarks } = await importPrices(test.broker, file, { vendor: "KOH" });
    expect(remarks).toContainEqual({ code: "counts_kept", values: { parts: 1 } });
    expect((await call(test.broker, "catalog.ownStock", { id })).places).toMatchObject([
      { onHand: 14, isByHand: true },
    ]);

    const cancel = () => call(test.broker, "catalog.cancelPurchase", { purchaseId }, { meta: { runId: "run_1" } });
    const cancelled = await cancel();
    expect(cancelled).toMatchObject({ status: "cancelled", lines: [{ received: 4 }] });
    expect(await cancel()).toEqual(cancelled);
  });

  it("has no vendor that a dealer prices, and no job that asks one", async () => {
    const { vendors } = await call(test.broker, "catalog.vendors", {});
    expect(new Set(vendors.map(({ pricing }) => pricing))).toEqual(new Set(["manual", "listing"]));
    expect((await call(test.broker, "catalog.timetable", {})).jobs).toEqual([]);
    await expect(call(test.broker, "catalog.refresh", { vendor: "KOH" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "vendor" }],
    });
    await expect(call(test.broker, "catalog.batchSync", { supplier: "kmt" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
