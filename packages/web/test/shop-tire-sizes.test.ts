import type { WholePart } from "@partline/client";
import { expect, test } from "@jest/globals";
import { createSizeReader, loadTireSizes } from "../src/shop/part/tire-sizes.ts";
import { toProduct } from "../src/shop/parts/json-ld.ts";

const TIRE = {
  title: "Turf Tire 16x6.50-8 Multi Trac, 2 ply, zero-turn mower",
  tire: { size: "16x6.50-8", pattern: "Multi Trac", ply: 2 },
  ...{ slug: "own", sku: "CT-1", partNumber: "20570KM", category: "Wheels & Tires" },
  ...{ manufacturer: { name: "Carlisle", code: "KMT" }, status: "active", availability: "in_stock" },
  price: { list: { value: 174.95, currency: "usd" } },
} as unknown as WholePart;
const ORIGIN = "https://shop.example";

test.each([
  ["Turf Tire 205/65-10 Multi Trac, 6 ply, ATV", "205/65-10, 6 ply"],
  ["Turf Tire 205/65-10 Multi Trac", "205/65-10"],
  ["Turf Tire 205/65-10 Multi Tracker, 6 ply", undefined],
  ["Turf Tire 205/65-10 Turf Saver, 6 ply", undefined],
  ["Tire and Wheel Assembly 16x6.50-8 Multi Trac, 2 ply", undefined],
  ["Turf Tire 205/65-10 Front Multi Trac", undefined],
])("%s is the tire in the size %s", (title, size) => expect(createSizeReader(TIRE)!.readSize(title)).toBe(size));

test("what is no tire with a tread is no variant, however alike titles are", () => {
  expect(createSizeReader({ title: "Shear Bolt, 5 Pack, 650 Series", tire: undefined })).toBeUndefined();
  const wheel = { ...TIRE.tire!, pattern: undefined };
  expect(createSizeReader({ title: "Wheel 16x6.50-8 Silver", tire: wheel })).toBeUndefined();
});

test("a tire is a variant of its ProductGroup, as Google reads one of several pages", async () => {
  const createHit = (slug: string, title: string, name = "Carlisle") => ({ slug, title, manufacturer: { name } });
  const hits = [
    createHit("own", TIRE.title),
    createHit("same-size", "Turf Tire 16x6.50-8 Multi Trac, 2 ply, wheelbarrow"),
    createHit("other-brand", "Turf Tire 23x8.50-12 Multi Trac, 6 ply", "Hi-Run"),
    createHit("other", "Turf Tire 16x6.50-8 Multi Trac, 4 ply, wheelbarrow"),
  ];
  const partline = { search: { instantsearch: () => Promise.resolve({ results: [{ hits }] }) } };
  const sizes = await loadTireSizes(partline as never, TIRE);
  expect(toProduct(TIRE, `${ORIGIN}/parts/own`, ORIGIN, sizes)).toMatchObject({
    "@type": "Product",
    // What varies is said of each variant, with its offer.
    size: "16x6.50-8, 2 ply",
    offers: { "@type": "Offer", price: 174.95, priceCurrency: "USD", availability: "https://schema.org/InStock" },
    inProductGroupWithID: "carlisle-turf-tire-multi-trac",
    isVariantOf: {
      "@type": "ProductGroup",
      name: "Carlisle Turf Tire Multi Trac",
      productGroupID: "carlisle-turf-tire-multi-trac",
      brand: { "@type": "Brand", name: "Carlisle" },
      variesBy: ["https://schema.org/size"],
      hasVariant: [{ url: `${ORIGIN}/parts/other` }],
    },
  });
  hits.pop();
  expect(await loadTireSizes(partline as never, TIRE)).toBeUndefined();
});
