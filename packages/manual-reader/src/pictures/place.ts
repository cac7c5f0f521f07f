import type { Box } from "../page.ts";
import { apply, type Matrix } from "../pdf/matrix.ts";
import { freePixels, openPixels, type Pixels } from "./pixels.ts";
import { type Raster, WHITE } from "./raster.ts";

export const POINTS_PER_INCH = 72;

/** An image as a page places it: `matrix` maps the unit square, whose top edge is at 1, to points of the page. */
export interface PlacedImage {
  pixels: Pixels;
  matrix: Matrix;
}

/** Draws images in shades of gray as a box of the page shows them, at a number of dots an inch. */
export function createSheet(box: Box, dpi: number) {
  const scale = dpi / POINTS_PER_INCH;
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const raster: Raster = { width, height, gray: new Uint8Array(width * height).fill(WHITE) };
  let isBlank = true;
  return {
    raster,
    place: async ({ pixels, matrix }: PlacedImage): Promise<void> => {
      const image = await toGray(pixels, matrix, scale);
      placeOn(raster, image, { matrix, box, scale, isBlank });
      isBlank = false;
      freePixels(image.gray);
    },
  };
}

/** Turns an image into shades of gray, about as large as the page shows it. */
async function toGray(pixels: Pixels, [a = 1, b = 0, c = 0, d = 1]: Matrix, scale: number): Promise<Raster> {
  const { channels } = pixels;
  const opaque = openPixels(pixels).flatten({ background: "#ffffff" });
  // Green is nearly as bright as all three together, which takes three times as long to find out.
  const shades = channels === undefined ? opaque.greyscale() : opaque.extractChannel(channels > 2 ? "green" : 0);
  const { data: gray, info } = await shades
    .resize(Math.max(1, Math.round(Math.hypot(a, b) * scale)), Math.max(1, Math.round(Math.hypot(c, d) * scale)), {
      fit: "fill",
      // Lists show as by the usual one, which takes half as long again.
      kernel: "mitchell",
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, gray: new Uint8Array(gray.buffer, gray.byteOffset, gray.length) };
}

/** Looks each pixel up in the image; the darker one stays, as masks are drawn over each other. */
function placeOn(
  sheet: Raster,
  { width, height, gray }: Raster,
  { matrix, box, scale, isBlank }: { matrix: Matrix; box: Box; scale: number; isBlank: boolean },
): void {
  const [a = 1, b = 0, c = 0, d = 1] = matrix;
  const determinant = a * d - b * c;
  if (determinant === 0) return;
  const toImage = (px: number, py: number): readonly [number, number] => {
    const [ox, oy] = apply(matrix, 0, 0);
    const [dx, dy] = [px - ox, py - oy];
    const u = (d * dx - c * dy) / determinant;
    const v = (a * dy - b * dx) / determinant;
    return [u * width, (1 - v) * height];
  };
  // Of the middle of the first pixel; the rest is steps.
  const half = 0.5 / scale;
  const [startX, startY] = toImage(box.x + half, box.y + half);
  const [acrossX, acrossY] = toImage(box.x + half + 1 / scale, box.y + half);
  const [downX, downY] = toImage(box.x + half, box.y + half + 1 / scale);
  const [stepX, stepY] = [acrossX - startX, acrossY - startY];
  const paper = sheet.gray;
  const darken = (pixel: number, source: number): void => {
    const shade = gray[source] ?? WHITE;
    if (shade < (paper[pixel] ?? WHITE)) paper[pixel] = shade;
  };
  // Of the same size, upright: whole rows.
  const isCopy = Math.abs(stepX - 1) * sheet.width < 0.5 && Math.abs(stepY) * sheet.width < 0.5;
  for (let y = 0; y < sheet.height; y += 1) {
    let sourceX = startX + y * (downX - startX);
    let sourceY = startY + y * (downY - startY);
    const first = y * sheet.width;
    if (isCopy) {
      const [left, row] = [Math.floor(sourceX), Math.floor(sourceY)];
      const end = row < 0 || row >= height ? 0 : Math.min(sheet.width, width - left);
      const begin = Math.max(0, -left);
      const from = row * width + left;
      if (isBlank && end > begin) paper.set(gray.subarray(from + begin, from + end), first + begin);
      else for (let x = begin; x < end; x += 1) darken(first + x, from + x);
      continue;
    }
    for (let x = 0; x < sheet.width; x += 1) {
      if (sourceX >= 0 && sourceY >= 0 && sourceX < width && sourceY < height)
        darken(first + x, Math.trunc(sourceY) * width + Math.trunc(sourceX));
      sourceX += stepX;
      sourceY += stepY;
    }
  }
}
