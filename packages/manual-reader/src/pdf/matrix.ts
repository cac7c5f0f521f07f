import { Util } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Box, uniteBoxes } from "../page.ts";

/** [a, b, c, d, e, f]: x' = ax + cy + e, y' = bx + dy + f. Source: ISO 32000-1, 8.3.3 */
export type Matrix = readonly number[];
/** In points, y downwards on a page. */
export type Point = readonly [x: number, y: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** `inner` first. */
export const multiply: (outer: Matrix, inner: Matrix) => Matrix = Util.transform;

export function apply([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix, x: number, y: number): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

export function keepsAxes([a = 1, b = 0, c = 0, d = 1]: Matrix): boolean {
  const slack = 0.01 * Math.hypot(a, b, c, d);
  return (Math.abs(b) < slack && Math.abs(c) < slack) || (Math.abs(a) < slack && Math.abs(d) < slack);
}

export function boxAround(points: readonly Point[]): Box {
  return uniteBoxes(points.map(([x, y]) => ({ x, y, width: 0, height: 0 })));
}

/** Of two opposite corners. */
export function transformBox(matrix: Matrix, x1: number, y1: number, x2: number, y2: number): Box {
  return boxAround([apply(matrix, x1, y1), apply(matrix, x2, y1), apply(matrix, x1, y2), apply(matrix, x2, y2)]);
}

/** A side is below 0 if they share nothing. */
export function overlap(first: Box, second: Box): Box {
  const x = Math.max(first.x, second.x);
  const y = Math.max(first.y, second.y);
  return {
    x,
    y,
    width: Math.min(first.x + first.width, second.x + second.width) - x,
    height: Math.min(first.y + first.height, second.y + second.height) - y,
  };
}
