import type { Box, RuledLine } from "../page.ts";
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
  lines: RuledLine[];
  /** Upright rectangles thicker than a line. */
  bars: Box[];
  /** Other outlines. */
  others: number;
  box: Box;
}

export function readPath(steps: ArrayLike<number>, matrix: Matrix, isFilled: boolean): ReadPath {
  const outlines = outlinesOf(steps, matrix);
  const read: ReadPath = { lines: [], bars: [], others: 0, box: boxAround(outlines.flatMap(({ points }) => points)) };
  for (const outline of outlines) {
    const box = boxAround(outline.points);
    const isRectangle = !outline.isCurved && isUprightRectangle(outline.points);
    if (isFilled && isRectangle) {
      const line = lineAlong(box);
      if (line) read.lines.push(...(lengthOf(line) >= SHORTEST_LINE ? [line] : []));
      else read.bars.push(box);
    } else if (isFilled) {
      read.others += 1;
    } else {
      const lines = outline.isCurved ? [] : linesOf(outline.points);
      read.lines.push(...lines.filter((line) => lengthOf(line) >= SHORTEST_LINE));
      if (lines.length < outline.points.length - 1) read.others += 1;
    }
  }
  return read;
}

export function edgesOf({ x, y, width, height }: Box): RuledLine[] {
  const [right, bottom] = [x + width, y + height];
  return [
    { x1: x, y1: y, x2: right, y2: y },
    { x1: x, y1: bottom, x2: right, y2: bottom },
    { x1: x, y1: y, x2: x, y2: bottom },
    { x1: right, y1: y, x2: right, y2: bottom },
  ];
}

/** Undefined if it is no line. */
export function lineAlong({ x, y, width, height }: Box): RuledLine | undefined {
  if (Math.min(width, height) > THICKEST_LINE) return undefined;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return width >= height
    ? { x1: x, y1: middleY, x2: x + width, y2: middleY }
    : { x1: middleX, y1: y, x2: middleX, y2: y + height };
}

function outlinesOf(steps: ArrayLike<number>, matrix: Matrix): Outline[] {
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

function linesOf(points: readonly Point[]): RuledLine[] {
  return points.slice(1).flatMap(([x, y], n) => {
    const [fromX, fromY] = points[n]!;
    if (Math.abs(y - fromY) <= SLANT)
      return [{ x1: Math.min(x, fromX), y1: (y + fromY) / 2, x2: Math.max(x, fromX), y2: (y + fromY) / 2 }];
    if (Math.abs(x - fromX) <= SLANT)
      return [{ x1: (x + fromX) / 2, y1: Math.min(y, fromY), x2: (x + fromX) / 2, y2: Math.max(y, fromY) }];
    return [];
  });
}

function isUprightRectangle(points: readonly Point[]): boolean {
  return (
    points.length >= 4 &&
    points.length <= 6 &&
    points.slice(1).every(([x, y], n) => Math.abs(x - points[n]![0]) <= SLANT || Math.abs(y - points[n]![1]) <= SLANT)
  );
}

function lengthOf({ x1, y1, x2, y2 }: RuledLine): number {
  return Math.hypot(x2 - x1, y2 - y1);
}
