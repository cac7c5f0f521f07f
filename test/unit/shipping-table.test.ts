import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Place } from "@partline/toolkit/pure";
import { createTableRates, DEFAULT_TABLE, findFlaws, type ShippingTable } from "../../mixins/shipping-rates/table.ts";
import { findUnderpaid } from "../../mixins/shipping-rates/underpaid.ts";
import { createDeliveryDays } from "../../services/ai/sources/delivery-days.ts";
import { testSettings } from "../support/test-settings.ts";

const PARCEL = { weightGrams: 900, subtotal: 2_000, hazmat: false, oversize: false };
const method = (more: object = {}) => ({
  provider: "ups",
  serviceType: "ground",
  estimatedDays: 3,
  by: "weight" as const,
  steps: [{ upTo: 2, cost: 5 }, { cost: 9 }],
  ...more,
});
const table = (...methods: ReturnType<typeof method>[]): ShippingTable => ({
  weightUnit: "lb",
  defaultWeight: 1,
  zones: [{ name: "All", countries: ["*"], methods }],
});
const costs = async (of: ShippingTable, parcel: object = {}, to: object = {}) =>
  (await createTableRates(() => of).methods({ ...PARCEL, ...parcel }, { country: "US", state: "TX", ...to })).map(
    ({ cost }) => cost,
  );

describe("A table of shipping rates", () => {
  it("goes by weight in its unit, step by step, and by each begun unit above the last", async () => {
    const steps = [
      { upTo: 2, cost: 5 },
      { upTo: 10, cost: 9.99 },
      { cost: 9.99, perUnit: 0.5 },
    ];
    const at = (pounds: number) => costs(table(method({ steps })), { weightGrams: Math.floor(pounds * 453.59237) });
    const asked = await Promise.all([0.1, 2, 2.01, 10, 10.2, 13].map(at));
    expect(asked.flat()).toEqual([500, 500, 999, 999, 1_049, 1_149]);
  });

  it("counts in whole grams and cents, so that a bound belongs to its step and a whole unit is one", async () => {
    const steps = [
      { upTo: 1.15, cost: 5 },
      { upTo: 1.2, cost: 6 },
      { cost: 7, perUnit: 1 },
    ];
    const kilograms = { ...table(method({ steps })), weightUnit: "kg" as const };
    const byWeight = (weightGrams: number) => costs(kilograms, { weightGrams });
    expect(await Promise.all([1_150, 1_200, 2_200, 2_201].map(byWeight))).toEqual([[500], [600], [800], [900]]);
    const byTotal = (subtotal: number) => costs(table(method({ by: "total", steps })), { subtotal });
    expect(await Promise.all([115, 120, 220, 221].map(byTotal))).toEqual([[500], [600], [800], [900]]);
  });

  it("goes by total, is free from an amount on, and offers nothing beyond a last step with a bound", async () => {
    const steps = [
      { upTo: 50, cost: 8 },
      { upTo: 100, cost: 4 },
    ];
    const by = table(method({ by: "total", steps, freeFrom: 80 }));
    const at = (subtotal: number) => costs(by, { subtotal });
    expect(await Promise.all([5_000, 5_001, 8_000, 10_000, 10_001].map(at))).toEqual([[800], [400], [0], [0], []]);
  });

  it("takes the first zone that has the state, or the beginning of the postal code", async () => {
    const zone = { name: "Far", countries: ["US"], regions: ["AK"], postalCodes: ["995"] };
    const far = { ...zone, methods: [method({ steps: [{ cost: 50 }] })] };
    const zones = { ...table(method()), zones: [far, ...table(method()).zones] };
    expect(await costs(zones, {}, { state: "AK" })).toEqual([5_000]);
    expect(await costs(zones, {}, { postalCode: "99501" })).toEqual([5_000]);
    expect(await costs(zones, {}, { country: "CA", state: "AK" })).toEqual([500]);
  });

  it("says how long a part takes by the methods that take it, where no carrier says that", async () => {
    const settings = testSettings();
    const days = createDeliveryDays(settings);
    expect(await days({}, 55)).toEqual([2, 5]);
    expect(await days({ hazmat: true }, null)).toEqual([5, 5]);
    expect(await days({ oversize: true }, 55)).toEqual([9, 9]);
    const carriers = { sandbox: false, apiKey: "k", baseUrl: "http://carriers.test/", from: {} };
    const shipping = { ...settings.shipping, easyPost: carriers };
    expect(await createDeliveryDays({ ...settings, shipping })({}, 55)).toBeUndefined();
  });

  it("has no flaw by default", () => {
    expect(findFlaws(DEFAULT_TABLE, ["US", "CA", "GB"])).toEqual([]);
  });

  it("is taken as the guide shows it, from a file too", () => {
    const guide = readFileSync(new URL("../../docs/guides/shop.md", import.meta.url), "utf8");
    const shown = /```json\n(\{\n {2}"weightUnit"[^]*?)```/.exec(guide)![1]!;
    const file = join(mkdtempSync(join(tmpdir(), "partline-table-")), "table.json");
    writeFileSync(file, shown);
    for (const given of [shown, file])
      expect(testSettings({ SHIPPING_TABLE: given }).shop.shippingTable).toEqual(JSON.parse(shown));
  });

  /** Zones that differ from the one of all countries. */
  const zoned = (...zones: Partial<ShippingTable["zones"][number]>[]): ShippingTable => ({
    ...table(method()),
    zones: zones.map((zone) => ({ ...table(method()).zones[0]!, ...zone })),
  });
  it.each<[string, ShippingTable, string]>([
    ["a country", zoned({ countries: ["US"] }), "no zone for all of CA"],
    ["the rest of a country", zoned({ countries: ["US", "CA"], regions: ["TX"] }), "no zone for all of US"],
    ["what is heavy", table(method({ steps: [{ upTo: 2, cost: 5 }] })), "zones[0].methods has a gap"],
    ["what is between", table(method({ steps: [{ cost: 9 }, { upTo: 2, cost: 5 }] })), "steps[0].upTo is missing"],
    [
      "an order",
      table(method({ steps: [{ upTo: 2, cost: 5 }, { upTo: 2, cost: 6 }, { cost: 9 }] })),
      "steps[1].upTo is not above",
    ],
    ["names", table(method(), method()), "methods[1].serviceType is that of another method"],
    ["a way to a zone", zoned({}, { countries: ["FR"] }), "zones[1].countries is never reached"],
  ])("is refused where it lacks %s", (_what, flawed, words) => {
    const flaws = findFlaws(flawed, ["US", "CA"]).map(({ field, why }) => `${field} ${why}`);
    expect(flaws).toEqual(expect.arrayContaining([expect.stringContaining(words)]));
  });
});

