import type { Box } from "../page.ts";

/** A picture in shades of gray: 0 is black, 255 white; by rows from the top. */
export interface Raster {
  width: number;
  height: number;
  gray: Uint8Array;
}

export const WHITE = 255;

/** Of a shade's neighbours that count as paper. */
const NEAR_PAPER = 32;
const LEAST_PAPER = 140;
const PAPER_SHARE = 0.55;
/** Of so many pixels one is counted. */
const COUNTED = 7;
/** Darker than the paper by this much is ink. */
const CONTRAST = 70;

/** Finds below which shade ink begins; undefined for a photo, a drawing in colours or a dark picture. */
export function findInkLevel({ gray }: Pick<Raster, "gray">, leastPaper = PAPER_SHARE): number | undefined {
  const counts = new Uint32Array(256);
  for (let n = 0; n < gray.length; n += COUNTED) counts[gray[n] ?? WHITE] = (counts[gray[n] ?? WHITE] ?? 0) + 1;
  const paper = counts.indexOf(Math.max(...counts));
  if (paper < LEAST_PAPER) return undefined;
  const near = counts.slice(Math.max(0, paper - NEAR_PAPER), paper + NEAR_PAPER + 1);
  return near.reduce((sum, count) => sum + count, 0) >= (leastPaper * gray.length) / COUNTED
    ? paper - CONTRAST
    : undefined;
}

/** Turns a picture by quarters, clockwise. */
export function turnRaster(raster: Raster, quarters: number): Raster {
  let turned = raster;
  for (let n = 0; n < quarters; n += 1) {
    const { width, height, gray } = turned;
    const next = new Uint8Array(gray.length);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) next[x * height + (height - 1 - y)] = gray[y * width + x] ?? WHITE;
    turned = { width: height, height: width, gray: next };
  }
  return turned;
}

/** Cuts out a part, whole pixels. */
export function cropRaster({ width, gray }: Raster, box: Box): Raster {
  const [left, top] = [Math.ceil(box.x), Math.ceil(box.y)];
  const [wide, high] = [Math.floor(box.x + box.width) - left, Math.floor(box.y + box.height) - top];
  const part = new Uint8Array(wide * high);
  for (let y = 0; y < high; y += 1)
    part.set(gray.subarray((top + y) * width + left, (top + y) * width + left + wide), y * wide);
  return { width: wide, height: high, gray: part };
}
