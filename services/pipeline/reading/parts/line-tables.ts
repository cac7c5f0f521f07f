import type { Table } from "../findings.ts";
import { type Box, unionOf } from "../page.ts";
import type { Line, Segment } from "../text/lines.ts";
import { roleOf } from "./columns.ts";

/** Lines without a number within a list. */
const LONGEST_BREAK = 4;
const LONGEST_HEADER = 25;

/** Lists under a header line, of part numbers or of others, that no table has. */
export function lineTables(lines: readonly Line[]): Table[] {
  const tables: Table[] = [];
  for (let at = 0; at < lines.length; at++) {
    const header = lines[at]!;
    if (!isHeader(header)) continue;
    const body: Segment[][][] = [];
    const column = header.segments.findIndex(({ text }) => roleOf(text) === "partNumber");
    let empty = 0;
    for (const line of lines.slice(at + 1)) {
      if (isHeader(line) || isProse(line, header) || (column < 0 && line.segments.length < 2)) break;
      const cells = cellsOf(line, header.segments);
      empty = column < 0 || cells[column]!.length > 0 ? 0 : empty + 1;
      if (empty > LONGEST_BREAK) break;
      body.push(cells);
    }
    if (body.length === 0) continue;
    const rows: Segment[][][] = [header.segments.map((segment) => [segment]), ...body];
    const boxes = rows.map((row) =>
      row.map((cell): Box | null => (cell.length > 0 ? unionOf(cell.map(({ box }) => box)) : null)),
    );
    tables.push({
      index: tables.length + 1,
      rows: rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(" "))),
      headerRows: 1,
      boxes,
      ...unionOf(boxes.flat().filter((box) => box !== null)),
    });
    at += body.length;
  }
  return tables;
}

function isHeader({ segments }: Line): boolean {
  const roles = segments.map(({ text }) => roleOf(text));
  if (roles.includes("partNumber")) return roles.filter((role) => role !== undefined).length >= 2;
  return (
    roles.includes("other") &&
    segments.length >= 2 &&
    segments.every(({ text }) => !/\d/.test(text) && text.length <= LONGEST_HEADER)
  );
}

function isProse(line: Line, header: Line): boolean {
  return line.segments.length === 1 && line.box.width > 0.7 * header.box.width && line.text.length > 50;
}

/** Assigns segments to the header that they overlap most, else the nearest. */
function cellsOf(line: Line, headers: readonly Segment[]): Segment[][] {
  const cells: Segment[][] = headers.map(() => []);
  for (const segment of line.segments) {
    const distances = headers.map(({ box }) => {
      const overlap = Math.min(box.x + box.width, segment.box.x + segment.box.width) - Math.max(box.x, segment.box.x);
      return overlap > 0
        ? -overlap
        : Math.min(
            Math.abs(box.x - segment.box.x),
            Math.abs(box.x + box.width / 2 - segment.box.x - segment.box.width / 2),
          );
    });
    cells[distances.indexOf(Math.min(...distances))]!.push(segment);
  }
  return cells;
}
