import { isTelling } from "../parts/shapes.ts";
import { type Box, holds, getMiddle, uniteBoxes } from "../page.ts";
import { groupRows } from "../text/lines.ts";
import { splitColumns } from "./columns.ts";
import { type Grid, isFigure, joinText, withoutEmpty } from "./grid.ts";
import { type Piece, cutStretch } from "./pieces.ts";
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
  const xs = listEdges(vertical, horizontal);
  const ys = listEdges(horizontal, vertical);
  if (xs.length < 3 || ys.length < 3) return undefined;
  const box = { x: xs[0]!, y: ys[0]!, width: xs.at(-1)! - xs[0]!, height: ys.at(-1)! - ys[0]! };
  const within = pieces.filter((piece) => holds(box, piece)).flatMap((piece) => partedAtRules(piece, vertical));
  const cells = spanningCells(xs, ys, { horizontal, vertical });
  const placedPieces = within.map((piece) => {
    const column = indexIn(xs, piece.x + piece.width / 2);
    const row = indexIn(ys, getMiddle(piece));
    const cell = cells[row]![column]!;
    const isWithin = piece.x >= xs[column]! - MEETS && piece.x + piece.width <= xs[column + 1]! + MEETS;
    return { piece, row, column, cell, isWithin };
  });
  const grid: Grid = ys.slice(1).map(() => xs.slice(1).map(() => []));
  for (const spanning of Map.groupBy(placedPieces, ({ cell }) => cell.join()).values()) {
    const columns = new Set(spanning.map(({ column }) => column));
    // Texts that each keep to a column are cells without lines.
    const isParted = columns.size > 1 && spanning.every(({ isWithin }) => isWithin);
    const hasRows = isOfSeveralRows(spanning, placedPieces, cells);
    for (const { piece, row, column, cell } of spanning)
      grid[hasRows ? row : cell[0]]![isParted ? column : cell[1]]!.push(piece);
  }
  const header = findHeaderAbove(grid, { xs, box }, pieces);
  const distinctCells = new Set(cells.flat().map((cell) => cell.join())).size;
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  const headed = header.length === 0 ? grid : [toHeaderRow(header, xs), ...grid];
  const split = withoutEmpty(splitColumns(splitRows(joinColumns(withoutEmpty(headed)))));
  if (split.length < 2 || (split[0]?.length ?? 0) < 2 || filled < LEAST_FILLED * distinctCells || filled < 4)
    return undefined;
  return split.flat().some((cell) => joinText(cell) !== "")
    ? { grid: split, box: uniteBoxes([box, ...header]) }
    : undefined;
}

/** A text, with the row and column that it is in, and the cell that they belong to. */
interface PlacedPiece {
  piece: Piece;
  row: number;
  column: number;
  cell: Place;
}

/** Of a text's height. */
const SAME_LINE = 0.2;

/** Whether a cell of several rows has a line in each, level with texts of cells that are of this row alone. */
function isOfSeveralRows(
  spanning: readonly PlacedPiece[],
  placedPieces: readonly PlacedPiece[],
  cells: readonly (readonly Place[])[],
): boolean {
  const [first] = spanning;
  if (!first) return false;
  const rows = cells.flatMap((row, index) => (row[first.column]?.join() === first.cell.join() ? index : []));
  const isAlone = ({ row, column }: PlacedPiece): boolean =>
    cells[row]?.[column]?.[0] === row && cells[row + 1]?.[column]?.[0] !== row;
  const isLevel = (left: Piece, right: Piece): boolean =>
    Math.abs(getMiddle(left) - getMiddle(right)) < SAME_LINE * left.height;
  return (
    rows.length > 1 &&
    rows.every((index) => spanning.some(({ row }) => row === index)) &&
    spanning.every(({ piece, row }) =>
      placedPieces.some((neighbour) => neighbour.row === row && isAlone(neighbour) && isLevel(piece, neighbour.piece)),
    )
  );
}

/** Times the font size, between a frame and the headers above it. */
const ABOVE = 1.5;
const FEWEST_HEADERS = 3;

/** Finds the headers that stand in a line right above a frame, each over a column of its own, if it has none within. */
function findHeaderAbove(
  grid: Grid,
  { xs, box }: { xs: readonly number[]; box: Box },
  pieces: readonly Piece[],
): Piece[] {
  const first = grid.find((row) => row.some((cell) => cell.length > 0)) ?? [];
  if (!first.some((cell) => isFigure(joinText(cell)))) return [];
  const near = pieces.filter(
    (piece) =>
      !piece.isTurned &&
      piece.y + piece.height <= box.y + MEETS &&
      piece.y + piece.height >= box.y - ABOVE * piece.fontSize &&
      piece.x + piece.width / 2 > box.x &&
      piece.x + piece.width / 2 < box.x + box.width,
  );
  const line = Math.max(...near.map(getMiddle));
  const above = near.filter((piece) => getMiddle(piece) >= line - piece.height);
  const columns = new Set(above.map((piece) => indexIn(xs, piece.x + piece.width / 2)));
  const filled = xs.slice(1).filter((_, column) => grid.some((row) => (row[column]?.length ?? 0) > 0)).length;
  const isHeader =
    above.length >= FEWEST_HEADERS &&
    columns.size === above.length &&
    columns.size >= filled / 2 &&
    !above.some(({ text }) => isFigure(text));
  return isHeader ? above : [];
}

