import type { Table } from "../findings.ts";
import { plain } from "../text/lines.ts";
import { columnOf, columnsByContent, columnsByHeader, roleOf, type Columns } from "./columns.ts";
import { splitMergedColumns } from "./merged-columns.ts";

/** How a table of parts is to be read. */
export interface Layout {
  /** Of each list that the table holds; none when it lists no parts. */
  columns: Columns[];
  /** Its rows below the headers. */
  body: string[][];
  /** The table's row that the first of the body is. */
  from: number;
  /** What heads each column. */
  headings: string[];
  /** The table's column that each column was. */
  was: number[];
}

/** The columns of the page before. */
export interface Carried {
  columns: Columns[];
  width: number;
}

/** Rows that head columns, at most. */
const HEADER_ROWS = 2;

/** Which columns a table of parts has: as its headers say, else as those before it did, else as its content does. */
export function layoutOf(table: Pick<Table, "rows" | "headerRows">, carried?: Carried): Layout {
  const { rows, was } = splitMergedColumns(table.rows.map((row) => row.map((cell) => plain(cell).trim())));
  const at = (from: number, columns: Columns[]): Layout => ({
    columns,
    body: rows.slice(from),
    from,
    headings: headingsOf(rows, from),
    was,
  });
  const headed = columnsByHeader(rows);
  if (headed) return at(headed.from, headed.columns);
  if (carried && carried.width === rows[0]?.length) return at(0, carried.columns);
  const from = rows.length > table.headerRows ? table.headerRows : 0;
  // Headers that name other things say that this is no list of parts.
  const isOther = rows
    .slice(0, from)
    .flat()
    .some((header) => roleOf(header) === "other");
  return at(from, isOther ? [] : columnsByContent(rows.slice(from)));
}

/** Models, with letters, that head columns of a table of parts. */
export function modelsOfTable(table: Pick<Table, "rows" | "headerRows">): string[] {
  return layoutOf(table)
    .columns.flatMap(({ models }) => models.flatMap((column) => column.models))
    .filter((model) => /[A-Z]/.test(model));
}

function headingsOf(rows: readonly string[][], from: number): string[] {
  const headers = rows.slice(Math.max(0, from - HEADER_ROWS), from);
  return (rows[0] ?? []).map((_, column) => columnOf(headers, column).join(" "));
}
