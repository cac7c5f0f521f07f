import type { Table } from "../findings.ts";
import { holds, type PageContent, unionOf } from "../page.ts";
import { borderlessTables } from "./borderless.ts";
import { besideEachOther, type Grid, tableOf } from "./grid.ts";
import { uprightPage } from "./pieces.ts";
import { ruledTable } from "./ruled.ts";
import { meeting, rulesOf } from "./rules.ts";

/** Ruled tables, then those of aligned texts, from the top down. */
export function findTables(page: PageContent): Table[] {
  const { pieces, lines, back } = uprightPage(page);
  const grids: Grid[] = [];
  let left = pieces;
  for (const skeleton of meeting(rulesOf(lines))) {
    const found = ruledTable(skeleton, left);
    if (!found) continue;
    grids.push(found.grid);
    left = left.filter((piece) => !holds(found.box, piece));
  }
  grids.push(...borderlessTables(left));
  return grids
    .flatMap(besideEachOther)
    .map((grid) => ({ grid, box: unionOf(grid.flat(2)) }))
    .sort((one, other) => one.box.y - other.box.y || one.box.x - other.box.x)
    .map(({ grid }, n) => tableOf(grid, n + 1, back));
}
