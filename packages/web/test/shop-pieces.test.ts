import { expect, test } from "@jest/globals";
import { findLastReady, splitPieces } from "../src/shop/parts/pieces.ts";

const shelf = { from: "shelf", pieces: 2, readyOn: "2026-12-03" } as const;
const dealer = { from: "dealer", pieces: 3, readyOn: "2026-12-07" } as const;
const backorder = { from: "backorder", pieces: null, readyOn: null } as const;

test.each([
  [1, "shelf 1", "2026-12-03"],
  [4, "shelf 2, dealer 2", "2026-12-07"],
  [9, "shelf 2, dealer 3, backorder 4", "2026-12-07"],
])("%d pieces: %s", (quantity, places, readyOn) => {
  const pieces = splitPieces([shelf, dealer, backorder], quantity);
  expect(pieces.map(({ from, count }) => `${from} ${count}`).join(", ")).toBe(places);
  expect(findLastReady(pieces)?.readyOn).toBe(readyOn);
});

test("more than is sold is not there, and one unknown day is the day of all", () => {
  expect(splitPieces([shelf], 5)).toMatchObject([{ count: 2 }]);
  expect(findLastReady([shelf, { ...dealer, readyOn: null }])).toBeUndefined();
  expect(findLastReady([])).toBeUndefined();
});
