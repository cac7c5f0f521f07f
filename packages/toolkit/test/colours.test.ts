import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { adjustContrast } from "../src/colours.ts";

test("a colour that can be read stays; another moves until it can be, as little as it must", () => {
  expect(adjustContrast("#0b5cad", "#ffffff")).toBe("#0b5cad");
  expect(adjustContrast("#ffee00", "#ffffff")).toBe("#7f7700");
  expect(adjustContrast("#000080", "#12161c")).toBe("#7878bc");
  expect(adjustContrast("#ffffff", "#ffffff", 21)).toBe("#000000");
});

test("any colour has the contrast with any ground that a text can have it with", () => {
  const light = (colour: string): number =>
    [1, 3, 5]
      .map((index) => parseInt(colour.slice(index, index + 2), 16) / 255)
      .map((share) => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
      .reduce((sum, share, index) => sum + share * [0.2126, 0.7152, 0.0722][index]!, 0);
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, colour, (text, ground) => {
      const [dark, bright] = [light(adjustContrast(text, ground)), light(ground)].sort((a, b) => a - b);
      expect((bright! + 0.05) / (dark! + 0.05)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
