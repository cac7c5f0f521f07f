import type { Table } from "../findings.ts";
import { type Box, holds, type PageContent } from "../page.ts";
import { type Line, toLine, groupRows, toWord } from "../text/lines.ts";
import { isVague, findRole } from "./headers.ts";
import { findLayout } from "./layout.ts";

/** Times the height of its text that a header may stand above its table. */
const FURTHEST = 7;
/** Columns whose headers are known. */
const FEWEST_KNOWN = 2;

/** Adds to a table without headers the line above it that names its columns, one of them part numbers. */
export function addHeadersAbove({ texts }: PageContent, tables: readonly Table[]): Table[] {
  if (tables.every(hasHeaders)) return [...tables];
  const isFree = (box: Box): boolean => !tables.some((table) => holds(table, box));
  const words = texts.filter((text) => !text.hidden && text.angle === 0 && isFree(text)).map(toWord);
  const lines = groupRows(words).map(toLine);
  return tables.map((table) => {
    if (hasHeaders(table)) return table;
    const header = lines
      .filter(({ box }) => box.y < table.y && table.y - box.y <= FURTHEST * box.height)
      .map((line) => findHeader(line, table))
      .findLast((cells) => cells !== undefined);
    if (!header) return table;
    const y = Math.min(...header.map((cell) => cell?.box.y ?? table.y));
    return {
      ...table,
      y,
      height: table.height + table.y - y,
      rows: [header.map((cell) => cell?.text ?? ""), ...table.rows],
      boxes: [header.map((cell) => cell?.box ?? null), ...table.boxes],
      headerRows: 1,
    };
  });
}

function hasHeaders(table: Table): boolean {
  return table.headerRows > 0 || findLayout(table).columns.some(({ isHeaded }) => isHeaded);
}

type Segment = Line["segments"][number];

/** The texts of a line by column, if they name the columns of a list of parts. */
function findHeader({ segments }: Line, { rows, boxes }: Table): (Segment | undefined)[] | undefined {
  const cells = (rows[0] ?? []).map((_, column): Segment | undefined => {
    const columnBoxes = boxes.flatMap((row) => row[column] ?? []);
    const [left, right] = [
      Math.min(...columnBoxes.map(({ x }) => x)),
      Math.max(...columnBoxes.map(({ x, width }) => x + width)),
    ];
    return segments.find(({ box }) => box.x < right && box.x + box.width > left);
  });
  const isOfOne = segments.every((segment) => cells.filter((cell) => cell === segment).length <= 1);
  const knownCells = cells.filter((cell) => findRole(cell?.text ?? "") !== undefined);
  const isOfParts = knownCells.some((cell) => cell && findRole(cell.text) === "partNumber" && !isVague(cell.text));
  return isOfOne && isOfParts && knownCells.length >= FEWEST_KNOWN ? cells : undefined;
}