function toHeaderRow(header: readonly Piece[], xs: readonly number[]): Piece[][] {
  return xs.slice(1).map((_, column) => header.filter((piece) => indexIn(xs, piece.x + piece.width / 2) === column));
}

/** Places of rules, and where those across them end. */
function listEdges(rules: readonly Rule[], across: readonly Rule[]): number[] {
  const ends = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))];
  return groupNear([...rules, ...ends.map((position) => ({ at: position }))], MEETS).map(([first]) => first!.at);
}

/** Splits a text that was drawn at once over several cells. */
function partedAtRules(piece: Piece, vertical: readonly Rule[]): Piece[] {
  const middle = getMiddle(piece);
  for (const { at: position, from, to } of vertical) {
    if (middle < from || middle > to || position < piece.x + MEETS || position > piece.x + piece.width - MEETS)
      continue;
    const parts = [...piece.text.matchAll(/\s+/g)].flatMap(({ index }) => {
      const [first, rest] = [cutStretch(piece, 0, index), cutStretch(piece, index, piece.text.length)];
      return first && rest ? [{ first, rest, away: Math.abs((first.x + first.width + rest.x) / 2 - position) }] : [];
    });
    const best = parts.sort((left, right) => left.away - right.away)[0];
    if (best && best.away < piece.fontSize)
      return [best.first, best.rest].flatMap((part) =>
        partedAtRules(
          part,
          vertical.filter((rule) => rule.at !== position),
        ),
      );
  }
  return [piece];
}

/** A cell as it is put together: places from the first to the last, row by row. */
interface Span {
  row: number;
  column: number;
  width: number;
  places: number[];
}

/** The cell of each place; places without a line between them are one cell if they form a rectangle. */
function spanningCells(xs: readonly number[], ys: readonly number[], { horizontal, vertical }: Rules): Place[][] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const readEdge = (edges: readonly number[], n: number): number => edges[n] ?? Infinity;
  const isOpenRight = (row: number, column: number): boolean =>
    column + 1 < columns && !isParted(vertical, readEdge(xs, column + 1), readEdge(ys, row), readEdge(ys, row + 1));
  const isOpenBelow = (row: number, column: number): boolean =>
    row + 1 < rows && !isParted(horizontal, readEdge(ys, row + 1), readEdge(xs, column), readEdge(xs, column + 1));
  const { findRoot, join } = disjoint(rows * columns);
  const opensRight = new Set<number>();
  const opensBelow = new Set<number>();
  for (let place = 0; place < rows * columns; place += 1) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    if (isOpenRight(row, column)) {
      opensRight.add(place);
      join(place, place + 1);
    }
    if (isOpenBelow(row, column)) {
      opensBelow.add(place);
      join(place, place + columns);
    }
  }
  const cells: Place[][] = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column): Place => [row, column]),
  );
  const places = Array.from({ length: rows * columns }, (_, place) => place);
  for (const group of Map.groupBy(places, findRoot).values()) {
    const spans = isRectangle(group, columns)
      ? [toSpan(group, columns)]
      : splitIntoRectangles(group, columns, opensRight, opensBelow);
    for (const { row, column, places: within } of spans)
      for (const place of within) cells[Math.floor(place / columns)]?.splice(place % columns, 1, [row, column]);
  }
  return cells;
}

function toSpan(places: number[], columns: number): Span {
  const [first = 0] = places;
  const last = places.at(-1) ?? first;
  return {
    row: Math.floor(first / columns),
    column: first % columns,
    width: (last % columns) - (first % columns) + 1,
    places,
  };
}

function isRectangle(group: readonly number[], columns: number): boolean {
  const lines = new Set(group.map((place) => Math.floor(place / columns)));
  const within = group.map((place) => place % columns);
  return group.length === lines.size * (Math.max(...within) - Math.min(...within) + 1);
}

/** Runs of places in a row, with those below them that are as wide and open to them along all their width. */
function splitIntoRectangles(
  group: readonly number[],
  columns: number,
  opensRight: ReadonlySet<number>,
  opensBelow: ReadonlySet<number>,
): Span[] {
  const runs: number[][] = [];
  for (const place of group) {
    const run = runs.at(-1);
    if (run?.at(-1) === place - 1 && opensRight.has(place - 1)) run.push(place);
    else runs.push([place]);
  }
  const spans: Span[] = [];
  for (const span of runs.map((run) => toSpan(run, columns))) {
    const isOpen = span.places.every((place) => opensBelow.has(place - columns));
    const upper = spans.find(
      ({ column, width, places }) =>
        isOpen &&
        column === span.column &&
        width === span.width &&
        places.at(-1) === (span.places.at(-1) ?? 0) - columns,
    );
    if (upper) upper.places.push(...span.places);
    else spans.push(span);
  }
  return spans;
}

