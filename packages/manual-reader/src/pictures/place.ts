import sharp from "sharp";
import type { Box } from "../page.ts";
import { apply, type Matrix } from "../pdf/matrix.ts";
import type { Pixels } from "../pdf/raw-jpegs.ts";
import { type Raster, WHITE } from "./raster.ts";

/** Source: pdf.js ImageKind */
const CHANNELS: Readonly<Record<number, 3 | 4>> = { 2: 3, 3: 4 };
export const POINTS_PER_INCH = 72;

/** An image as a page places it: `matrix` maps the unit square, whose top edge is at 1, to points of the page. */
export interface PlacedImage {
  pixels: Pixels;
  matrix: Matrix;
}

/** Draws images in shades of gray as a box of the page shows them, at a number of dots an inch. */
export async function placeImages(images: readonly PlacedImage[], box: Box, dpi: number): Promise<Raster> {
  const scale = dpi / POINTS_PER_INCH;
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const sheet: Raster = { width, height, gray: new Uint8Array(width * height).fill(WHITE) };
  for (const { pixels, matrix } of images) placeOn(sheet, await toGray(pixels, matrix, scale), matrix, box, scale);
  return sheet;
}

/** Turns an image into shades of gray, about as large as the page shows it. */
async function toGray(pixels: Pixels, [a = 1, b = 0, c = 0, d = 1]: Matrix, scale: number): Promise<Raster> {
  const { width, height, kind = 1, data, jpeg } = pixels;
  const channels = CHANNELS[kind];
  const bytes = data ?? new Uint8Array();
  const image = jpeg
    ? sharp(jpeg, { failOn: "none" })
    : sharp(channels ? bytes : unpackBits(bytes, width, height), {
        raw: { width, height, channels: channels ?? 1 },
        limitInputPixels: false,
      });
  const { data: gray, info } = await image
    .flatten({ background: "#ffffff" })
    .greyscale()
    .resize(Math.max(1, Math.round(Math.hypot(a, b) * scale)), Math.max(1, Math.round(Math.hypot(c, d) * scale)), {
      fit: "fill",
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, gray: new Uint8Array(gray.buffer, gray.byteOffset, gray.length) };
}

/** From one bit a pixel, in rows of whole bytes, to one byte. */
export function unpackBits(bits: Uint8Array | Uint8ClampedArray, width: number, height: number): Uint8Array {
  const gray = new Uint8Array(width * height);
  const stride = (width + 7) >> 3;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      gray[y * width + x] = ((bits[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? WHITE : 0;
  }
  return gray;
}

/** Looks each pixel up in the image; the darker one stays, as masks are drawn over each other. */
function placeOn(sheet: Raster, image: Raster, matrix: Matrix, box: Box, scale: number): void {
  const [a = 1, b = 0, c = 0, d = 1] = matrix;
  const determinant = a * d - b * c;
  if (determinant === 0) return;
  const toImage = (px: number, py: number): readonly [number, number] => {
    const [ox, oy] = apply(matrix, 0, 0);
    const [dx, dy] = [px - ox, py - oy];
    const u = (d * dx - c * dy) / determinant;
    const v = (a * dy - b * dx) / determinant;
    return [u * image.width, (1 - v) * image.height];
  };
  // Of the middle of the first pixel; the rest is steps.
  const half = 0.5 / scale;
  const [startX, startY] = toImage(box.x + half, box.y + half);
  const [acrossX, acrossY] = toImage(box.x + half + 1 / scale, box.y + half);
  const [downX, downY] = toImage(box.x + half, box.y + half + 1 / scale);
  for (let y = 0; y < sheet.height; y += 1) {
    let sourceX = startX + y * (downX - startX);
    let sourceY = startY + y * (downY - startY);
    for (let x = 0; x < sheet.width; x += 1) {
      const [column, row] = [Math.floor(sourceX), Math.floor(sourceY)];
      if (column >= 0 && row >= 0 && column < image.width && row < image.height) {
        const pixel = y * sheet.width + x;
        const shade = image.gray[row * image.width + column] ?? WHITE;
        if (shade < (sheet.gray[pixel] ?? WHITE)) sheet.gray[pixel] = shade;
      }
      sourceX += acrossX - startX;
      sourceY += acrossY - startY;
    }
  }
}
