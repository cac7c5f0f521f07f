import type { Table } from "../findings.ts";
import { type Box, uniteBoxes } from "../page.ts";
import { groupRows } from "../text/lines.ts";
import type { Piece } from "./pieces.ts";

/** Pieces by row and cell. */
export type Grid = Piece[][][];

export function joinText(cell: readonly Piece[]): string {
  if (cell.length < 2) return cell[0]?.text ?? "";
  const turned = cell.filter(({ isTurned }) => isTurned).map(({ text }) => text);
  const upright = groupRows(cell.filter(({ isTurned }) => !isTurned)).flat();
  return [...upright.map(({ text }) => text), ...turned].join(" ");
}

export function withoutEmpty(grid: Grid): Grid {
  const rows = grid.filter((row) => row.some((cell) => cell.length > 0));
  const columns = (rows[0] ?? []).map((_, n) => n).filter((n) => rows.some((row) => row[n]!.length > 0));
  return rows.map((row) => columns.map((n) => row[n]!));
}

/** Splits tables side by side with the same headers. */
export function besideEachOther(grid: Grid): Grid[] {
  const names = (grid[0] ?? []).map(joinText);
  for (let width = 2; width <= names.length / 2; width += 1) {
    if (names.length % width === 0 && names.every((name, n) => name !== "" && name === names[n % width])) {
      return Array.from({ length: names.length / width }, (_, n) =>
        withoutEmpty(grid.map((row) => row.slice(n * width, (n + 1) * width))),
      ).filter((part) => part.length > 1);
    }
  }
  return [grid];
}

export function buildTable(grid: Grid, index: number, back: (box: Box) => Box): Table {
  const boxes = grid.map((row) => row.map((cell) => (cell.length > 0 ? back(uniteBoxes(cell)) : null)));
  return {
    ...uniteBoxes(boxes.flat().filter((box) => box !== null)),
    index,
    rows: grid.map((row) => row.map(joinText)),
    headerRows: countHeaderRows(grid),
    boxes,
  };
}

const MOST_HEADER_ROWS = 4;

/** Rows at the top without figures, or the only bold ones. */
function countHeaderRows(grid: Grid): number {
  const most = Math.min(MOST_HEADER_ROWS, grid.length - 1);
  const isBold = (row: Piece[][]): boolean => row.flat().length > 0 && row.flat().every((piece) => piece.isBold);
  const figures = (row: Piece[][]): number => row.filter((cell) => isFigure(joinText(cell))).length;
  const leading = (passes: (row: Piece[][]) => boolean): number => {
    const end = grid.slice(0, most).findIndex((row) => !passes(row));
    return end === -1 ? most : end;
  };
  const bold = leading(isBold);
  if (bold > 0 && !grid.slice(bold).every(isBold)) return bold;
  const plain = leading((row) => figures(row) === 0);
  // A title, or the beginning of a name.
  if (grid.slice(0, plain).every((row) => row.filter((cell) => cell.length > 0).length === 1)) return 0;
  const below = grid.slice(plain);
  return below.filter((row) => figures(row) > 0).length >= 0.6 * below.length ? plain : 0;
}

/** Mostly digits. */
export function isFigure(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, "").length;
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  return (digits > 0 && digits >= letters) || /^[-\u2013\u2014*.]$/.test(text);
}