function isParted(rules: readonly Rule[], position: number, from: number, to: number): boolean {
  const length = rules
    .filter((rule) => Math.abs(rule.at - position) <= MEETS)
    .reduce((sum, rule) => sum + Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from)), 0);
  return length >= PARTING * (to - from);
}

function indexIn(edges: readonly number[], position: number): number {
  let n = 0;
  while (n < edges.length - 2 && position >= edges[n + 1]!) n += 1;
  return n;
}

/**
 * Joins columns that lie over one another and of which each row fills one: lines of header and body that do not meet.
 */
function joinColumns(grid: Grid): Grid {
  const columns = (grid[0] ?? []).map((_, n) => grid.map((row) => row[n] ?? []));
  const joined: Grid = [];
  for (const column of columns) {
    const last = joined.at(-1);
    if (last && isSameColumn(last, column))
      joined.splice(
        -1,
        1,
        last.map((cell, n) => [...cell, ...(column[n] ?? [])]),
      );
    else joined.push(column);
  }
  return grid.map((_, n) => joined.map((column) => column[n] ?? []));
}

function isSameColumn(left: readonly Piece[][], right: readonly Piece[][]): boolean {
  if (left.some((cell, n) => cell.length > 0 && (right[n]?.length ?? 0) > 0)) return false;
  const [first, second] = [uniteBoxes(left.flat()), uniteBoxes(right.flat())];
  const lap = Math.min(first.x + first.width, second.x + second.width) - Math.max(first.x, second.x);
  return lap > OVER_ONE_ANOTHER * Math.min(first.width, second.width);
}

/** Of the narrower column. */
const OVER_ONE_ANOTHER = 0.5;

/** Splits a row with several lines of figures. */
function splitRows(grid: Grid): Grid {
  return grid.flatMap((row) => {
    const lines = groupRows(row.flat().filter(({ isTurned }) => !isTurned));
    if (lines.length < 2) return [row];
    const cellsOfLine = lines.map((line) => {
      const cells = row.map((cell) => joinText(cell.filter((piece) => line.includes(piece))));
      const texts = cells.filter((text) => text !== "");
      return { line, cells, count: texts.length, figures: texts.filter(isFigure).length };
    });
    const most = Math.max(...cellsOfLine.map(({ count }) => count));
    const isNumbered = areNumbered(cellsOfLine.map(({ cells }) => cells));
    const isRow = ({ count, figures }: { count: number; figures: number }): boolean => figures > 0 && count === most;
    // Nearly all lines fill all columns.
    const isList = most >= 3 && cellsOfLine.filter(isRow).length >= Math.max(FEWEST_ROWS, ROWS_SHARE * lines.length);
    const anchors = cellsOfLine
      .filter(
        (line) =>
          isNumbered(line.cells) ||
          line.figures >= LEAST_FIGURES ||
          (isRow(line) && (isList || most >= LEAST_FILLED_CELLS)),
      )
      .map(({ line }) => line);
    if (anchors.length < 2) return [row];
    const middles = anchors.map(middleOfLine);
    const anchorOf = new Map(
      lines.flatMap((line) => line.map((piece) => [piece, nearest(middles, middleOfLine(line))] as const)),
    );
    return anchors.map((_, n) => row.map((cell) => cell.filter((piece) => (anchorOf.get(piece) ?? 0) === n)));
  });
}

/** Finds the column of long numbers, each beside words: a line with one is a row, and one with a position and words. */
function areNumbered(lines: readonly string[][]): (cells: readonly string[]) => boolean {
  const isNumbered = (cells: readonly string[], column: number): boolean =>
    /^\S+$/.test(cells[column] ?? "") &&
    isTelling(cells[column] ?? "") &&
    cells.some((cell, n) => n !== column && /\p{L}{2}/u.test(cell));
  const column = (lines[0] ?? []).findIndex((_, n) => {
    const filled = lines.filter((cells) => cells[n] !== "");
    return filled.length > 1 && filled.every((cells) => isNumbered(cells, n));
  });
  return (cells) =>
    column !== -1 && (cells[column] !== "" || (cells.some(isFigure) && cells.filter((cell) => cell !== "").length > 1));
}

/** Columns with a figure that make a line a row; columns of one that fills as many as any. */
const LEAST_FIGURES = 2;
const LEAST_FILLED_CELLS = 4;
/** Of three columns, lines that each are a row, and their share. */
const FEWEST_ROWS = 5;
const ROWS_SHARE = 0.8;

function middleOfLine(line: readonly Piece[]): number {
  return line.reduce((sum, piece) => sum + getMiddle(piece), 0) / line.length;
}

function nearest(numbers: readonly number[], to: number): number {
  return numbers.reduce((best, number, n) => (Math.abs(number - to) < Math.abs(numbers[best]! - to) ? n : best), 0);
}
