import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createEasyPostRates } from "../../mixins/shipping-rates/easypost.ts";
import type { Place } from "@partline/toolkit/pure";
import type { Consignment, ShippingRates } from "../../mixins/shipping-rates/port.ts";
import { createTableRates, DEFAULT_TABLE } from "../../mixins/shipping-rates/table.ts";
import { startEasyPostSandbox } from "../../packages/sandbox/src/easypost/server.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const TEXAS = { country: "US", state: "TX", postalCode: "78701" };
const ALASKA = { country: "US", state: "AK", postalCode: "99501" };
const FROM = { name: "Shop", street: "1 Depot Rd", city: "Memphis", state: "TN", postalCode: "38118", country: "US" };
const API_KEY = "EZTK_test";

const parcel = (more: Partial<Consignment> = {}): Consignment => ({
  weightGrams: 1_500,
  subtotal: 5_000,
  hazmat: false,
  oversize: false,
  ...more,
});
const nameOf = ({ provider, serviceType }: { provider: string; serviceType: string }) => `${provider} ${serviceType}`;

let easyPost: Awaited<ReturnType<typeof startEasyPostSandbox>>;
beforeAll(async () => {
  easyPost = await startEasyPostSandbox({ host: "127.0.0.1", port: 0, apiKey: API_KEY });
});
afterAll(() => easyPost.close());
const { set: fault, allWell } = createFaults(() => easyPost);
const ofEasyPost = (more: { apiKey?: string; answerMs?: number } = {}) =>
  createEasyPostRates({ apiKey: API_KEY, baseUrl: `${easyPost.url}/v2/`, from: FROM, ...more });

describe.each<[string, () => ShippingRates]>([
  ["a table", () => createTableRates(() => DEFAULT_TABLE)],
  ["EasyPost", ofEasyPost],
])("Shipping rates of %s", (_name, open) => {
  const weight = fc.integer({ min: 1, max: 40_000 });
  const destination = fc.constantFrom<Place>(TEXAS, ALASKA, { country: "CA", state: "ON", postalCode: "M5V3L9" });

  it("are methods with whole cents and days, the cheapest first", async () => {
    const methods = await open().methods(parcel(), TEXAS);
    expect(methods.length).toBeGreaterThan(1);
    for (const method of methods)
      expect(method).toEqual({
        provider: expect.any(String),
        serviceType: expect.any(String),
        cost: expect.any(Number),
        estimatedDays: expect.any(Number),
      });
    expect(methods.every(({ cost }) => Number.isInteger(cost) && cost > 0)).toBe(true);
    expect(methods.map(({ cost }) => cost)).toEqual(methods.map(({ cost }) => cost).sort((a, b) => a - b));
  });

  it("do not fall as the weight rises, and are the same for the same again", async () => {
    const rates = open();
    await fc.assert(
      fc.asyncProperty(destination, weight, weight, async (to, one, other) => {
        const [light, heavy] = await Promise.all(
          [Math.min(one, other), Math.max(one, other)].map((weightGrams) => rates.methods(parcel({ weightGrams }), to)),
        );
        for (const method of heavy!) {
          const before = light!.find((candidate) => nameOf(candidate) === nameOf(method));
          if (before) expect(method.cost).toBeGreaterThanOrEqual(before.cost);
        }
        expect(await rates.methods(parcel({ weightGrams: Math.max(one, other) }), to)).toEqual(heavy);
      }),
      { numRuns: 20 },
    );
  });

  it("are narrowed by what is dangerous or oversize, never widened", async () => {
    const rates = open();
    const names = async (more: Partial<Consignment>) => (await rates.methods(parcel(more), TEXAS)).map(nameOf);
    const all = await names({});
    for (const narrow of [{ hazmat: true }, { oversize: true }, { hazmat: true, oversize: true }]) {
      const left = await names(narrow);
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan(all.length);
      expect(all).toEqual(expect.arrayContaining(left));
    }
  });

  it("are higher farther away, and none for more than can be charged", async () => {
    const [near, far] = await Promise.all([TEXAS, ALASKA].map((to) => open().methods(parcel(), to)));
    for (const { cost, ...method } of far!) {
      const there = near!.find((candidate) => nameOf(candidate) === nameOf(method));
      if (there) expect(cost).toBeGreaterThan(there.cost);
    }
    const methods = await open().methods(parcel({ weightGrams: 10_000_000 * 9_999 * 100 }), TEXAS);
    expect(methods.filter(({ cost }) => cost > 999_999)).toEqual([]);
  });
});

describe("EasyPost", () => {
  afterEach(() => allWell());

  it("offers dangerous goods by ground alone, and nothing oversize by the mail", async () => {
    const names = async (more: Partial<Consignment>) => (await ofEasyPost().methods(parcel(more), TEXAS)).map(nameOf);
    for (const name of await names({ hazmat: true })) expect(name).toMatch(/ground/i);
    for (const name of await names({ oversize: true })) expect(name).not.toMatch(/USPS/);
  });

  it.each([
    [{ kind: "error", value: 500 }, "PROVIDER_ERROR", "failed"],
    [{ kind: "rate_limited" }, "PROVIDER_ERROR", "busy"],
    [{ kind: "not_json" }, "PROVIDER_ERROR", "unreadable"],
    [{ kind: "stall" }, "TIMEOUT", "timed_out"],
  ])("has another error when it is away than for a place that nothing ships to: %j", async (kind, code, reason) => {
    await fault(kind);
    await expect(ofEasyPost({ answerMs: 500 }).methods(parcel(), TEXAS)).rejects.toMatchObject({
      code,
      data: { provider: "EasyPost", reason },
    });
    await allWell();
    await fault({ kind: "no_rates" });
    expect(await ofEasyPost().methods(parcel(), TEXAS)).toEqual([]);
  });

  it("says nothing of its key or of what it was sent when it refuses", async () => {
    const refusal = await ofEasyPost({ apiKey: "EZTK_other" })
      .methods(parcel(), { country: "US" })
      .catch((error: Error & { data: unknown }) => error);
    expect(refusal).toMatchObject({ code: "PROVIDER_ERROR", data: { reason: "refused", status: 401 } });
    expect(JSON.stringify([(refusal as Error).message, (refusal as Error).cause])).not.toMatch(/EZTK/);
  });
});
