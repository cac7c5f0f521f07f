import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { describeAvailability } from "../../packages/parts-language/src/availability.ts";
import {
  computeContentHash,
  applyObservation,
  toDocument,
  toIndexedPart,
  discontinuePart,
  type Observation,
  type PartDocument,
} from "../../services/catalog/part.ts";
import type { PartContent } from "../../services/catalog/part-content.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

const BNS = DEFAULT_VENDORS.getByCode("BNS");
const CONTENT: PartContent = {
  partNumber: "79-9868",
  title: "Carburetor",
  manufacturer: { name: "Briggs & Stratton", code: "BNS" },
  category: "Carburetors",
  price: 4_500,
  imageUrls: [],
  status: "active",
};
const day = (date: number): Date => new Date(Date.UTC(2026, 0, date));
const part = (content: Partial<PartContent> = {}, previous?: PartDocument): PartDocument =>
  toDocument(BNS, { ...CONTENT, ...content }, { source: "price_file", now: day(1), revision: 1, previous });
const dealer = (before: PartDocument, said: Partial<Observation>): PartDocument | undefined =>
  applyObservation(
    before,
    { found: true, price: null, quantity: null, available: null, saidAt: day(2), ...said },
    { source: "dis", now: day(2), revision: 2 },
  );

describe("what a shopper sees of stock", () => {
  it.each([
    [{ quantity: null }, "unknown"],
    [{ quantity: null, available: null }, "unknown"],
    [{ quantity: null, available: true }, "in_stock"],
    [{ quantity: 0 }, "out_of_stock"],
    [{ quantity: 0, available: true }, "out_of_stock"],
    [{ quantity: 9, available: false }, "out_of_stock"],
    [{ quantity: 1 }, "low_stock"],
    [{ quantity: 5 }, "low_stock"],
    [{ quantity: 6 }, "in_stock"],
  ] as const)("%j is %s", (stock, said) => {
    expect(describeAvailability(stock)).toBe(said);
  });

  it("never grows worse as the quantity grows", () => {
    const order = ["out_of_stock", "low_stock", "in_stock"];
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (quantity, more) => {
        expect(order.indexOf(describeAvailability({ quantity: quantity + more }))).toBeGreaterThanOrEqual(
          order.indexOf(describeAvailability({ quantity })),
        );
      }),
    );
  });
});

