import { expect, test } from "@jest/globals";
import { onHand, ownAddress } from "../src/shop/format.ts";
import { en } from "../src/shop/texts/en.ts";

test("the API's files are asked for at the page's own origin; what a supplier or a client names stays as it is", () => {
  const name = "0a".repeat(32);
  expect(
    [`/api/media/${name}?w=96`, `/api/manuals/${name}/source.pdf#page=2`].map((path) =>
      ownAddress(`http://127.0.0.1:8003${path}`),
    ),
  ).toEqual([`/api/media/${name}?w=96`, `/api/manuals/${name}/source.pdf#page=2`]);
  for (const other of ["https://cdn.example/api/media/x.png", "https://cdn.example/x.png", "http://[x"])
    expect(ownAddress(other)).toBe(other);
});

test("one piece is said in the singular", () => {
  expect([0, 1, 2].map((pieces) => onHand(pieces, en))).toEqual(["0 in stock", "1 in stock", "2 in stock"]);
});
