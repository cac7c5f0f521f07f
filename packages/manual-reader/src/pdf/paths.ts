import type { Box } from "../page.ts";
import { apply, boxAround, type Matrix, type Point } from "./matrix.ts";

/** Coordinates of each step of pdf.js's paths: move, line, curve, quadratic curve, close. */
const COORDINATES = [2, 2, 6, 4, 0];
const MOVE = 0;
const LINE = 1;

/** Points. */
const THICKEST_LINE = 3;
/** Points that a line may lean. */
const SLANT = 0.7;
/** Points; shorter are dots and letters. */
const SHORTEST_LINE = 4;

interface Outline {
  points: Point[];
  isCurved: boolean;
}

interface ReadPath {
  lines: Box[];
  /** Upright rectangles thicker than a line. */
  bars: Box[];
  /** Other outlines. */
  others: number;
  box: Box;
}

export function readPath(steps: ArrayLike<number>, matrix: Matrix, isFilled: boolean): ReadPath {
  const outlines = traceOutlines(steps, matrix);
  const result: ReadPath = { lines: [], bars: [], others: 0, box: boxAround(outlines.flatMap(({ points }) => points)) };
  for (const outline of outlines) {
    const box = boxAround(outline.points);
    const isRectangle = !outline.isCurved && isUprightRectangle(outline.points);
    if (isFilled && isRectangle) {
      const line = lineAlong(box);
      if (!line) result.bars.push(box);
      else if (isLong(line)) result.lines.push(line);
    } else if (isFilled) {
      result.others += 1;
    } else {
      const lines = outline.isCurved ? [] : joinPoints(outline.points);
      // One by one: a path may have more lines than a call takes arguments.
      for (const line of lines) if (isLong(line)) result.lines.push(line);
      if (lines.length < outline.points.length - 1) result.others += 1;
    }
  }
  return result;
}

export function listEdges({ x, y, width, height }: Box): Box[] {
  return [
    { x, y, width, height: 0 },
    { x, y: y + height, width, height: 0 },
    { x, y, width: 0, height },
    { x: x + width, y, width: 0, height },
  ];
}

/** Undefined if it is no line. */
export function lineAlong({ x, y, width, height }: Box): Box | undefined {
  if (Math.min(width, height) > THICKEST_LINE) return undefined;
  return width >= height ? { x, y: y + height / 2, width, height: 0 } : { x: x + width / 2, y, width: 0, height };
}

/** The area of a line with so many points on each side. */
export function toBar({ x, y, width, height }: Box, margin: number): Box {
  return width >= height
    ? { x, y: y - margin, width, height: height + 2 * margin }
    : { x: x - margin, y, width: width + 2 * margin, height };
}

function traceOutlines(steps: ArrayLike<number>, matrix: Matrix): Outline[] {
  const outlines: Outline[] = [];
  let current: Outline = { points: [], isCurved: false };
  for (let n = 0; n < steps.length;) {
    const kind = steps[n]!;
    n += 1 + (COORDINATES[kind] ?? 0);
    if (kind === MOVE) outlines.push((current = { points: [], isCurved: false }));
    const point = COORDINATES[kind] ? apply(matrix, steps[n - 2]!, steps[n - 1]!) : current.points[0];
    if (point) current.points.push(point);
    if (COORDINATES[kind] && kind > LINE) current.isCurved = true;
  }
  return outlines.filter(({ points }) => points.length > 1);
}

function joinPoints(points: readonly Point[]): Box[] {
  return points.slice(1).flatMap((point, n) => {
    const box = boxAround([points[n]!, point]);
    // The leaning of a slanted line is less than its thickness may be.
    return box.height <= SLANT || box.width <= SLANT ? lineAlong(box)! : [];
  });
}

function isUprightRectangle(points: readonly Point[]): boolean {
  return (
    points.length >= 4 &&
    points.length <= 6 &&
    points.slice(1).every(([x, y], n) => Math.abs(x - points[n]![0]) <= SLANT || Math.abs(y - points[n]![1]) <= SLANT)
  );
}

function isLong({ width, height }: Box): boolean {
  return width + height >= SHORTEST_LINE;
}