describe("Shipping that was paid for another place", () => {
  const rates = createTableRates(() => DEFAULT_TABLE);
  const TEXAS = { country: "US", state: "TX", postalCode: "78701" };
  const place = fc.constantFrom<Place>(
    TEXAS,
    { country: "US", state: "NY", postalCode: "10001" },
    { country: "US", state: "TX", postalCode: "99501" },
    { country: "US", state: "HI", postalCode: "96801" },
    { country: "CA", state: "ON", postalCode: "K1A0B1" },
    { country: "US" },
    { country: "FR" },
  );
  const consignment = fc.record({
    weightGrams: fc.integer({ min: 0, max: 200_000 }),
    subtotal: fc.integer({ min: 1, max: 50_000 }),
    hazmat: fc.boolean(),
    oversize: fc.boolean(),
  });

  it("lacks what the method costs there beyond what was paid, and never less than nothing", () =>
    fc.assert(
      fc.asyncProperty(place, place, consignment, fc.nat(), async (from, to, consignment, at) => {
        const offered = await rates.methods(consignment, from);
        const method = offered[at % Math.max(1, offered.length)];
        if (!method) return;
        const paid = { consignment, to: from, method, amount: method.cost };
        const underpaid = await findUnderpaid(rates, paid, to);
        const there = await rates.methods(consignment, to);
        const same = there.find(({ serviceType }) => serviceType === method.serviceType) ?? there[0];
        const difference = same && same.cost - method.cost;
        if (from === to || (difference !== undefined && difference <= 0)) expect(underpaid).toBeUndefined();
        else
          expect(underpaid).toEqual({
            ...(difference === undefined ? {} : { amount: difference }),
            paidFor: rates.zoneOf(from),
            goesTo: rates.zoneOf(to),
          });
      }),
    ));

  it("counts what was paid beyond the cost, and no new prices", async () => {
    const parcel = { ...PARCEL, weightGrams: 2_000 };
    const anchorage = { country: "US", state: "AK", postalCode: "99501" };
    const paid = { consignment: parcel, to: TEXAS, method: { provider: "standard", serviceType: "ground" } };
    const lacking = async (amount: number, to: Place) => (await findUnderpaid(rates, { ...paid, amount }, to))?.amount;
    expect(await lacking(1_195, anchorage)).toBe(1_300);
    expect(await lacking(2_000, anchorage)).toBe(495);
    expect(await lacking(2_495, anchorage)).toBeUndefined();
    // The table was cheaper when it was paid.
    expect(await lacking(500, { country: "US", state: "NY", postalCode: "10001" })).toBeUndefined();
    expect(await lacking(500, anchorage)).toBe(1_300);
  });
});
