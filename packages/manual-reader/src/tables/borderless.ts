import { findRole, isVague } from "../parts/headers.ts";
import { groupRows } from "../text/lines.ts";
import { splitCells, findColumns } from "./columns.ts";
import { isFigure, joinText, withoutEmpty, type Grid } from "./grid.ts";
import { getMiddle } from "../page.ts";
import type { Piece, Rows } from "./pieces.ts";
import { findGutters, prosePieces } from "./prose.ts";

/** Times the font size, between rows of a table. */
const FARTHEST = 3.2;
/** Times the font size, between the lines of a header. */
const CLOSE = 0.6;
const CAPTION = /^(?:(?:table|tabelle|tableau|figure|illustration|source|note)s?\b|(?:tab|fig)\.)/i;

/** Tables without lines: texts in columns. */
export function borderlessTables(pieces: readonly Piece[]): Grid[] {
  const rows = groupRows(pieces.filter(({ isTurned }) => !isTurned));
  const prose = prosePieces(rows);
  const gutters = findGutters([...prose]);
  const cells = rows.map((row) => row.filter((piece) => !prose.has(piece)));
  const tables: { rows: Rows; grid: Grid }[] = [];
  for (const region of splitRegions(cells)) {
    const above = tables.at(-1);
    // A few rows below a heading, in the columns of the table above.
    if (above && isInColumns(region, above.rows)) {
      const rows = [...above.rows, ...region];
      tables.splice(-1, 1, { rows, grid: buildGrid(rows) ?? above.grid });
      continue;
    }
    const grid = buildGrid(region);
    if (grid && isTable(grid) && gutters.every((gutter) => canSpan(grid, gutter))) tables.push({ rows: region, grid });
  }
  return tables.map(({ grid }) => grid);
}

/** Columns that a row fills, at least; times the font size that its texts may begin elsewhere. */
const FEWEST_FILLED = 3;
const BEGINS_NEAR = 0.5;
const FEWEST_ROWS = 3;

/** Whether rows are too few for a table, and fill most of the columns of one, where its texts begin. */
function isInColumns(region: Rows, table: Rows): boolean {
  const columns = findColumns(table.filter((row) => row.length >= 2));
  const begins = table.flat();
  const isPlaced = (piece: Piece): boolean =>
    begins.some(({ x }) => Math.abs(x - piece.x) < BEGINS_NEAR * piece.fontSize);
  const rows = region.filter((row) => row.length > 1);
  return (
    rows.length > 0 &&
    rows.length < FEWEST_ROWS &&
    rows.every(
      (row) =>
        row.length >= Math.max(FEWEST_FILLED, columns.length - 1) &&
        row.length <= columns.length &&
        row.every(isPlaced),
    )
  );
}

/** Close rows, from the first with several texts to the last. */
function splitRegions(rows: Rows): Rows[] {
  const regions: Rows[] = [];
  let region: (readonly Piece[])[] = [];
  const close = (): void => {
    if (region.length > 0) regions.push(withoutSingleEnds(region));
    region = [];
  };
  let previous: readonly Piece[] = [];
  let bottom = -Infinity;
  for (const row of rows) {
    if (row.length === 0 || CAPTION.test(row[0]!.text)) {
      close();
      continue;
    }
    const size = Math.max(...row.map(({ fontSize }) => fontSize));
    const top = Math.min(...row.map(({ y }) => y));
    if (top - bottom > FARTHEST * size - size || isBesideList(row, region)) close();
    if (region.length > 0 && headsParts(row.map(({ text }) => text))) {
      // A header may have a line above it.
      const lead = (region.at(-1)?.length ?? 0) > 1 && top - bottom < CLOSE * size ? region.splice(-1) : [];
      close();
      region = lead;
    }
    if (region.length === 0 && row.length >= 2 && isLead(previous, row)) region.push(previous);
    if (region.length > 0 || row.length >= 2) region.push(row);
    previous = row;
    bottom = Math.max(...row.map(({ y, height }) => y + height));
  }
  close();
  return regions;
}

/** Times the gap between a list's rows, that one of something else stands below it. */
const FARTHER = 1.5;

/** Whether a row stands apart from the list above it, and begins left of it, as none of the list's rows does. */
function isBesideList(row: readonly Piece[], region: Rows): boolean {
  const [header = [], ...body] = region;
  const [[first], [last], [head]] = [row, region.at(-1) ?? [], header];
  if (!first || !last || !head || body.length < 2 || !headsParts(header.map(({ text }) => text))) return false;
  const left = Math.min(...region.flat().map(({ x }) => x));
  const pitch = (getMiddle(last) - getMiddle(head)) / body.length;
  return first.x + first.width < left && getMiddle(first) - getMiddle(last) > FARTHER * pitch;
}

/**
 * Whether a line begins a text of a later column, whose other lines stand level with the row below it, or under this.
 */
function isLead([text, second]: readonly Piece[], row: readonly Piece[]): boolean {
  const [first] = row;
  if (!text || !first || second || text.x < first.x + first.width || isFigure(text.text)) return false;
  const below = row.find(({ x, fontSize }) => Math.abs(x - text.x) < BEGINS_NEAR * fontSize);
  return below ? follows([text], [below]) : text.y + text.height > first.y;
}

