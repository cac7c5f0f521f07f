import { computeArea, type Box, holds } from "../page.ts";
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

export type PaintedAreas = ReturnType<typeof createPaintedAreas>;

/** Painted areas in order, to see which text is visible. */
export function createPaintedAreas() {
  const areas: Painted[] = [];
  let last = 0;

  return { next, add, count, hasContrast, isCovered };

  function next(): number {
    return (last += 1);
  }

  function add(box: Box, color: Color, isOpaque: boolean): void {
    if (box.width >= SMALLEST_AREA && box.height >= SMALLEST_AREA) areas.push({ box, color, isOpaque, order: next() });
  }

  function count(): number {
    return areas.length;
  }

  function hasContrast(box: Box, color: Color): boolean {
    const background = areas.findLast((painted) => holds(painted.box, box));
    return background?.isOpaque === false || differs(color, background ? background.color : WHITE);
  }

  /** Whether later paint covers it. */
  function isCovered(box: Box, order: number): boolean {
    const later = areas.slice(areas.findLastIndex((painted) => painted.order < order) + 1);
    return later.some(
      ({ box: cover, isOpaque }) => isOpaque && computeArea(overlap(cover, box)) >= 0.9 * computeArea(box),
    );
  }
}

function differs(first: Color, second: Color): boolean {
  return (
    first === undefined ||
    second === undefined ||
    first.some((channel, n) => Math.abs(channel - second[n]!) >= LEAST_CONTRAST)
  );
}
