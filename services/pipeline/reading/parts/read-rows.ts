import type { FoundPart, Table } from "../findings.ts";
import { boxOf } from "../page.ts";
import type { Columns } from "./columns.ts";
import { layoutOf, type Carried } from "./layout.ts";
import { marksOf } from "./cells.ts";
import { readRow } from "./row.ts";
import type { Surroundings } from "./scan.ts";

/** A number with a footnote's mark. */
export interface Marked {
  mark: string;
  pnNorm: string;
}

interface TableReading {
  columns: Columns[];
  parts: FoundPart[];
  marked: Marked[];
  /** Of each list; the description may go on below the table. */
  last: FoundPart[];
}

/** None if the table lists no parts. */
export function readRows(table: Table, page: number, surroundings: Surroundings, carried?: Carried): TableReading {
  const { columns, body, from, headings, was } = layoutOf(table, carried);
  const reading: TableReading = { columns, parts: [], marked: [], last: [] };
  for (const list of columns) {
    let last: FoundPart | undefined;
    const ofList = listsSupersessions(body, list) ? { namedIn: "supersessions" as const } : {};
    for (const [index, row] of body.entries()) {
      const placeAt = (column: number) => ({ page, box: table.boxes[index + from]?.[was[column]!] ?? boxOf(table) });
      const found = readRow({ row, list, headings, surroundings, placeAt });
      const own = found.own.map((part) => ({ ...part, ...ofList }));
      const named = found.named.map((part) => ({ ...part, ...ofList }));
      const known = new Set(reading.parts.map(({ pnNorm }) => pnNorm));
      reading.parts.push(...own, ...named.filter(({ pnNorm }) => !known.has(pnNorm)));
      const [part] = own;
      if (part) {
        last = part;
        reading.marked.push(...marksOfRow(row, list).map((mark) => ({ mark, pnNorm: part.pnNorm })));
      } else if (last && continues(row, list))
        last.description = [last.description, row[list.description!]!].filter(Boolean).join(" ");
      else last = undefined;
    }
    if (last) reading.last.push(last);
  }
  return reading;
}

/** Whether it has successors, and neither quantities nor references. */
function listsSupersessions(
  body: readonly (readonly string[])[],
  { partNumber, replacement, reference, quantity, models }: Columns,
): boolean {
  if (replacement === undefined || reference !== undefined || quantity !== undefined || models.length > 0) return false;
  return body.every((row) => !row[partNumber] || row[replacement] !== "");
}

function marksOfRow(row: readonly string[], list: Columns): string[] {
  return [list.partNumber, list.description, list.reference].flatMap((column) =>
    column === undefined ? [] : marksOf(row[column] ?? ""),
  );
}

/** Whether the row only continues a description. */
function continues(row: readonly string[], list: Columns): boolean {
  if (list.description === undefined || !row[list.description]) return false;
  return [list.partNumber, list.reference, list.quantity, ...list.models.map(({ column }) => column)].every(
    (column) => column === undefined || !row[column],
  );
}
