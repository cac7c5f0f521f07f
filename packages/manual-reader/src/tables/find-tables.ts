import type { Table } from "../findings.ts";
import { holds, type PageContent, unionOf } from "../page.ts";
import { rowsOf } from "../text/lines.ts";
import { borderlessTables } from "./borderless.ts";
import { besideEachOther, type Grid, tableOf } from "./grid.ts";
import { type Piece, uprightPage } from "./pieces.ts";
import { ruledTable } from "./ruled.ts";
import { meeting, rulesOf } from "./rules.ts";

/** Rows, and the texts of each, that make what a cell holds a table of its own. */
const FEWEST_FRAMED = 4;
const FEWEST_IN_ROW = 3;

/** Whether a cell is the frame of a table, as a drawing's sheet is. */
function isListFrame(cell: readonly Piece[]): boolean {
  if (cell.length < FEWEST_FRAMED * FEWEST_IN_ROW) return false;
  return rowsOf(cell).filter(({ length }) => length >= FEWEST_IN_ROW).length >= FEWEST_FRAMED;
}

/** Ruled tables, then those of aligned texts, from the top down. */
export function findTables(page: PageContent): Table[] {
  const { pieces, lines, back } = uprightPage(page);
  const grids: Grid[] = [];
  let left = pieces;
  for (const skeleton of meeting(rulesOf(lines))) {
    const table = ruledTable(skeleton, left);
    if (!table) continue;
    const framed = new Set(table.grid.flat().filter(isListFrame).flat());
    grids.push(table.grid.map((row) => row.map((cell) => cell.filter((piece) => !framed.has(piece)))));
    left = left.filter((piece) => framed.has(piece) || !holds(table.box, piece));
  }
  grids.push(...borderlessTables(left));
  return grids
    .flatMap(besideEachOther)
    .map((grid) => ({ grid, box: unionOf(grid.flat(2)) }))
    .sort((first, second) => first.box.y - second.box.y || first.box.x - second.box.x)
    .map(({ grid }, n) => tableOf(grid, n + 1, back));
}
