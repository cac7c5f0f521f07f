import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, outbox } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

describe("A shop without a dealer inventory system and a tire supplier", () => {
  const test = useStarted(() => {
    const settings = testSettings({ DIS_URL: "off", TIRE_SUPPLIER_URL: "off", PRICE_MAX_AGE: "1s" });
    return startTestBroker({ services: ["catalog", "search", "dis-router"], transport: "fake", settings });
  });
  beforeAll(async () => {
    await importPrices(test.broker, "part_number,title,list_price\n12 055 03,Belt,9.50\n", { vendor: "KOH" });
  });

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
    const isCounted = async () => (await call(test.broker, "catalog.stats", {})).counted;
    expect(await isCounted()).toBe(false);
    const [id, uncounted] = ["koh-1205504", "koh-1205503"];
    const file = "part_number,title,stock\n12 055 04,Belt,5\n";
    await importPrices(test.broker, file, { vendor: "KOH" });
    const read = () => call(test.broker, "catalog.ownStock", { id });
    expect((await read()).places).toMatchObject([{ place: "main", onHand: 5, version: 1 }]);
    expect(await isCounted()).toBe(true);
    const inStock = await call(test.broker, "search.search", { q: "belt", inStock: true });
    expect(inStock.parts.map((part) => part.id)).toEqual([id]);

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
      productId = id,
    ) => {
      const states = { status: "shipped", paymentStatus: "paid" } as const;
      const items = [{ productId, partNumber: "12 055 04", quantity }];
      const change = { orderId: "ord_1", version, actor: "user:u1", from: states, to: states, toShip: [], items };
      await test.documents.atomically([
        channel === "order.shipped"
          ? outbox(channel, { ...change, changed: ["shipments"], userId: "guest" })
          : channel === "order.shipment_cancelled"
            ? outbox(channel, { ...change, changed: ["shipments"], orderNumber: "ORD-1", shipmentId: "s" })
            : outbox(channel, {
                ...{ ...change, refundId: null, amount: 0, returnId: "ret_1" },
                items: [
                  ...items,
                  // What is damaged stays off the shelf.
                  { ...items[0]!, quantity: 3, condition: "damaged" as const },
                  { productId: uncounted, partNumber: "12 055 03", quantity: 2 },
                ],
              }),
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
    // What nobody counts stays so.
    const { places, movements: returns } = await call(test.broker, "catalog.ownStock", { id: uncounted });
    expect([places, returns]).toEqual([[], [expect.objectContaining({ cause: "return", change: 2 })]]);
    expect(returns[0]).not.toHaveProperty("place");
    // What was shipped before the first count is beside the counted pieces when it is back.
    const readUncounted = () => call(test.broker, "catalog.ownStock", { id: uncounted });
    await send("order.shipped", 6, 2, uncounted);
    await eventually(async () => (await readUncounted()).movements[0]?.change === -2);
    await call(test.broker, "catalog.countStock", { id: uncounted, onHand: 5 });
    await send("order.shipment_cancelled", 7, 2, uncounted);
    await eventually(async () => (await readUncounted()).places[0]?.onHand === 7);
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
    const { partNumber } = await call(test.broker, "catalog.get", { id });
    expect(preview.keptCounts).toEqual([{ id, partNumber, counted: 6, inFile: expect.any(Number) }]);
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
    // A shopper who comes back from the payment page finds in stock what that page holds; others find the rest.
    const cartId = "cart_1700000000000_0123456789";
    const until = new Date(Date.now() + 60_000);
    const lines = [{ productId: id, quantity: 4 }];
    await call(test.broker, "catalog.hold", { key: `cart:${cartId}`, until, lines });
    await call(test.broker, "catalog.hold", { key: "cart:later", until, lines });
    const find = async (more: { cartId?: string }) =>
      (await call(test.broker, "search.stock", { ids: [id], ...more })).results[0]!.supply;
    expect([await find({}), await find({ cartId })]).toMatchObject([[backorder], [{ ...shelf, pieces: 4 }, backorder]]);
    await call(test.broker, "catalog.release", { key: `cart:${cartId}` });
    await call(test.broker, "catalog.release", { key: "cart:later" });
  });

  it("takes a list of several brands, with bins and costs: a margin counts on the cost, which only staff sees", async () => {
    const file = [
      "part_number,title,brand,list_price,cost,stock,bin,reorder_point",
      "K-1,Belt,Kohler,20.00,10.00,4,A-1,5",
      "T-1,Blade,Tigerwerk,30.00,,2,,",
      "O-1,Nut,,1.00,0.40,,,",
      "",
    ].join("\n");
    const taken = { vendor: "GRP", byBrand: true };
    const preview = await importPrices(test.broker, file, { ...taken, dryRun: true, createVendors: true });
    expect(preview).toMatchObject({ written: 3, refusedTotal: 0 });
    const refused = await importPrices(test.broker, file, taken);
    expect(refused).toMatchObject({
      ...{ read: 3, written: 2, refused: [{ line: 3, code: "brand_unknown", values: { value: "Tigerwerk" } }] },
      brands: [
        { brand: "Kohler", vendor: "KOH", rows: 1 },
        { brand: "Tigerwerk", vendor: null, rows: 1 },
      ],
    });
    const whole = await importPrices(test.broker, file, { ...taken, createVendors: true });
    expect(whole).toMatchObject({ written: 1, unchanged: 2, refusedTotal: 0 });
    expect(await importPrices(test.broker, file, taken)).toMatchObject({ written: 0, unchanged: 3 });
    expect((await call(test.broker, "catalog.get", { id: "tig-t1" })).vendorName).toBe("Tigerwerk");
    const shelf = { onHand: 4, bin: "A-1", reorderPoint: 5, isLow: true };
    expect((await call(test.broker, "catalog.ownStock", { id: "koh-k1" })).places).toMatchObject([shelf]);

    const margin = { id: "koh-k1", price: { marginPercent: 50 } };
    expect(await call(test.broker, "catalog.editPart", margin)).toMatchObject({
      ...{ cost: 10, price: { list: { value: 15 } }, edits: { price: { source: 20 } } },
    });
    const { parts } = await call(test.broker, "catalog.parts", { vendor: "KOH", q: "K-1" });
    const internal = await call(test.broker, "catalog.get", { id: "koh-k1" });
    expect(internal.priceEdit).toEqual({ fixed: 15 });
    for (const part of [internal, ...parts]) expect(part).not.toHaveProperty("cost");
    // The yard is another place, and a later cost changes the price by margin.
    const yard = "part_number,title,list_price,cost,stock,bin\nK-1,Belt,20.00,12.00,1,Y-1\n";
    await importPrices(test.broker, yard, { vendor: "KOH", place: "yard" });
    expect((await call(test.broker, "catalog.ownStock", { id: "koh-k1" })).places).toMatchObject([
      shelf,
      { place: "yard", onHand: 1, bin: "Y-1" },
    ]);
    expect((await call(test.broker, "catalog.get", { id: "koh-k1" })).price).toBe(1_800);
    const emptied = await importPrices(test.broker, "part_number,list_price,cost\nK-1,,\n", { vendor: "KOH" });
    expect(emptied.remarks).toContainEqual({ code: "prices_gone", values: { count: 1, parts: "K-1" } });
    // Alone, it is the price.
    const alone = await importPrices(test.broker, "part_number,title,cost\nK-2,Belt,7.00\n", { vendor: "KOH" });
    expect(alone.remarks).toContainEqual({ code: "column_renamed", values: { name: "cost", column: "list_price" } });
    expect((await call(test.broker, "catalog.get", { id: "koh-k2" })).price).toBe(700);
  });

  it("names the days that purchases at a vendor took, once three have come", async () => {
    const id = "kaw-110137002";
    await importPrices(test.broker, "part_number,title\n11013-7002,Filter\n", { vendor: "KAW" });
    const lines = [{ id, quantity: 1 }];
    for (const _purchase of [1, 2, 3]) {
      const { purchaseId } = await call(test.broker, "catalog.createPurchase", { vendor: "KAW", lines });
      await call(test.broker, "catalog.receivePurchase", { purchaseId });
    }
    const { parts } = await call(test.broker, "catalog.stocked", { ids: [id, "koh-1"] });
    const [bought] = parts;
    // A day, and another until it is packed.
    expect(bought).toMatchObject({ id, backorderDays: 2 });
    for (const part of parts.slice(1)) expect(part.backorderDays).toBeUndefined();
    // What came is on the shelf, and is no count of it.
    const [supply] = (await call(test.broker, "catalog.supply", { ids: [id] })).parts;
    expect([supply?.own, supply?.countedAt]).toEqual([3, undefined]);
    expect((await call(test.broker, "catalog.get", { id })).stock).toMatchObject({
      own: 3,
      learntAt: expect.any(Date),
    });
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

  it("has no vendor that a dealer or supplier prices, and no job that asks one", async () => {
    const { vendors } = await call(test.broker, "catalog.vendors", {});
    expect(new Set(vendors.map(({ pricing }) => pricing))).toEqual(new Set(["manual"]));
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
