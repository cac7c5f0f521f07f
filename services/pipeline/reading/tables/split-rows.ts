import { unionOf } from "../page.ts";
import { rowsOf } from "../text/lines.ts";
import { isFigure, textOf, type Grid } from "./grid.ts";
import type { Piece } from "./pieces.ts";
import type { Rules } from "./rules.ts";

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
    const middles = anchors.map(middleOf);
    const anchorOf = new Map(
      lines.flatMap((line) => line.map((piece) => [piece, nearest(middles, middleOf(line))] as const)),
    );
    return anchors.map((_, n) => row.map((cell) => cell.filter((piece) => (anchorOf.get(piece) ?? 0) === n)));
  });
}

/** Columns with a figure that make a line a row. */
const LEAST_FIGURES = 2;

function middleOf(line: readonly Piece[]): number {
  return line.reduce((sum, { y, height }) => sum + y + height / 2, 0) / line.length;
}

function nearest(numbers: readonly number[], to: number): number {
  return numbers.reduce((best, number, n) => (Math.abs(number - to) < Math.abs(numbers[best]! - to) ? n : best), 0);
}

/** Joins lines of one row. */
export function joinRows(lines: Grid, rules: Rules): Grid {
  const rows: Grid = [];
  for (const line of lines) {
    const above = rows.at(-1);
    const isHead =
      rows.length === 1 ||
      (rows.length > 1 && rows.every((row) => !row.some((cell) => cell.length > 0 && isFigure(textOf(cell)))));
    if (above && (isContinuation(above, line, rules) || (isHead && isHeading(above, line, rules))))
      line.forEach((cell, n) => above[n]!.push(...cell));
    else rows.push(line.map((cell) => [...cell]));
  }
  return rows;
}

/** Times the font size, within a cell. */
const CELL_LEADING = 1.5;
/** Times the font size. */
const ASKEW = 0.4;

function isContinuation(above: readonly Piece[][], line: readonly Piece[][], rules: Rules): boolean {
  if (!isNextLine(above, line, rules)) return false;
  const filled = line.flatMap((cell, n) => (cell.length > 0 ? [n] : []));
  const [only] = filled;
  if (filled.length !== 1 || only === 0) return false;
  return !isFigure(textOf(line[only!]!)) || (above[only!]!.length > 0 && !isFigure(textOf(above[only!]!)));
}

/** Headers over one and two lines. */
function isHeading(above: readonly Piece[][], line: readonly Piece[][], rules: Rules): boolean {
  if (!isNextLine(above, line, rules) || [...above, ...line].some((cell) => cell.length > 0 && isFigure(textOf(cell))))
    return false;
  const both = line.flatMap((cell, n) => (cell.length > 0 && above[n]!.length > 0 ? [n] : []));
  const fewer = Math.min(...[above, line].map((cells) => cells.filter((cell) => cell.length > 0).length));
  return both.length > 0 && both.length === fewer && both.every((n) => areAligned(above[n]!, line[n]!));
}

function areAligned(upper: readonly Piece[], lower: readonly Piece[]): boolean {
  const [one, other] = [unionOf(upper), unionOf(lower)];
  const slack = ASKEW * Math.max(...lower.map(({ fontSize }) => fontSize));
  return [0, 0.5, 1].some((share) => Math.abs(one.x + share * one.width - other.x - share * other.width) <= slack);
}

function isNextLine(above: readonly Piece[][], line: readonly Piece[][], { horizontal }: Rules): boolean {
  const upper = above.flat();
  const lower = line.flat();
  if (upper.length === 0 || lower.length === 0) return false;
  const { lastY, firstY, size, isBelow } = fall(upper, lower);
  return (
    isBelow &&
    !horizontal.some(
      ({ at, from, to }) =>
        at > lastY + 0.5 * size && at < firstY + 0.6 * size && lower.some(({ x, width }) => x + width > from && x < to),
    )
  );
}

/** Joins a row that only continues a name: the lines frame every line of text. */
export function joinNames(grid: Grid): Grid {
  const rows: Grid = [];
  for (const row of grid) {
    const above = rows.at(-1);
    const isRest =
      above !== undefined &&
      row.slice(1).every((cell) => cell.length === 0) &&
      above[0]!.length > 0 &&
      row[0]!.length > 0 &&
      CONTINUES.test(textOf(row[0]!)) &&
      fall(above[0]!, row[0]!).isBelow;
    if (isRest) above[0]!.push(...row[0]!);
    else rows.push(row.map((cell) => [...cell]));
  }
  return rows;
}

const CONTINUES = /^[\p{Ll}(&]/u;

/** From one text to another; `isBelow` if that is the next line. */
function fall(upper: readonly Piece[], lower: readonly Piece[]) {
  const lastY = Math.max(...upper.map(({ y }) => y));
  const firstY = Math.min(...lower.map(({ y }) => y));
  const size = Math.max(...lower.map(({ fontSize }) => fontSize));
  return { lastY, firstY, size, isBelow: firstY - lastY <= CELL_LEADING * size };
}
