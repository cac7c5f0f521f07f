import { expect, it } from "@jest/globals";
import { decodeTime, isValid } from "ulid";
import { ulid } from "../src/ulid.ts";

it("makes ULIDs of the present millisecond, each with 80 bits of its own, also beyond what is drawn at once", () => {
  const before = Date.now();
  const made = Array.from({ length: 10_000 }, () => ulid());
  const after = Date.now();
  expect(made.filter((id) => !isValid(id) || decodeTime(id) < before || decodeTime(id) > after)).toEqual([]);
  const random = made.map((id) => id.slice(10));
  expect(new Set(random).size).toBe(made.length);
  // Each place has each of the 32 characters about 312 times.
  for (let place = 0; place < 16; place++) expect(new Set(random.map((text) => text[place])).size).toBe(32);
});