describe("a part whose price and stock the dealer reports", () => {
  it("takes both, and says who reported it, and when", () => {
    const after = dealer(part(), { price: 4_800, quantity: 3, available: true })!;
    const dates = { createdAt: day(1), updatedAt: day(2) };
    expect(after).toMatchObject({ price: 4_800, sources: ["price_file", "dis"], revision: 2, ...dates });
    expect(toIndexedPart(after, BNS)).toMatchObject({
      availability: "low_stock",
      stock: { quantityOnHand: 3, learntAt: day(2) },
      price: { list: { value: 48 } },
    });
    expect(toIndexedPart(part(), BNS)).toMatchObject({ availability: "unknown" });
  });

  it("has no stock any more when the dealer does not have it, and keeps its price", () => {
    const known = dealer(part(), { price: 4_800, quantity: 12, available: true })!;
    const gone = dealer(known, { found: false })!;
    expect(gone).toMatchObject({ price: 4_800, replacedPrice: 4_500, sources: ["price_file", "dis"] });
    expect(gone.stock).toBeUndefined();
    expect(toIndexedPart(gone, BNS)).toMatchObject({ availability: "unknown" });
    expect(dealer(gone, { found: false })).toBeUndefined();
    const back = dealer(gone, { price: 4_800, quantity: 12, available: true });
    expect(back).toMatchObject({ stock: { quantityOnHand: 12 } });
  });

  it("gets no stock back by an answer from before the dealer said that it has none", () => {
    const known = dealer(part(), { quantity: 12, saidAt: day(2) })!;
    const gone = part({ title: "Renamed" }, dealer(known, { found: false, saidAt: day(5) }));
    expect(dealer(gone, { quantity: 9, saidAt: day(4) })).toBeUndefined();
    const priced = dealer(gone, { price: 4_800, quantity: 9, saidAt: day(4) });
    expect(priced).toMatchObject({ price: 4_800, stock: undefined });
    const back = dealer(gone, { quantity: 9, saidAt: day(6) })!;
    expect([back.stock?.quantityOnHand, back.unstockedAt]).toEqual([9, undefined]);
    expect(toIndexedPart(gone, BNS)).not.toHaveProperty("unstockedAt");
  });

  it("is not written when the same is reported again", () => {
    const observation = fc.record({
      price: fc.option(fc.integer({ min: 1, max: 9_999 })),
      quantity: fc.option(fc.nat()),
      available: fc.option(fc.boolean()),
    });
    fc.assert(
      fc.property(observation, fc.option(fc.integer({ min: 1, max: 9_999 })), (said, price) => {
        const first = dealer(part({ price }), said)!;
        expect(dealer(first, said)).toBeUndefined();
      }),
    );
  });

  it("keeps the dealer's price while its file says what it said, and takes one that the file changes", () => {
    const dearer = dealer(part(), { price: 4_800 })!;
    const title = "Carburetor Kit";
    expect(part({ title }, dearer)).toMatchObject({ title, price: 4_800, replacedPrice: 4_500 });
    const corrected = part({ price: 5_000 }, dearer);
    expect(corrected).toMatchObject({ price: 5_000 });
    expect(corrected.replacedPrice).toBeUndefined();
    expect(dealer(dearer, { price: 4_500 })!.replacedPrice).toBeUndefined();
    const priced = dealer(part({ price: null }), { price: 4_800 })!;
    expect(part({ price: null }, priced).price).toBe(4_800);
  });

  it("keeps what a file has changed since the dealer said it", () => {
    const moments = fc.record({ file: fc.integer({ min: 1, max: 9 }), said: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(moments, fc.boolean(), ({ file, said }, isChanged) => {
        const content = { ...CONTENT, price: isChanged ? 5_000 : 4_500, quantityOnHand: isChanged ? 7 : 4 };
        const listed = part({ quantityOnHand: 4 });
        const known = toDocument(BNS, content, { source: "price_file", now: day(file), revision: 2, previous: listed });
        const isNews = said >= (isChanged ? file : 1);
        const after = dealer(known, { price: 4_800, quantity: 9, saidAt: day(said) }) ?? known;
        expect([after.price, after.stock?.quantityOnHand]).toEqual(
          isNews ? [4_800, 9] : [content.price, content.quantityOnHand],
        );
        const gone = dealer(known, { found: false, saidAt: day(said) }) ?? known;
        expect(gone.stock?.quantityOnHand).toBe(isNews ? undefined : content.quantityOnHand);
      }),
    );
  });

  it("has the dealer's last price, for any order of its answers", () => {
    const days = fc.uniqueArray(fc.integer({ min: 2, max: 30 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(days, (said) => {
        const last = said.reduce<PartDocument>(
          (known, date) => dealer(known, { price: 1_000 + date, saidAt: day(date) }) ?? known,
          part(),
        );
        expect(last.price).toBe(1_000 + Math.max(...said));
      }),
    );
  });

  it("keeps its stock through a file that has none", () => {
    const stocked = dealer(part(), { quantity: 12 })!;
    expect(part({ title: "New" }, stocked).stock).toEqual({ quantityOnHand: 12, learntAt: day(2) });
  });
});

describe("a part that its supplier no longer lists", () => {
  it("is discontinued, its stock unknown, and news when it is listed again", () => {
    const listed = part({ quantityOnHand: 4 });
    const gone = discontinuePart(listed, { now: day(2), revision: 2 })!;
    expect(toIndexedPart(gone, BNS)).toMatchObject({ status: "discontinued", availability: "unknown" });
    expect(discontinuePart(gone, { now: day(3), revision: 3 })).toBeUndefined();
    expect(gone.contentHash).not.toBe(computeContentHash({ ...CONTENT, quantityOnHand: 4 }));
  });
});

it("knows a new quantity for a new content", () => {
  const hashOf = (quantityOnHand?: number) => computeContentHash({ ...CONTENT, quantityOnHand });
  expect(hashOf(1)).not.toBe(hashOf(2));
  expect(hashOf()).toBe(computeContentHash(CONTENT));
});
