import { type Box, holds, middleOf } from "../page.ts";
import { rowsOf } from "../text/lines.ts";
import { splitColumns } from "./columns.ts";
import { type Grid, isFigure, textOf, withoutEmpty } from "./grid.ts";
import { type Piece, stretchOf } from "./pieces.ts";
import { disjoint, groupNear, type Rule, type Rules } from "./rules.ts";

/** Points between lines that should meet. */
const MEETS = 3;
/** Of a cell's side that a parting line covers. */
const PARTING = 0.6;
/** Of the cells; a chart has fewer. */
const LEAST_FILLED = 0.3;

/** First row and column of a cell. */
type Place = readonly [row: number, column: number];

/** Undefined if the lines are no table. */
export function ruledTable(
  { horizontal, vertical }: Rules,
  pieces: readonly Piece[],
): { grid: Grid; box: Box } | undefined {
  if (horizontal.length < 2 || vertical.length < 1) return undefined;
  const xs = edgesOf(vertical, horizontal);
  const ys = edgesOf(horizontal, vertical);
  if (xs.length < 3 || ys.length < 3) return undefined;
  const box = { x: xs[0]!, y: ys[0]!, width: xs.at(-1)! - xs[0]!, height: ys.at(-1)! - ys[0]! };
  const within = pieces.filter((piece) => holds(box, piece)).flatMap((piece) => partedAtRules(piece, vertical));
  const cells = spanningCells(xs, ys, { horizontal, vertical });
  const placed = within.map((piece) => {
    const column = indexIn(xs, piece.x + piece.width / 2);
    const cell = cells[indexIn(ys, middleOf(piece))]![column]!;
    const isWithin = piece.x >= xs[column]! - MEETS && piece.x + piece.width <= xs[column + 1]! + MEETS;
    return { piece, column, cell, isWithin };
  });
  const grid: Grid = ys.slice(1).map(() => xs.slice(1).map(() => []));
  for (const spanning of Map.groupBy(placed, ({ cell }) => cell.join()).values()) {
    const columns = new Set(spanning.map(({ column }) => column));
    // Texts that each keep to a column are cells without lines.
    const isParted = columns.size > 1 && spanning.every(({ isWithin }) => isWithin);
    for (const { piece, column, cell } of spanning) grid[cell[0]]![isParted ? column : cell[1]]!.push(piece);
  }
  const distinctCells = new Set(cells.flat().map((cell) => cell.join())).size;
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  const split = withoutEmpty(splitColumns(splitRows(grid)));
  if (split.length < 2 || (split[0]?.length ?? 0) < 2 || filled < LEAST_FILLED * distinctCells || filled < 4)
    return undefined;
  return split.flat().some((cell) => textOf(cell) !== "") ? { grid: split, box } : undefined;
}

/** Places of rules, and where those across them end. */
function edgesOf(rules: readonly Rule[], across: readonly Rule[]): number[] {
  const ends = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))];
  return groupNear([...rules, ...ends.map((at) => ({ at }))], MEETS).map(([first]) => first!.at);
}

/** Splits a text that was drawn at once over several cells. */
function partedAtRules(piece: Piece, vertical: readonly Rule[]): Piece[] {
  const middle = middleOf(piece);
  for (const { at, from, to } of vertical) {
    if (middle < from || middle > to || at < piece.x + MEETS || at > piece.x + piece.width - MEETS) continue;
    const parts = [...piece.text.matchAll(/\s+/g)].flatMap(({ index }) => {
      const [first, rest] = [stretchOf(piece, 0, index), stretchOf(piece, index, piece.text.length)];
      return first && rest ? [{ first, rest, away: Math.abs((first.x + first.width + rest.x) / 2 - at) }] : [];
    });
    const best = parts.sort((one, other) => one.away - other.away)[0];
    if (best && best.away < piece.fontSize)
      return [best.first, best.rest].flatMap((part) =>
        partedAtRules(
          part,
          vertical.filter((rule) => rule.at !== at),
        ),
      );
  }
  return [piece];
}

/** The cell of each place; cells without a line between them are one. */
function spanningCells(xs: readonly number[], ys: readonly number[], { horizontal, vertical }: Rules): Place[][] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const { rootOf, join } = disjoint(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      if (column + 1 < columns && !isParted(vertical, xs[column + 1]!, ys[row]!, ys[row + 1]!)) join(place, place + 1);
      if (row + 1 < rows && !isParted(horizontal, ys[row + 1]!, xs[column]!, xs[column + 1]!))
        join(place, place + columns);
    }
  }
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Place => {
      const root = rootOf(row * columns + column);
      return [Math.floor(root / columns), root % columns];
    }),
  );
}

function isParted(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  const length = rules
    .filter((rule) => Math.abs(rule.at - at) <= MEETS)
    .reduce((sum, rule) => sum + Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from)), 0);
  return length >= PARTING * (to - from);
}

function indexIn(edges: readonly number[], at: number): number {
  let n = 0;
  while (n < edges.length - 2 && at >= edges[n + 1]!) n += 1;
  return n;
}

/** Splits a row with several lines of figures. */
function splitRows(grid: Grid): Grid {
  return grid.flatMap((row) => {
    const lines = rowsOf(row.flat().filter(({ isTurned }) => !isTurned));
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
