import { expect, test } from "@jest/globals";
import sharp from "sharp";
import { cropDrawing, findDrawingBand } from "../src/pictures/drawing.ts";

/** A list of ten rows from there on. */
const listRows = (from: number) =>
  Array.from({ length: 10 }, (_, row) => ({ top: from + row * 0.02, bottom: from + row * 0.02 + 0.01 }));
const callouts = [
  { top: 0.16, bottom: 0.17 },
  { top: 0.3, bottom: 0.31 },
];

test("a drawing is where its numbers are, up to the list above or below", () => {
  expect(findDrawingBand({ rows: listRows(0.2), callouts: [] })).toEqual({ top: 0.07, bottom: 1 - 0.07 });
  expect(findDrawingBand({ rows: [], callouts })).toEqual({ top: 0.07, bottom: expect.closeTo(0.43) });
  const { bottom } = findDrawingBand({ rows: listRows(0.4), callouts });
  expect(bottom).toBeCloseTo(0.37);
});

test("a drawing is cut out without the list and the paper around", async () => {
  const create = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } }).png();
  const page = await create(1_000, 1_400, "#ffffff")
    .composite([
      { input: await create(400, 200, "#000000").toBuffer(), left: 300, top: 220 },
      { input: await create(800, 300, "#333333").toBuffer(), left: 100, top: 700 },
    ])
    .toBuffer();
  const { width, height } = await sharp(await cropDrawing(page, { rows: listRows(0.5), callouts })).metadata();
  expect([width, height]).toEqual([400, 200]);
});
