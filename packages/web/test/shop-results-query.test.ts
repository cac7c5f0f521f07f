import { expect, test } from "@jest/globals";
import { findExactPart } from "../src/shop/pages/results-exact.ts";
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
