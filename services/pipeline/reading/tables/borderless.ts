import { roleOf } from "../parts/columns.ts";
import { rowsOf } from "../text/lines.ts";
import { cellsOf, columnsOf } from "./columns.ts";
import { isFigure, textOf, withoutEmpty, type Grid, type Piece, type Rows } from "./grid.ts";

/** Times the font size, between rows of a table. */
const FARTHEST = 3.2;
const CAPTION = /^(?:(?:table|tabelle|tableau|figure|illustration|source|note)s?\b|(?:tab|fig)\.)/i;

/** Tables without lines: texts in columns. */
export function borderlessTables(pieces: readonly Piece[]): Grid[] {
  const rows = rowsOf(pieces.filter(({ isTurned }) => !isTurned));
  const prose = prosePieces(rows);
  const cells = rows.map((row) => row.filter((piece) => !prose.has(piece)));
  return regionsOf(cells).flatMap((region) => {
    const grid = gridOf(region);
    return grid && isTable(grid) ? [grid] : [];
  });
}

/** Close rows, from the first with several texts to the last. */
function regionsOf(rows: Rows): Rows[] {
  const regions: Rows[] = [];
  let region: (readonly Piece[])[] = [];
  const close = (): void => {
    const rows = withoutSingleEnds(region);
    if (rows.length > 1) regions.push(rows);
    region = [];
  };
  let bottom = -Infinity;
  for (const row of rows) {
    if (row.length === 0 || CAPTION.test(row[0]!.text)) {
      close();
      continue;
    }
    const size = Math.max(...row.map(({ fontSize }) => fontSize));
    const top = Math.min(...row.map(({ y }) => y));
    if (top - bottom > FARTHEST * size - size) close();
    if (region.length > 0 || row.length >= 2) region.push(row);
    bottom = Math.max(...row.map(({ y, height }) => y + height));
  }
  close();
  return regions;
}

/** Titles and remarks are not part of the table; lines that go on under a later column are. */
function withoutSingleEnds(region: Rows): Rows {
  const last = region.findLastIndex((row) => row.length > 1);
  const [first] = region[last] ?? [];
  const rest = region.slice(last + 1).findIndex(([piece]) => piece!.x < first!.x + first!.width);
  return region.slice(
    region.findIndex((row) => row.length > 1),
    rest === -1 ? undefined : last + 1 + rest,
  );
}

function gridOf(region: Rows): Grid | undefined {
  const columns = columnsOf(region.filter((row) => row.length >= 2));
  if (columns.length < 2) return undefined;
  return withoutEmpty(joinRows(region.map((row) => cellsOf(row, columns))));
}

/** Excludes lists, addresses and pairs of texts. */
function isTable(grid: Grid): boolean {
  const columns = grid[0]?.length ?? 0;
  if (grid.length < 2 || columns < 2) return false;
  const texts = grid.map((row) => row.map(textOf));
  if (headsParts(texts[0]!)) return true;
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  if (filled < 0.4 * grid.length * columns) return false;
  if (isAxis(texts)) return false;
  const withFigures = texts.filter((row) => row.slice(1).some(isFigure)).length;
  return grid.length >= 3 && (columns >= 3 || withFigures >= 0.5 * grid.length);
}

/** Such a list may have a single row. */
function headsParts(headers: readonly string[]): boolean {
  const roles = headers.map(roleOf);
  return roles.includes("partNumber") && roles.filter((role) => role !== undefined).length >= 2;
}

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

function isNear(one: number, other: number): boolean {
  return other !== 0 && Math.abs(one - other) < 0.01 * Math.abs(other);
}

/** Joins lines of one row. */
function joinRows(lines: Grid): Grid {
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

/** A line's text without gaps. */
interface Stretch extends Piece {
  pieces: Piece[];
  words: number;
}

/** Times the font size: widest justified space, leading and indent. */
const JUSTIFIED_GAP = 0.9;
const LEADING = 2;
const INDENT = 4;
const LEAST_LINES = 3;
/** Per line; of a narrow column whose lines go on in small letters. */
const LEAST_WORDS = 5;
const LEAST_WORDS_GOING_ON = 3;
/** Of the lines. */
const GOING_ON = 0.3;

/** Lines of many words with one margin. */
function prosePieces(rows: Rows): Set<Piece> {
  const stacks: Stretch[][] = [];
  for (const stretch of rows.flatMap(stretchesOf)) {
    const stack = stacks.findLast((each) => continues(each.at(-1)!, stretch));
    if (stack) stack.push(stretch);
    else stacks.push([stretch]);
  }
  return new Set(
    stacks
      .filter(isProse)
      .flat()
      .flatMap(({ pieces }) => pieces),
  );
}

function stretchesOf(row: readonly Piece[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const piece of row) {
    const last = stretches.at(-1);
    if (last && piece.x - last.x - last.width < JUSTIFIED_GAP * piece.fontSize) {
      last.pieces.push(piece);
      last.width = piece.x + piece.width - last.x;
      last.words += wordsIn(piece);
    } else stretches.push({ ...piece, pieces: [piece], words: wordsIn(piece) });
  }
  return stretches;
}

function continues(above: Stretch, below: Stretch): boolean {
  const size = Math.max(above.fontSize, below.fontSize);
  const drop = below.y - above.y;
  return (
    drop > 0 &&
    drop < LEADING * size &&
    Math.abs(above.fontSize - below.fontSize) < 0.2 * size &&
    Math.abs(above.x - below.x) < INDENT * size
  );
}

function isProse(stack: readonly Stretch[]): boolean {
  const words = stack.reduce((sum, stretch) => sum + stretch.words, 0);
  const goingOn = stack.filter(({ text }) => /^\p{Ll}/u.test(text)).length;
  const least = goingOn >= GOING_ON * stack.length ? LEAST_WORDS_GOING_ON : LEAST_WORDS;
  if (stack.length < LEAST_LINES || words < least * stack.length) return false;
  // Lines but the last reach the other margin.
  const widest = Math.max(...stack.map(({ width }) => width));
  const long = stack.filter(({ width }) => width > 0.75 * widest).length;
  return long >= 0.5 * stack.length;
}

function wordsIn({ text }: Piece): number {
  return text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length;
}
