import type { Table } from "../findings.ts";
import { type Box, holds, type PageContent, unionOf, usualSize } from "../page.ts";
import { fromUpright, turnedPage, turnOf, turnsOf, visibleTexts } from "../text/directions.ts";
import { borderlessTables } from "./borderless.ts";
import { besideEachOther, type Grid, type Piece, stretchOf, tableOf } from "./grid.ts";
import { meeting, ruledTable, rulesOf } from "./ruled.ts";

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

/** Points. */
const USUAL_SIZE = 10;

const LEADER = /(?:[.\u2026_]\s?){4,}/g;

function uprightPage(page: PageContent) {
  const [turn = 0] = turnsOf(page);
  const turned = turnedPage(page, turn);
  const visible = visibleTexts(turned);
  const scale = USUAL_SIZE / (usualSize(visible) || USUAL_SIZE);
  return {
    pieces: visible.flatMap(({ text, fontSize, isBold, ...place }) =>
      piecesOf({
        ...scaled(place, scale),
        text: text.trim(),
        fontSize: fontSize * scale,
        isBold,
        isTurned: turnOf(place) !== 0,
      }),
    ),
    lines: turned.lines.map((line) => scaled(line, scale)),
    back: (box: Box) => fromUpright(scaled(box, 1 / scale), turn, page),
  };
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** Parts a text at leaders. */
function piecesOf(piece: Piece): Piece[] {
  if (piece.isTurned) return [piece];
  const leaders = [...piece.text.matchAll(LEADER)].map(
    ({ 0: leader, index }) => [index, index + leader.length] as const,
  );
  return [...leaders, [piece.text.length] as const].flatMap(
    ([end], n) => stretchOf(piece, leaders[n - 1]?.[1] ?? 0, end) ?? [],
  );
}
