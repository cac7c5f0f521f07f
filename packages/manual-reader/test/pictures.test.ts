import { describe, expect, test } from "@jest/globals";
import { learnShapes, mendNumber } from "../src/parts/shapes.ts";
import { cutAtGaps } from "../src/pdf/recognition.ts";
import { isListShown } from "../src/pictures/lists.ts";
import { createSheet } from "../src/pictures/place.ts";
import { findInkLevel, type Raster } from "../src/pictures/raster.ts";
import { findHeaderCells, takeRuledLines } from "../src/pictures/ruled-lines.ts";

/** A white sheet of 500 by 400 pixels, 100 dots an inch, and what is drawn on it. */
function sheet(draw: (fill: (x: number, y: number, width: number, height: number, shade?: number) => void) => void) {
  const raster: Raster = { width: 500, height: 400, gray: new Uint8Array(500 * 400).fill(255) };
  draw((x, y, width, height, shade = 0) => {
    for (let row = y; row < y + height; row += 1)
      raster.gray.fill(shade, row * raster.width + x, row * raster.width + x + width);
  });
  return raster;
}

/** Columns of words, each letter a bar of 4 by 8 pixels, and some of them missing. */
const COLUMNS = [
  [20, 4],
  [70, 8],
  [180, 20],
  [440, 2],
] as const;

const list = (
  rows: number,
  { pitch = 20, isRuled = false, columns = COLUMNS as readonly (readonly number[])[] } = {},
) =>
  sheet((fill) => {
    for (let row = 0; row < rows; row += 1)
      for (const [x, letters] of columns)
        for (let letter = 0; letter < letters!; letter += 1)
          if ((row * 7 + letter * 3) % 5 > 0) fill(x! + 7 * letter, 26 + row * pitch, 4, 8);
    if (!isRuled) return;
    for (let row = 0; row <= rows; row += 1) fill(10, 20 + row * pitch, 480, 1);
    for (const x of [10, 60, 170, 430, 489]) fill(x, 20, 1, rows * pitch);
  });

describe("a picture", () => {
  test("of lines at one distance in columns shows a list, with and without ruled lines, and turned", () => {
    expect(isListShown(list(16))).toBe(true);
    expect(isListShown(list(16, { isRuled: true }))).toBe(true);
    const { width, height, gray } = list(16, { isRuled: true });
    const turned: Raster = { width: height, height: width, gray: new Uint8Array(gray.length) };
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) turned.gray[x * height + y] = gray[y * width + x]!;
    expect(isListShown(turned)).toBe(true);
  });

  test("of few lines, of prose, of a drawing and of nothing shows none", () => {
    expect(isListShown(list(3))).toBe(false);
    expect(isListShown(list(16, { columns: [[20, 64]] }))).toBe(false);
    expect(
      isListShown(
        sheet((fill) => {
          for (let n = 0; n < 90; n += 1) fill((n * 53) % 440, (n * 97) % 340, 5 + ((n * 7) % 50), 2 + ((n * 11) % 40));
        }),
      ),
    ).toBe(false);
    expect(isListShown(sheet(() => undefined))).toBe(false);
  });

  test("with shades of its own is no list: it is a photo, or dark", () => {
    const photo = sheet((fill) => {
      for (let x = 0; x < 500; x += 1) fill(x, 0, 1, 400, (x * 255) / 500);
    });
    expect(findInkLevel(photo)).toBeUndefined();
    expect(findInkLevel(sheet((fill) => fill(0, 0, 500, 400, 60)))).toBeUndefined();
    expect(findInkLevel(list(16))).toBe(185);
  });
});

test("ruled lines are taken out, and letters stay", () => {
  const ruled = list(10, { isRuled: true });
  const lines = takeRuledLines(ruled, 185, 100);
  expect(lines.filter(({ width, height }) => width > height)).toHaveLength(11);
  expect(lines.filter(({ width, height }) => width < height)).toHaveLength(5);
  expect(Buffer.from(ruled.gray).equals(Buffer.from(list(10).gray))).toBe(true);
  expect(findHeaderCells(lines, ruled, 100).map(({ x, width }) => [x, width])).toEqual([
    [10.5, 50],
    [60.5, 110],
    [170.5, 260],
    [430.5, 59],
  ]);
});

test("a picture is cut between its lines, so that a page of any size takes little memory", () => {
  const tall: Raster = { width: 4_000, height: 2_500, gray: new Uint8Array(4_000 * 2_500).fill(255) };
  for (let y = 0; y < 2_500; y += 1) if (y % 50 < 40) tall.gray.fill(0, y * 4_000, y * 4_000 + 100);
  const pieces = cutAtGaps(tall, 185);
  expect(pieces.reduce((sum, { piece }) => sum + piece.height, 0)).toBe(2_500);
  for (const { top, piece } of pieces) {
    expect(piece.width * piece.height).toBeLessThanOrEqual(4_000_000);
    if (top > 0) expect(tall.gray[(top - 1) * 4_000]).toBe(255);
  }
});

test("an image is seen as the page places it: turned, and of one bit a pixel", async () => {
  // The upper left quarter is black.
  const pixels = { width: 8, height: 8, data: new Uint8Array([15, 15, 15, 15, 255, 255, 255, 255]) };
  const box = { x: 0, y: 0, width: 8, height: 8 };
  const quarters = async (matrix: readonly number[]): Promise<number[]> => {
    const { raster, place } = createSheet(box, 72);
    await place({ pixels, matrix });
    return [9, 14, 49, 54].map((at) => raster.gray[at]!);
  };
  expect(await quarters([8, 0, 0, -8, 0, 8])).toEqual([0, 255, 255, 255]);
  expect(await quarters([0, 8, 8, 0, 0, 0])).toEqual([255, 0, 255, 255]);
});

test("a number that OCR misread is spelled as those of the lists, if letters that look like digits are the reason", () => {
  const shapes = learnShapes(["650963", "650964", "651003", "2B4501", "3C9010", "7A1002"]);
  expect(mendNumber("65O97I", shapes)).toBe("650971");
  expect(mendNumber("9B4401", shapes)).toBe("9B4401");
  expect(mendNumber("SPRING", shapes)).toBe("SPRING");
});
