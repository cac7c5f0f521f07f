import { areaOf, type Box } from "../page.ts";
import { overlap } from "./matrix.ts";

/** 0 to 255; undefined for a pattern or picture. */
export type Color = readonly [number, number, number] | undefined;

interface Painted {
  box: Box;
  color: Color;
  /** Fills its box, opaquely. */
  isOpaque: boolean;
  order: number;
}

/** In one channel. */
const LEAST_CONTRAST = 20;
/** Points; smaller areas are no background. */
const SMALLEST_AREA = 3;
const WHITE: Color = [255, 255, 255];

/** Painted areas in order, to see which text is visible. */
export class PaintedAreas {
  readonly #areas: Painted[] = [];
  #order = 0;

  next(): number {
    return (this.#order += 1);
  }

  add(box: Box, color: Color, isOpaque: boolean): void {
    if (box.width >= SMALLEST_AREA && box.height >= SMALLEST_AREA)
      this.#areas.push({ box, color, isOpaque, order: this.next() });
  }

  hasContrast(box: Box, color: Color): boolean {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let n = this.#areas.length - 1; n >= 0; n -= 1) {
      const painted = this.#areas[n]!;
      if (!contains(painted.box, x, y)) continue;
      return !painted.isOpaque || differs(color, painted.color);
    }
    return differs(color, WHITE);
  }

  /** Whether later paint covers it. */
  isCovered(box: Box, order: number): boolean {
    for (let n = this.#areas.length - 1; n >= 0; n -= 1) {
      const painted = this.#areas[n]!;
      if (painted.order < order) return false;
      if (painted.isOpaque && areaOf(overlap(painted.box, box)) >= 0.9 * areaOf(box)) return true;
    }
    return false;
  }
}

export function contains({ x, y, width, height }: Box, px: number, py: number): boolean {
  return px >= x && px <= x + width && py >= y && py <= y + height;
}

function differs(one: Color, other: Color): boolean {
  return (
    one === undefined ||
    other === undefined ||
    one.some((channel, n) => Math.abs(channel - other[n]!) >= LEAST_CONTRAST)
  );
}
