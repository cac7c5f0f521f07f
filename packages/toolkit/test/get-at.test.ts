import { expect, test } from "@jest/globals";
import { getAt, getFrom } from "../src/get-at.ts";

test("an item is counted from either end; one that is not there is an error", () => {
  expect([getAt(["a", "b"], 0), getAt(["a", "b"], -1)]).toEqual(["a", "b"]);
  expect(() => getAt(["a", "b"], 2)).toThrow(RangeError);
  expect(() => getAt([], -1)).toThrow(RangeError);
});

test("a key that the map lacks is an error, a value of 0 is not", () => {
  expect(getFrom(new Map([["a", 0]]), "a")).toBe(0);
  expect(() => getFrom(new Map<string, number>(), "a")).toThrow(RangeError);
});
