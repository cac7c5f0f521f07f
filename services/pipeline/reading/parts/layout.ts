import type { Table } from "../findings.ts";
import { plain } from "../text/lines.ts";
import { columnOf, columnsByContent, columnsByHeader, type Columns, type Role, roleOf } from "./columns.ts";

interface Layout {
  /** One for each list; none if the table lists no parts. */
  columns: Columns[];
  body: string[][];
  /** Row of the table where the body begins. */
  from: number;
  headings: string[];
  /** Original column of each. */
  was: number[];
}

/** Columns of the list on the page before. */
export interface Carried {
  columns: Columns[];
  width: number;
}

const HEADER_ROWS = 2;

/** Of the tables of a page, each of which is asked for several times. */
const known = new WeakMap<Table["rows"], Layout>();

/** By headers, else as on the page before, else by content. */
export function layoutOf(table: Pick<Table, "rows" | "headerRows">, carried?: Carried): Layout {
  if (carried) return newLayout(table, carried);
  const layout = known.get(table.rows) ?? newLayout(table);
  known.set(table.rows, layout);
  return layout;
}

function newLayout(table: Pick<Table, "rows" | "headerRows">, carried?: Carried): Layout {
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
  // Headers of other things: no list of parts.
  const isOther = rows
    .slice(0, from)
    .flat()
    .some((header) => roleOf(header) === "other");
  return at(from, isOther ? [] : columnsByContent(rows.slice(from)));
}

/** Models, with letters, in headers. */
export function modelsOfTable(table: Pick<Table, "rows" | "headerRows">): string[] {
  return layoutOf(table)
    .columns.flatMap(({ models }) => models.flatMap((column) => column.models))
    .filter((model) => /[A-Z]/.test(model));
}

function headingsOf(rows: readonly string[][], from: number): string[] {
  const headers = rows.slice(Math.max(0, from - HEADER_ROWS), from);
  return (rows[0] ?? []).map((_, column) => columnOf(headers, column).join(" "));
}

type Row = readonly string[];

/** How a cell of each column begins. */
const BEGINS: Partial<Record<Role, RegExp>> = {
  quantity: /^(?:\(?\d{1,3}\)?|A\/?R|As req'?d\.?|-)(?=\s|$)/i,
  reference: /^(?:\d{1,3}[A-Z]?|[A-Z])(?=\s|$)/,
  partNumber: /^(?:\d{2} \d{3} \d{2}(?:-S)?|\S*\d\S*)(?=\s|$)/,
  description: /^\p{L}.*$/u,
};
const MOST_ROWS_BEFORE = 6;
/** Of a header that is tried. */
const MOST_WORDS = 6;

/** Splits columns that were taken for one (`Qty Stock No.` over `01 335-692D`). `was` are their original columns. */
function splitMergedColumns(rows: readonly Row[]): { rows: string[][]; was: number[] } {
  const header = rows
    .slice(0, MOST_ROWS_BEFORE)
    .find((row) => row.filter((cell) => roleOf(cell) !== undefined).length >= 2);
  // Beside a column without header, the words are of both.
  const isShared = (column: number): boolean =>
    [column - 1, column + 1].some(
      (beside) => header?.[beside] === "" && rows.some((row) => row !== header && (row[beside] ?? "") !== ""),
    );
  const roles = (header ?? []).map((cell, column) => (isShared(column) ? [undefined] : headersOf(cell).map(roleOf)));
  const was =
    roles.length === 0
      ? (rows[0] ?? []).map((_, column) => column)
      : roles.flatMap((within, column) => within.map(() => column));
  if (roles.every((within) => within.length === 1)) return { rows: rows.map((row) => [...row]), was };
  return {
    was,
    rows: rows.map((row) =>
      row.flatMap((cell, column) =>
        roles[column]!.length < 2
          ? [cell]
          : row === header
            ? headersOf(cell)
            : isBegun(row, column)
              ? cellsOf(cell, roles[column]!)
              : [...roles[column]!.slice(1).map(() => ""), cell],
      ),
    ),
  };
}

function headersOf(cell: string): string[] {
  if (roleOf(cell) !== undefined) return [cell];
  const words = cell.split(/\s+/);
  for (let at = 1; at < Math.min(words.length, MOST_WORDS); at += 1) {
    const parts = [words.slice(0, at).join(" "), ...headersOf(words.slice(at).join(" "))];
    if (parts.every((text) => BEGINS[roleOf(text) ?? "other"] !== undefined)) return parts;
  }
  return [cell];
}

/** Without cells to the left, the text is of the last column. */
function isBegun(row: Row, column: number): boolean {
  return row.slice(0, column).some((cell) => cell !== "");
}

function cellsOf(cell: string, roles: readonly (Role | undefined)[]): string[] {
  let rest = cell.trim();
  return roles.map((role, index) => {
    const isLast = index === roles.length - 1;
    const own = isLast ? rest : (BEGINS[role ?? "other"]?.exec(rest)?.[0] ?? "");
    rest = rest.slice(own.length).trim();
    return own;
  });
}
