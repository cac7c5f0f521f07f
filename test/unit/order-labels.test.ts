import { describe, expect, test } from "@jest/globals";
import { createHttpError } from "@partline/http-client";
import type { Labels } from "../../mixins/shipping-rates/labels.ts";
import { ship } from "../../services/order/changes.ts";
import type { OrderDocument } from "../../services/order/collections.ts";
import { nameMethod } from "@partline/toolkit/pure";
import { chooseRate, combineGoods, createLabelling, describeParcel } from "../../services/order/labels.ts";
import { applyChange, type OrderRepository } from "../../services/order/repository.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const labelling = { shipmentId: "shp_1", parcelId: "parcel_1", rateId: "rate_1", request: {}, actor: "admin" };
const refuse = (status: number) => createHttpError({ provider: "EasyPost", reason: "refused", status });
const label = { carrier: "USPS", trackingNumber: "EZ1", url: "https://easypost.example/1.pdf", cost: "7.35" };

/** An order whose label is being bought, at a provider that sells it unless a test says otherwise. */
function start(fields: Partial<OrderDocument>, provider: Partial<Labels> = {}) {
  let order = paidOrder(fields);
  const asked: string[] = [];
  const isBought = () => asked.includes("buy");
  const repository = {
    get: () => Promise.resolve(order),
    change: (_id: string, decide: Parameters<OrderRepository["change"]>[1]) => {
      const change = decide(order);
      if (change) order = applyChange(order, change, now);
      return Promise.resolve(order);
    },
  } as unknown as OrderRepository;
  const log = <A extends unknown[], R>(name: string, answer: (...args: A) => Promise<R>) => {
    return (...args: A) => {
      asked.push(name);
      return answer(...args);
    };
  };
  const labels: Labels = {
    prepare: () => Promise.resolve({ parcelId: "parcel_1", rates: [] }),
    find: log("find", provider.find ?? (() => Promise.resolve(isBought() ? label : undefined))),
    buy: log("buy", provider.buy ?? (() => Promise.resolve())),
    refund: log("refund", provider.refund ?? (() => Promise.resolve(true))),
  };
  const faults: unknown[] = [];
  const { settle } = createLabelling({
    ...{ repository, labels, country: "US", wake: () => undefined, findGoods: () => Promise.resolve({}) },
    onFault: (_orderId, error) => faults.push(error),
  });
  return { settle: () => settle("ord_1"), read: () => order, asked, faults };
}

describe("A label that is bought in the background", () => {
  test("is not bought once the order refuses the shipment, and a note says so", async () => {
    const { settle, read, asked, faults } = start({ labelling, status: "cancelled" });
    await settle();
    expect(asked).not.toContain("buy");
    expect([read().labelling, read().labels, faults.length]).toEqual([undefined, undefined, 1]);
    expect(read().notes).toMatchObject([{ actor: "system", text: expect.stringContaining("is cancelled") }]);
  });

  test("is given up when its purchase is refused, and not while nobody can say whether it was", async () => {
    const refused = start(
      { labelling },
      { buy: () => Promise.reject(refuse(422)), find: () => Promise.resolve(undefined) },
    );
    await refused.settle();
    expect([refused.read().labelling, refused.read().notes?.length]).toEqual([undefined, 1]);
    const lost = start({ labelling }, { find: () => Promise.reject(refuse(404)) });
    await lost.settle();
    expect([lost.read().labelling, lost.read().notes?.length, lost.asked]).toEqual([undefined, 1, ["find"]]);

    const answers = [() => Promise.resolve(undefined), () => Promise.reject(refuse(401))];
    const unknown = start({ labelling }, { buy: () => Promise.reject(refuse(422)), find: () => answers.shift()!() });
    await expect(unknown.settle()).rejects.toMatchObject({ data: { status: 401 } });
    expect(unknown.read()).toMatchObject({ labelling });
  });

  test("is recorded though another process gave up meanwhile, and voided where nothing is left to ship", async () => {
    const bought = () => {
      // As the other process writes it.
      raced.read().labelling = undefined;
      return Promise.resolve(label);
    };
    const raced = start({ labelling }, { find: bought });
    await raced.settle();
    expect(raced.read().labels).toMatchObject([{ state: "bought", url: label.url }]);

    const gone = ship(paidOrder(), {}, { actor: "admin", now, shipmentId: "shp_2" }).order;
    const late = start({ ...gone, labelling }, { find: () => Promise.resolve(label) });
    await late.settle();
    expect([late.read().labelling, late.read().labels?.[0]?.state]).toEqual([undefined, "voided"]);
  });

  test("has no link once its buyer is erased", async () => {
    const erased = start({ labelling, shippingAddress: undefined }, { find: () => Promise.resolve(label) });
    await erased.settle();
    expect(erased.read().labels).toEqual([expect.not.objectContaining({ url: label.url })]);
  });
});

test("each voided label is refunded on its own: one that is refused is noted, one without an answer is asked again", async () => {
  const labels = ["parcel_1", "parcel_2", "parcel_3", "parcel_4"].map((parcelId) => ({
    ...{ shipmentId: `shp_${parcelId}`, parcelId, state: "voiding" as const, carrier: "USPS", cost: "7.35" },
  }));
  const answers: Record<string, () => Promise<boolean>> = {
    parcel_1: () => Promise.reject(refuse(401)),
    parcel_2: () => Promise.reject(refuse(422)),
    parcel_3: () => Promise.resolve(false),
  };
  const refund = (parcelId: string) => answers[parcelId]?.() ?? Promise.resolve(true);
  const { settle, read } = start({ labels }, { refund });
  await expect(settle()).rejects.toMatchObject({ data: { status: 401 } });
  expect(read().labels?.map(({ state }) => state)).toEqual(["voiding", "void_refused", "void_refused", "voided"]);
  expect(read().notes).toHaveLength(2);
});

describe("A label", () => {
  const rates = [{ rateId: "rate_1", provider: "USPS", serviceType: "GroundAdvantage", cost: "5.40" }];
  const method = { provider: "USPS", serviceType: "Express", cost: 3_000 };

  test("is the cheapest only for an order without a method", () => {
    expect(chooseRate(rates, {}, undefined)).toBe(rates[0]);
    const freight = { provider: "FedExFreight", serviceType: "FREIGHT_GROUND_ECONOMY" };
    expect(nameMethod(freight)).toBe("FedEx Freight Ground Economy");
    expect(() => chooseRate(rates, {}, method)).toThrow(/USPS Ground Advantage \(5\.40 USD\)/);
    expect(chooseRate(rates, { rate: "usps groundadvantage" }, method)).toBe(rates[0]);
  });

  test("is of a parcel with dangerous and large parts, which the catalog must have", () => {
    const goods = combineGoods([
      { found: true, hazmat: true },
      { found: true, oversize: true },
    ]);
    const parcel = { shipmentId: "shp_1", pieces: 1, country: "US", goods };
    expect(describeParcel(paidOrder(), { weightGrams: 900 }, parcel)).toMatchObject({ hazmat: true, oversize: true });
    expect(() => combineGoods([{ found: false }])).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  });
});
