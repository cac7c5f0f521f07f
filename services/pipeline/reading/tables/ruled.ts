import { type Box, holds, middleOf } from "../page.ts";
import { splitColumns } from "./columns.ts";
import { type Grid, textOf, withoutEmpty } from "./grid.ts";
import { stretchOf, type Piece } from "./pieces.ts";
import { disjoint, distinct, type Rule, type Rules } from "./rules.ts";
import { splitRows } from "./split-rows.ts";

/** Points between lines that should meet. */
const NEAR = 3;
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
    const isWithin = piece.x >= xs[column]! - NEAR && piece.x + piece.width <= xs[column + 1]! + NEAR;
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
  return distinct([...rules.map(({ at }) => at), ...ends], NEAR);
}

/** Splits a text that was drawn at once over several cells. */
function partedAtRules(piece: Piece, vertical: readonly Rule[]): Piece[] {
  const middle = middleOf(piece);
  for (const { at, from, to } of vertical) {
    if (middle < from || middle > to || at < piece.x + NEAR || at > piece.x + piece.width - NEAR) continue;
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
      if (column + 1 < columns && !isParted(vertical, xs[column + 1]!, ys[row]!, ys[row + 1]!))
        join(row * columns + column, row * columns + column + 1);
      if (row + 1 < rows && !isParted(horizontal, ys[row + 1]!, xs[column]!, xs[column + 1]!))
        join(row * columns + column, (row + 1) * columns + column);
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
    .filter((rule) => Math.abs(rule.at - at) <= NEAR)
    .reduce((sum, rule) => sum + Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from)), 0);
  return length >= PARTING * (to - from);
}

function indexIn(edges: readonly number[], at: number): number {
  let n = 0;
  while (n < edges.length - 2 && at >= edges[n + 1]!) n += 1;
  return n;
}
