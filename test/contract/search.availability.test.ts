import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { fakeClock } from "../support/fake-clock.ts";
import { call } from "../../services/contracts.ts";
import { catalogParts, DEALER, startTestDealer, type TestDealer } from "../support/dealer-sandbox.ts";
import { eventually } from "../support/eventually.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const [part] = catalogParts("KOH").filter(({ status, listPrice }) => status === "active" && listPrice !== "");

describe("Availability while the supplier is silent", () => {
  let dealer: TestDealer;
  let test: TestBroker;
  beforeAll(async () => {
    dealer = await startTestDealer();
    const settings = testSettings({ DIS_URL: dealer.url, DIS_API_KEY: DEALER.apiKey, DIS_DEALER_ID: DEALER.dealerId });
    test = await startTestBroker({ services: ["catalog", "search", "dis-router"], transport: "fake", settings });
    const file = `part_number,title,list_price\n${part!.partNumber},Belt,${part!.listPrice}\n`;
    await importPrices(test.broker, file, { vendor: "KOH" });
  });
  afterAll(() => Promise.all([test.stop(), dealer.close()]));
  afterEach(() => void jest.useRealTimers());

  it("is what it said before, with its age and the reason, within the deadline", async () => {
    const ask = async () =>
      (await call(test.broker, "search.aiAvailability", { partNumbers: [part!.partNumber] })).results[0]!;
    const live = await ask();
    expect(live).toMatchObject({ live: true, ageSeconds: 0, reason: null, stock: expect.any(Number) });
    // What was shown is soon what a checkout asks for, and what a search shows.
    await eventually(
      async () => (await call(test.broker, "catalog.get", { id: live.id! })).stock?.quantityOnHand === live.stock,
    );
    const { items } = await call(test.broker, "catalog.price", { items: [{ productId: live.id!, partNumber: "" }] });
    expect(items[0]!.price).toBe(Math.round(live.price! * 100));
    const shown = await eventually(async () => {
      const [hit] = (await call(test.broker, "search.search", { q: part!.partNumber })).parts;
      return hit?.unitPrice === live.price && hit?.availability === live.availability && hit;
    });
    expect(shown.id).toBe(live.id);
    // The clock alone moves on; timers run.
    fakeClock({ now: Date.now() + 61_000, advanceTimers: true });
    await dealer.fault("stall");
    const startedAt = performance.now();
    const later = await ask();
    // Other calls have ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(later).toEqual({ ...live, live: false, ageSeconds: expect.any(Number), reason: "timed_out" });
    expect(later.ageSeconds).toBeGreaterThanOrEqual(61);
    // A page of a list waits less.
    const askedAt = performance.now();
    const { results } = await call(test.broker, "search.stock", { ids: [live.id!] });
    expect(performance.now() - askedAt).toBeLessThan(1_500);
    const supply = [{ from: "dealer", pieces: live.stock }, { from: "backorder" }];
    expect(results).toMatchObject([{ id: live.id, stock: live.stock, live: false, reason: "timed_out", supply }]);
  });
});
