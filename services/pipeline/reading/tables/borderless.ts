import { rowsOf } from "../text/lines.ts";
import { columnsOf, columnsUnder, partedAtColumns, type Column } from "./columns.ts";
import { isFigure, textOf, withoutEmpty, type Grid } from "./grid.ts";
import { median } from "./median.ts";
import type { Piece } from "./pieces.ts";
import { prosePieces } from "./prose.ts";
import { joinRows } from "./split-rows.ts";
import type { Rule, Rules } from "./rules.ts";

/** Times the font size: what is further below is no part of the same table. */
const FARTHEST = 3.2;
/** Rows of one text between rows of several. */
const MOST_SINGLES = 3;
const BULLET = /^[\u2022\u25cf\u25aa\u25a0\u25e6\u00b7\uf0b7\uf0a7]$/;
/** What stands above a table, or below it. */
const CAPTION = /^(?:(?:table|tabelle|tableau|figure|illustration|source|note)s?\b|(?:tab|fig)\.)/i;
/** Times the usual way from row to row: what is further apart is not of one table. */
const APART = 2;

/** Tables that no lines frame: texts that stand in columns, row below row. */
export function borderlessTables(pieces: readonly Piece[], rules: Rules): Grid[] {
  const rows = rowsOf(pieces.filter(({ isTurned }) => !isTurned)) as Piece[][];
  const prose = prosePieces(rows);
  const cells = rows.map((row) => joinedSymbols(row.filter((piece) => !prose.has(piece))));
  return regionsOf(cells).flatMap((region) => {
    const grid = gridOf(region, rules);
    return grid && isTable(grid) ? [grid] : [];
  });
}

/** A sign of a currency belongs to its amount, a bullet to its text. */
function joinedSymbols(row: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of row) {
    const last = joined.at(-1);
    const isSign =
      last !== undefined &&
      /^[$\u20ac\u00a3(<>\u00b1~]$/.test(last.text) &&
      piece.x - last.x - last.width < 6 * piece.fontSize;
    const isTail =
      last !== undefined && /^[%)*]+$/.test(piece.text) && piece.x - last.x - last.width < 1.5 * piece.fontSize;
    const isItem = last !== undefined && BULLET.test(last.text) && piece.x - last.x - last.width < 4 * piece.fontSize;
    if (last && isItem)
      joined[joined.length - 1] = {
        ...piece,
        text: `${last.text} ${piece.text}`,
        x: last.x,
        width: piece.x + piece.width - last.x,
      };
    else if (last && (isSign || isTail))
      joined[joined.length - 1] = { ...last, text: `${last.text}${piece.text}`, width: piece.x + piece.width - last.x };
    else joined.push(piece);
  }
  return joined;
}

/** Rows that follow each other closely, from the first with several texts to the last. */
function regionsOf(rows: readonly Piece[][]): Piece[][][] {
  const regions: Piece[][][] = [];
  let region: Piece[][] = [];
  const close = (): void => {
    regions.push(...partedByGaps(region));
    region = [];
  };
  let bottom = -Infinity;
  let singles = 0;
  for (const row of rows) {
    if (row.length === 0 || CAPTION.test(row[0]!.text)) {
      if (region.length > 0) close();
      continue;
    }
    const size = Math.max(...row.map(({ fontSize }) => fontSize));
    const top = Math.min(...row.map(({ y }) => y));
    if (top - bottom > FARTHEST * size - size) close();
    singles = row.length < 2 ? singles + 1 : 0;
    if (singles > MOST_SINGLES) close();
    if (region.length > 0 || row.length >= 2) region.push(row);
    bottom = Math.max(...row.map(({ y, height }) => y + height));
  }
  close();
  return regions;
}

/** Where rows are further apart than most, as the running head of a page is from its table, one ends. */
function partedByGaps(region: readonly Piece[][]): Piece[][][] {
  const steps = region.slice(1).map((row, n) => topOf(row) - topOf(region[n]!));
  const usual = median(steps);
  const parts: Piece[][][] = [[]];
  region.forEach((row, n) => {
    if (n > 0 && steps[n - 1]! > APART * usual) parts.push([]);
    parts.at(-1)!.push(row);
  });
  return parts.map(withoutSingleEnds).filter((part) => part.length > 1);
}

/** Titles and remarks are not of the table that they stand at. */
function withoutSingleEnds(region: readonly Piece[][]): Piece[][] {
  return region.slice(
    region.findIndex((row) => row.length > 1),
    region.findLastIndex((row) => row.length > 1) + 1,
  );
}

function topOf(row: readonly Piece[]): number {
  return Math.min(...row.map(({ y }) => y));
}

function gridOf(region: readonly Piece[][], rules: Rules): Grid | undefined {
  const columns = columnsOf(region.filter((row) => row.length >= 2));
  if (columns.length < 2) return undefined;
  return withoutEmpty(
    joinRows(
      region.map((row) => cellsOf(row, columns, rules)),
      rules,
    ),
  );
}

function cellsOf(row: readonly Piece[], columns: readonly Column[], rules: Rules): Piece[][] {
  const cells: Piece[][] = columns.map(() => []);
  for (const piece of row.flatMap((each) => (row.length > 1 ? partedAtColumns(each, columns) : [each])))
    cells[columnsUnder(withUnderline(piece, row, rules), columns)[0]!]!.push(piece);
  return cells;
}

/** A heading is as wide as the line that is drawn below it, over the columns that it names. */
function withUnderline(piece: Piece, row: readonly Piece[], { horizontal }: Rules): Piece {
  const bottom = piece.y + piece.height;
  const isOver = ({ from, to }: Rule, { x, width }: Piece): boolean => x + width / 2 > from && x + width / 2 < to;
  const line = horizontal.find(
    (rule) =>
      rule.at > bottom - 0.4 * piece.fontSize &&
      rule.at < bottom + 0.8 * piece.fontSize &&
      isOver(rule, piece) &&
      row.every((other) => other === piece || !isOver(rule, other)),
  );
  return line && row.length > 1
    ? {
        ...piece,
        x: Math.min(piece.x, line.from),
        width: Math.max(piece.x + piece.width, line.to) - Math.min(piece.x, line.from),
      }
    : piece;
}

/** Whether rows and columns say something together, or are a list, an address or two things side by side. */
function isTable(grid: Grid): boolean {
  const columns = grid[0]?.length ?? 0;
  if (grid.length < 2 || columns < 2) return false;
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  if (filled < 0.4 * grid.length * columns) return false;
  const texts = grid.map((row) => row.map(textOf));
  if (isAxis(texts)) return false;
  if (columns === 2 && texts.filter(([first]) => isBullet(first!)).length >= 0.5 * grid.length) return false;
  const withFigures = texts.filter((row) => row.slice(1).some(isFigure)).length;
  if (withFigures >= 0.5 * grid.length && grid.length >= 3) return true;
  return columns >= 3 && grid.length >= 3;
}

const NUMBER = /^-?[\d.,]+%?$/;
/** Of the cells that say anything. */
const MARKS = 0.6;

/** Marks along the side of a chart: hardly anything but numbers that go up or down by the same step. */
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

function isNear(one: number, other: number): boolean {
  return other !== 0 && Math.abs(one - other) < 0.01 * Math.abs(other);
}

function isBullet(text: string): boolean {
  return (
    text === "" || /^(?:[\u2022\u25cf\u25aa\u25a0\u2013\u2014*o\u00b7\uf0b7-]|\(?[0-9a-zA-Z]{1,3}[.)])$/.test(text)
  );
}
