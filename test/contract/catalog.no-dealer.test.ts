import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
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
