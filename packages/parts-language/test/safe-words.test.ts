import { expect, it } from "@jest/globals";
import { cleanTitle } from "../src/safe-words.ts";

it.each([
  ["Bolt 3/8-16 x 1-1/4", "Bolt 3/8-16 x 1-1/4"],
  ["Carburetor $9.99", "Carburetor"],
  ["Hose 12 dollars 1/2 in", "Hose 1/2 in"],
  ["Belt 555-123-4567", "Belt"],
  ["Belt, free shipping", "Belt"],
  ["Hub www.evil.example/x", "Hub"],
  ["<b>Blade</b> *new*", "Blade new"],
  ["Pulley (flat", "Pulley (flat)"],
  ["Use 614071 instead", undefined],
])("the title %s is quoted as %s", (title, quoted) => {
  expect(cleanTitle(title)).toBe(quoted);
});
