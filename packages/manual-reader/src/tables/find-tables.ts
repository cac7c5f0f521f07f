import type { Table } from "../findings.ts";
import { holds, type PageContent, uniteBoxes } from "../page.ts";
import { getTurn, listTurns, type Turn } from "../text/directions.ts";
import { groupRows } from "../text/lines.ts";
import { borderlessTables } from "./borderless.ts";
import { besideEachOther, type Grid, buildTable } from "./grid.ts";
import { type Piece, uprightPage } from "./pieces.ts";
import { ruledTable } from "./ruled.ts";
import { meeting, sortRules } from "./rules.ts";

/** Rows, and the texts of each, that make what a cell holds a table of its own. */
const FEWEST_FRAMED = 4;
const FEWEST_IN_ROW = 3;

/** Whether a cell is the frame of a table, as a drawing's sheet is. */
function isListFrame(cell: readonly Piece[]): boolean {
  if (cell.length < FEWEST_FRAMED * FEWEST_IN_ROW) return false;
  return groupRows(cell).filter(({ length }) => length >= FEWEST_IN_ROW).length >= FEWEST_FRAMED;
}

/** Whether a table is of another direction. */
function isMostlyTurned(pieces: readonly Piece[]): boolean {
  return pieces.filter(({ isTurned }) => isTurned).length > pieces.length / 2;
}

/** Of the height of the lower one of two texts in one line. */
const SAME_LINE = 0.5;

/** Joins rows that stand in one line and have their cells in different columns: a scan's lines are not straight. */
function joinHalfRows(grid: Grid): Grid {
  const joined: Grid = [];
  for (const row of grid) {
    const above = joined.at(-1);
    const isHalf = above?.every((cell, column) => cell.length === 0 || row[column]?.length === 0);
    if (above && isHalf && areInOneLine(above.flat(), row.flat()))
      joined[joined.length - 1] = above.map((cell, column) => [...cell, ...(row[column] ?? [])]);
    else joined.push(row);
  }
  return joined;
}

function areInOneLine(first: readonly Piece[], second: readonly Piece[]): boolean {
  if (first.length === 0 || second.length === 0) return false;
  const [upper, lower] = [uniteBoxes(first), uniteBoxes(second)];
  const shared = Math.min(upper.y + upper.height, lower.y + lower.height) - Math.max(upper.y, lower.y);
  return shared >= SAME_LINE * Math.max(upper.height, lower.height);
}

/** Finds the tables of each direction of text, that of most characters first. */
export function findTables(page: PageContent): Table[] {
  const tables: Table[] = [];
  for (const [n, turn] of listTurns(page).entries()) {
    // Headings that stand across narrow columns belong to the tables of the main direction.
    const texts = page.texts.filter(
      (text) => n === 0 || (getTurn(text) === turn && !tables.some((table) => holds(table, text))),
    );
    tables.push(...findTurnedTables({ ...page, texts }, turn, tables.length + 1));
  }
  return tables;
}

/** Ruled tables, then those of aligned texts, from the top down. */
function findTurnedTables(page: PageContent, turn: Turn, firstIndex: number): Table[] {
  const { pieces, lines, back } = uprightPage(page, turn);
  const grids: Grid[] = [];
  let left = pieces;
  for (const skeleton of meeting(sortRules(lines))) {
    const table = ruledTable(skeleton, left);
    if (!table || isMostlyTurned(table.grid.flat(2))) continue;
    const framed = new Set(table.grid.flat().filter(isListFrame).flat());
    grids.push(table.grid.map((row) => row.map((cell) => cell.filter((piece) => !framed.has(piece)))));
    left = left.filter((piece) => framed.has(piece) || !holds(table.box, piece));
  }
  grids.push(...borderlessTables(left));
  return grids
    .map(joinHalfRows)
    .flatMap(besideEachOther)
    .map((grid) => ({ grid, box: uniteBoxes(grid.flat(2)) }))
    .sort((first, second) => first.box.y - second.box.y || first.box.x - second.box.x)
    .map(({ grid }, n) => buildTable(grid, firstIndex + n, back));
}
