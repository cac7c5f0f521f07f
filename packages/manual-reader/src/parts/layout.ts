import type { Table } from "../findings.ts";
import { plain } from "../text/lines.ts";
import { getColumn, columnsByContent, columnsByHeader, type Columns, nameFaults } from "./columns.ts";
import { findRole } from "./headers.ts";
import { joinPartedNumbers, splitMergedColumns } from "./merged-columns.ts";

interface Layout {
  /** One for each list; none if the table lists no parts. */
  columns: Columns[];
  body: string[][];
  /** Row of the table where the body begins. */
  from: number;
  headings: string[];
  /** Original column of each. */
  was: number[];
  /** Whether the headers are those of other things. */
  isOther: boolean;
}

/** Columns of the list on the page before. */
export interface Carried {
  columns: Columns[];
  width: number;
}

const HEADER_ROWS = 2;

/** Layouts of a page's tables, each of which is asked for several times. */
const layouts = new WeakMap<Table["rows"], Layout>();

/** Finds a table's layout by its headers, else as on the page before, else by content. */
export function findLayout(table: Pick<Table, "rows" | "headerRows">, carried?: Carried): Layout {
  if (carried) return newLayout(table, carried);
  const layout = layouts.get(table.rows) ?? newLayout(table);
  layouts.set(table.rows, layout);
  return layout;
}

function newLayout(table: Pick<Table, "rows" | "headerRows">, carried?: Carried): Layout {
  const cells = table.rows.map((row) => row.map((cell) => plain(cell).trim()));
  const { rows, was } = joinPartedNumbers(splitMergedColumns(cells));
  const createLayout = (from: number, columns: Columns[], end = rows.length, isOther = false): Layout => ({
    columns,
    isOther,
    body: rows.slice(from, end),
    from,
    headings: rows[end] ?? joinHeadings(rows, from),
    was,
  });
  const headed = columnsByHeader(rows);
  if (headed) return createLayout(headed.from, headed.columns, headed.end);
  if (carried && carried.width === rows[0]?.length) return createLayout(0, carried.columns);
  const from = rows.length > table.headerRows ? table.headerRows : 0;
  // Headers of other things: no list of parts.
  const headers = rows.slice(0, from).flat();
  const isOther = nameFaults(headers) || headers.some((header) => findRole(header) === "other");
  return createLayout(from, isOther ? [] : columnsByContent(rows.slice(from)), rows.length, isOther);
}

/** The words over a list's columns, in rows of which one is known. */
export function listHeaderWords(table: Pick<Table, "rows" | "headerRows">): string[] {
  const { columns, from } = findLayout(table);
  const headers = table.rows.slice(0, columns.length > 0 ? from : 0);
  const headerRows = headers.filter((row) => row.some((cell) => findRole(cell) !== undefined));
  return headerRows.flatMap((row) => row.flatMap((cell) => cell.split(/\s+/)));
}

/** Models, with letters, in headers. */
export function modelsOfTable(table: Pick<Table, "rows" | "headerRows">): string[] {
  return findLayout(table)
    .columns.flatMap(({ models }) => models.flatMap((column) => column.models))
    .filter((model) => /[A-Z]/.test(model));
}

function joinHeadings(rows: readonly string[][], from: number): string[] {
  const headers = rows.slice(Math.max(0, from - HEADER_ROWS), from);
  return (rows[0] ?? []).map((_, column) => getColumn(headers, column).join(" "));
}
