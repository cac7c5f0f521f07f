import { middleOf } from "../page.ts";
import { rowsOf } from "../text/lines.ts";
import { isFigure, textOf, type Grid } from "./grid.ts";
import type { Piece } from "./pieces.ts";

/** Splits a row with several lines of figures. */
export function splitRows(grid: Grid): Grid {
  return grid.flatMap((row) => {
    const lines = rowsOf(row.flat().filter(({ isTurned }) => !isTurned)) as Piece[][];
    if (lines.length < 2) return [row];
    const anchors = lines.filter(
      (line) =>
        row.filter((cell) => isFigure(textOf(cell.filter((piece) => line.includes(piece))))).length >= LEAST_FIGURES,
    );
    if (anchors.length < 2) return [row];
    const middles = anchors.map(middleOfLine);
    const anchorOf = new Map(
      lines.flatMap((line) => line.map((piece) => [piece, nearest(middles, middleOfLine(line))] as const)),
    );
    return anchors.map((_, n) => row.map((cell) => cell.filter((piece) => (anchorOf.get(piece) ?? 0) === n)));
  });
}

/** Columns with a figure that make a line a row. */
const LEAST_FIGURES = 2;

function middleOfLine(line: readonly Piece[]): number {
  return line.reduce((sum, piece) => sum + middleOf(piece), 0) / line.length;
}

function nearest(numbers: readonly number[], to: number): number {
  return numbers.reduce((best, number, n) => (Math.abs(number - to) < Math.abs(numbers[best]! - to) ? n : best), 0);
}

/** Joins lines of one row. */
export function joinRows(lines: Grid): Grid {
  const rows: Grid = [];
  for (const line of lines) {
    const above = rows.at(-1);
    const isHead =
      rows.length === 1 ||
      (rows.length > 1 && rows.every((row) => !row.some((cell) => cell.length > 0 && isFigure(textOf(cell)))));
    if (above && (isContinuation(above, line) || (isHead && isHeading(above, line))))
      line.forEach((cell, n) => above[n]!.push(...cell));
    else rows.push(line.map((cell) => [...cell]));
  }
  return rows;
}

/** Times the font size, within a cell. */
const CELL_LEADING = 1.5;

function isContinuation(above: readonly Piece[][], line: readonly Piece[][]): boolean {
  if (!follows(above.flat(), line.flat())) return false;
  const filled = line.flatMap((cell, n) => (cell.length > 0 ? [n] : []));
  const [only] = filled;
  if (filled.length !== 1 || only === 0) return false;
  return !isFigure(textOf(line[only!]!)) || (above[only!]!.length > 0 && !isFigure(textOf(above[only!]!)));
}

/** Headers over one and two lines. */
function isHeading(above: readonly Piece[][], line: readonly Piece[][]): boolean {
  if (
    !follows(above.flat(), line.flat()) ||
    [...above, ...line].some((cell) => cell.length > 0 && isFigure(textOf(cell)))
  )
    return false;
  const both = line.flatMap((cell, n) => (cell.length > 0 && above[n]!.length > 0 ? [n] : []));
  const fewer = Math.min(...[above, line].map((cells) => cells.filter((cell) => cell.length > 0).length));
  return both.length > 0 && both.length === fewer;
}

/** Whether it is the next line. */
function follows(upper: readonly Piece[], lower: readonly Piece[]): boolean {
  if (upper.length === 0 || lower.length === 0) return false;
  const drop = Math.min(...lower.map(({ y }) => y)) - Math.max(...upper.map(({ y }) => y));
  return drop <= CELL_LEADING * Math.max(...lower.map(({ fontSize }) => fontSize));
}
