import { expect, test } from "@jest/globals";
import { findExactPart } from "../src/shop/pages/results-exact.ts";
import { findStops, listPriceStops } from "../src/shop/pages/price-stops.ts";
import { changed, hasPrice, readSearch, toggled } from "../src/shop/pages/results-query.ts";

const params = (text: string): URLSearchParams => new URLSearchParams(text);

test("an address is asked as the API takes it; what makes no sense there is left out", () => {
  expect(readSearch(params("q=+belt+&manufacturer=KOH&manufacturer=KAW&inStock=true&sort=price_asc&page=3"))).toEqual({
    q: "belt",
    manufacturer: ["KOH", "KAW"],
    inStock: true,
    sort: "price_asc",
    page: 3,
    limit: 20,
  });
  expect(readSearch(params("q=&minPrice=-1&maxPrice=x&sort=best&page=0&category=&inStock=no&other=1"))).toEqual({
    page: 1,
    limit: 20,
  });
  expect([readSearch(params("page=99999")).page, readSearch(params("page=NaN")).page]).toEqual([500, 1]);
});

test("a facet is switched on and off, and begins at the first page", () => {
  expect(toggled(params("q=belt&page=4"), "manufacturer", "K&M")).toBe("/search?q=belt&manufacturer=K%26M");
  expect(toggled(params("manufacturer=KOH&manufacturer=KAW"), "manufacturer", "KOH")).toBe("/search?manufacturer=KAW");
  expect(changed(params("q=belt&minPrice=1&maxPrice=2&other=1"), { minPrice: undefined, maxPrice: undefined })).toBe(
    "/search?q=belt",
  );
});

test("a price that is none narrows nothing", () => {
  expect(["minPrice=abc", "maxPrice=", "minPrice=-1", "q=5"].some((text) => hasPrice(params(text)))).toBe(false);
  expect(["minPrice=0", "minPrice=x&maxPrice=9.5"].every((text) => hasPrice(params(text)))).toBe(true);
});

test("a text is a part's number in any spelling; not where two have it, or another stands in for it", () => {
  const createPart = (code: string, partNumber: string, more = {}) => {
    return { partNumber, sku: `CT-${code}-${partNumber}`, manufacturer: { name: "Kohler", code }, ...more };
  };
  const [part, longer] = [createPart("KOH", "24 667 39-S"), createPart("KOH", "24 667 39-S2")];
  for (const text of ["2466739s", "24-667-39-S", "KOH 2466739S", "CT-KOH-24 667 39-S"])
    expect(findExactPart(text, [longer, part])).toBe(part);
  expect(findExactPart("2466739", [part])).toBeUndefined();
  expect(findExactPart("2466739s", [part, createPart("KAW", "2466739-S")])).toBeUndefined();
  expect(findExactPart("2466739s", [part, createPart("KOH", "9", { replaces: "2466739S" })])).toBeUndefined();
});

test("a slider stops at round prices, in equal steps unless prices spread widely, and where a bound is", () => {
  expect(listPriceStops(17.95, 99)).toEqual([
    17.95, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 99,
  ]);
  const stops = listPriceStops(3, 137.25);
  expect(stops).toEqual([3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 137.25]);
  expect(listPriceStops(0, 2_000_000).length).toBeLessThan(80);
  expect(findStops(stops, { minPrice: 5.5, maxPrice: 55 })).toEqual({ low: 2, high: 13 });
  expect(findStops(stops, { minPrice: undefined, maxPrice: 500 })).toEqual({ low: 0, high: 17 });
  expect(findStops(stops, { minPrice: 60, maxPrice: 5 })).toEqual({ low: 2, high: 2 });
});
