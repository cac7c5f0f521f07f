import { expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  mergeContent,
  computeContentHash,
  applyObservation,
  toDocument,
  type PartDocument,
} from "../../services/catalog/part.ts";
import type { PartNews, PartContent } from "../../services/catalog/part-content.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

const KMT = DEFAULT_VENDORS.getByCode("KMT");
const NOW = new Date("2026-03-01T00:00:00Z");
const REQUIRED = { partNumber: "T-1", title: "Tire" };
const NO_IMAGES: string[] = [];
const DEFAULTS = { ...REQUIRED, category: "parts", price: null, imageUrls: NO_IMAGES, status: "active" as const };
const FULL: PartContent = {
  ...REQUIRED,
  description: "Turf",
  manufacturer: { name: "Carlisle", code: "KMT" },
  category: "Wheels & Tires",
  kind: "Tires",
  price: 5_000,
  imageUrls: ["https://x.test/a.png"],
  status: "discontinued",
  supersededBy: "T-2",
  weightGrams: 1_200,
  hazmat: true,
  oversize: true,
};
const known = (content: PartContent): PartDocument =>
  toDocument(KMT, content, { source: "price_file", now: NOW, revision: 1 });

const text = fc.string({ minLength: 1, maxLength: 5 });
const told = fc.record<Partial<PartNews>>(
  {
    description: fc.option(text),
    price: fc.option(fc.integer({ min: 1, max: 100 })),
    imageUrls: fc.array(fc.webUrl(), { maxLength: 2 }),
    status: fc.constantFrom("active", "discontinued"),
    supersededBy: fc.option(text),
    weightGrams: fc.option(fc.integer({ min: 1, max: 100 })),
    hazmat: fc.boolean(),
    oversize: fc.boolean(),
  },
  { requiredKeys: [] },
);

it("leaves fields that the news does not have, and takes away what it says there is none of", () => {
  expect(mergeContent(KMT, REQUIRED, known(FULL))).toEqual(FULL);
  const none: PartNews = {
    ...DEFAULTS,
    ...{ description: null, supersededBy: null, weightGrams: null, hazmat: false, oversize: false },
  };
  expect(mergeContent(KMT, none, known(FULL))).toEqual({ ...DEFAULTS, manufacturer: FULL.manufacturer });
});

it("gives a new part the defaults", () => {
  expect(mergeContent(KMT, REQUIRED)).toEqual({ ...DEFAULTS, manufacturer: { name: KMT.name, code: "KMT" } });
});

it("takes the content's price for known, not the dealer's, so that the dealer's stays", () => {
  const dealers = applyObservation(
    known(FULL),
    { found: true, price: 4_800, quantity: null, available: null, saidAt: NOW },
    { source: "dis", now: NOW, revision: 2 },
  )!;
  const content = mergeContent(KMT, { ...REQUIRED, title: "New tire" }, dealers);
  expect(content.price).toBe(5_000);
  expect(toDocument(KMT, content, { source: "price_file", now: NOW, revision: 3, previous: dealers })).toMatchObject({
    price: 4_800,
    replacedPrice: 5_000,
  });
});

it("counts at once: what the dealer said before brings the old price not back", () => {
  const news = mergeContent(KMT, { ...REQUIRED, price: 6_000 }, known(FULL));
  const later = new Date(NOW.getTime() + 60_000);
  const priced = toDocument(KMT, news, { source: "price_file", now: later, revision: 2, previous: known(FULL) });
  const says = (saidAt: Date) =>
    applyObservation(
      priced,
      { found: true, price: 5_000, quantity: 1, available: true, saidAt },
      { source: "dis", now: later, revision: 3 },
    )!.price;
  expect([says(NOW), says(later)]).toEqual([6_000, 5_000]);
});

it("is no news a second time, and no part of it alone is", () => {
  fc.assert(
    fc.property(told, told, (first, second) => {
      const before = known(mergeContent(KMT, { ...REQUIRED, ...first }, known(FULL)));
      const after = known(mergeContent(KMT, { ...REQUIRED, ...second }, before));
      expect(computeContentHash(mergeContent(KMT, { ...REQUIRED, ...second }, after))).toBe(after.contentHash);
      expect(computeContentHash(mergeContent(KMT, REQUIRED, after))).toBe(after.contentHash);
    }),
  );
});