/** Remarks are not part of the table; lines that go on under a later column are. */
function withoutSingleEnds(region: Rows): Rows {
  const last = region.findLastIndex((row) => row.length > 1);
  const [first] = region[last] ?? [];
  const rest = region.slice(last + 1).findIndex(([piece]) => piece!.x < first!.x + first!.width);
  return region.slice(0, rest === -1 ? undefined : last + 1 + rest);
}

function buildGrid(region: Rows): Grid | undefined {
  const columns = findColumns(region.filter((row) => row.length >= 2));
  if (columns.length < 2) return undefined;
  return withoutEmpty(joinRows(region.map((row) => splitCells(row, columns))));
}

/** Excludes lists, addresses and pairs of texts. */
function isTable(grid: Grid): boolean {
  const columns = grid[0]?.length ?? 0;
  if (grid.length < 2 || columns < 2) return false;
  const texts = grid.map((row) => row.map(joinText));
  if (headsParts(texts[0]!)) return true;
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  if (filled < 0.4 * grid.length * columns) return false;
  if (isAxis(texts)) return false;
  const withFigures = texts.filter((row) => row.slice(1).some(isFigure)).length;
  return grid.length >= FEWEST_ROWS && (columns >= 3 || withFigures >= 0.5 * grid.length);
}

/** Whether a table is on one side of a gutter between columns of prose, or is no pair of headings or notes in these. */
function canSpan(grid: Grid, gutter: number): boolean {
  const isLeft = ({ x }: Piece): boolean => x < gutter;
  const sides = grid.map((row) => new Set(row.flat().map(isLeft)));
  const isOnOneSide = new Set(grid.flat(2).map(isLeft)).size < 2;
  return (
    isOnOneSide ||
    sides.filter(({ size }) => size === 2).length >= FEWEST_ROWS ||
    headsParts((grid[0] ?? []).map(joinText))
  );
}

/** Such a list may have a single row. Beside the numbers, a list without names has a measure: `Order No.`, `Length`. */
function headsParts(headers: readonly string[]): boolean {
  const roles = headers.map(findRole);
  if (!roles.includes("partNumber")) return false;
  if (roles.filter((role) => role !== undefined).length >= 2) return true;
  return headers.length === 2 && headers.every((header) => MEASURED.test(header) && !isVague(header));
}

const MEASURED = /^\p{Lu}[\p{L} .-]{2,20}$/u;

const NUMBER = /^-?[\d.,]+%?$/;
/** Of the filled cells. */
const MARKS = 0.6;

/** A chart's marks: numbers at equal steps. */
function isAxis(texts: readonly string[][]): boolean {
  const marks = texts[0]!
    .map((_, n) => texts.flatMap((row) => (NUMBER.test(row[n]!) ? [Number.parseFloat(row[n]!.replace(",", ""))] : [])))
    .filter((numbers) => numbers.length > 0);
  if (marks.flat().length < MARKS * texts.flat().filter((text) => text !== "").length) return false;
  return marks.every(
    (numbers) =>
      numbers.length >= 4 &&
      numbers.slice(2).every((number, n) => isNear(number - numbers[n + 1]!, numbers[1]! - numbers[0]!)),
  );
}

function isNear(first: number, second: number): boolean {
  return second !== 0 && Math.abs(first - second) < 0.01 * Math.abs(second);
}

/** Joins lines of one row. */
function joinRows(lines: Grid): Grid {
  const rows: Grid = [];
  for (const line of lines) {
    const above = rows.at(-1);
    const isHead =
      rows.length === 1 ||
      (rows.length > 1 &&
        // Below a gap, the header of a list is complete.
        !headsParts((rows[0] ?? []).map(joinText)) &&
        rows.every((row) => !row.some((cell) => cell.length > 0 && isFigure(joinText(cell)))));
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
  return !isFigure(joinText(line[only!]!)) || (above[only!]!.length > 0 && !isFigure(joinText(above[only!]!)));
}

/** Headers over one and two lines. */
function isHeading(above: readonly Piece[][], line: readonly Piece[][]): boolean {
  if (
    !follows(above.flat(), line.flat()) ||
    [...above, ...line].some((cell) => cell.length > 0 && isFigure(joinText(cell)))
  )
    return false;
  const shared = line.flatMap((cell, n) => (cell.length > 0 && above[n]!.length > 0 ? [n] : []));
  const fewer = Math.min(...[above, line].map((cells) => cells.filter((cell) => cell.length > 0).length));
  return shared.length > 0 && shared.length === fewer;
}

/** Whether it is the next line. */
function follows(upper: readonly Piece[], lower: readonly Piece[]): boolean {
  if (upper.length === 0 || lower.length === 0) return false;
  const drop = Math.min(...lower.map(({ y }) => y)) - Math.max(...upper.map(({ y }) => y));
  return drop <= CELL_LEADING * Math.max(...lower.map(({ fontSize }) => fontSize));
}
