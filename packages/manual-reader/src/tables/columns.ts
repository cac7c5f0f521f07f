import type { Box } from "../page.ts";
import { groupRows } from "../text/lines.ts";
import type { Grid } from "./grid.ts";
import { type Piece, type Rows, cutStretch } from "./pieces.ts";

type Column = Pick<Box, "x" | "width">;

/** Times the font size: overlap of columns, as by slanted letters. */
const LAP = 0.15;
/** A text is a heading of several columns if it lies over several in this share of rows. */
const SPANS_IN = 0.35;

export function findColumns(rows: Rows): Column[] {
  const pieces = rows.flat();
  const single = pieces.filter((piece) => !spansSeveral(piece, rows));
  const columns: Column[] = [];
  for (const { x, width, fontSize } of [...single].sort((left, right) => left.x - right.x)) {
    const last = columns.at(-1);
    if (last && x < last.x + last.width - LAP * fontSize) last.width = Math.max(last.width, x + width - last.x);
    else columns.push({ x, width });
  }
  return columns.flatMap((column) => partedColumn(column, rows));
}

/** Splits a column with two texts in most rows. */
function partedColumn(column: Column, rows: Rows): Column[] {
  const within = rows
    .map((row) => row.filter((piece) => lap(piece, column) > 0.5 * piece.width))
    .filter((row) => row.length > 0);
  const several = within.filter((row) => row.length > 1);
  if (several.length < DOUBLED_IN * within.length || within.length < LEAST_DOUBLED) return [column];
  // Beyond its edges, where texts overhang it, nothing is left to split.
  const gaps = several
    .flatMap((row) => row.slice(1).map((piece, n) => (piece.x + row[n]!.x + row[n]!.width) / 2))
    .filter((gap) => gap > column.x && gap < column.x + column.width);
  const across = (edge: number): number =>
    within.flat().filter(({ x, width, fontSize }) => x + LAP * fontSize < edge && x + width - LAP * fontSize > edge)
      .length;
  const best = gaps.reduce((first, second) => (across(second) < across(first) ? second : first), gaps[0] ?? column.x);
  if (gaps.length === 0 || across(best) > SPANS_IN * within.length) return [column];
  return [
    { x: column.x, width: best - column.x },
    { x: best, width: column.x + column.width - best },
  ].flatMap((part) => partedColumn(part, rows));
}

/** Of its rows. */
const DOUBLED_IN = 0.6;
const LEAST_DOUBLED = 4;

/** Splits columns whose cells hold columns without a line between them. */
export function splitColumns(grid: Grid): Grid {
  const within = (grid[0] ?? []).map((_, n) => {
    const cells = grid.map((row) => row[n]!).filter((cell) => cell.length > 0);
    const several = cells.filter((cell) => cell.length > 1 && groupRows(cell).length === 1);
    return several.length >= Math.max(LEAST_DOUBLED, DOUBLED_IN * cells.length) ? findColumns(several) : [];
  });
  return grid.map((row) => row.flatMap((cell, n) => (within[n]!.length > 1 ? splitCells(cell, within[n]!) : [cell])));
}

function spansSeveral(piece: Piece, rows: Rows): boolean {
  let over = 0;
  let overSeveral = 0;
  for (const row of rows) {
    if (row.includes(piece)) continue;
    const below = row.filter((neighbour) => lap(piece, neighbour) > LAP * neighbour.fontSize).length;
    if (below > 0) over += 1;
    if (below > 1) overSeveral += 1;
  }
  return overSeveral > 0 && overSeveral >= SPANS_IN * over;
}

function lap(first: Column, second: Column): number {
  return Math.min(first.x + first.width, second.x + second.width) - Math.max(first.x, second.x);
}

/** Times the font size: a word this close begins the column. */
const BEGINS_WITHIN = 0.6;

/** Splits a piece at a word that begins a column. */
function partedAtColumns(piece: Piece, columns: readonly Column[]): Piece[] {
  const indexes = columnsUnder(piece, columns);
  if (indexes.length < 2) return [piece];
  for (const match of piece.text.matchAll(/\s+/g)) {
    const rest = cutStretch(piece, match.index, piece.text.length);
    const first = cutStretch(piece, 0, match.index);
    const begins =
      rest && indexes.slice(1).some((n) => Math.abs(columns[n]!.x - rest.x) <= BEGINS_WITHIN * piece.fontSize);
    if (first && rest && begins) return [first, ...partedAtColumns(rest, columns)];
  }
  return [piece];
}

export function splitCells(row: readonly Piece[], columns: readonly Column[]): Piece[][] {
  const cells: Piece[][] = columns.map(() => []);
  for (const piece of row.flatMap((rowPiece) => (row.length > 1 ? partedAtColumns(rowPiece, columns) : [rowPiece])))
    cells[columnsUnder(piece, columns)[0]!]!.push(piece);
  return cells;
}

/** By index; several under a heading. */
function columnsUnder(piece: Piece, columns: readonly Column[]): number[] {
  const indexes = columns.flatMap((column, n) => (lap(column, piece) > LAP * piece.fontSize ? [n] : []));
  if (indexes.length > 0) return indexes;
  const distance = ({ x, width }: Column): number => Math.abs(x + width / 2 - piece.x - piece.width / 2);
  return [columns.reduce((best, column, n) => (distance(column) < distance(columns[best]!) ? n : best), 0)];
}
