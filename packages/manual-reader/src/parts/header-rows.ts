import type { Table } from "../findings.ts";
import { uniteBoxes } from "../page.ts";
import { splitNumbers } from "./cells.ts";
import { findRole } from "./headers.ts";

/** Rows that may precede a list's own header. */
const LAST_HEADER_ROW = 6;
/** Roles of the cells of a row that heads a list. */
const FEWEST_HEADED = 3;
/** Least share of the cells that are numbers, in the columns of its levels. */
const LEAST_NUMBERS = 0.8;

/** A page's tables, each with one list, whose number column is one. */
export function splitLists(tables: readonly Table[]): Table[] {
  return tables.flatMap(splitAtHeaders).map((table, n) => ({ ...joinLevels(table), index: n + 1 }));
}

/** Parts a table at rows that head other columns than its first row of headers does. */
function splitAtHeaders(table: Table): Table[] {
  const headers = table.rows.flatMap((row, n) => (isHeader(row) ? [n] : []));
  const first = headers.find((n) => n < LAST_HEADER_ROW) ?? 0;
  const later = headers.filter(
    (n) => table.rows[n]?.join("|") !== table.rows[first]?.join("|") && isAboveNumbers(table.rows, n),
  );
  if (later.length === 0) return [table];
  // A header may have two rows.
  const starts = [0, ...later.filter((n) => !headers.includes(n - 1)), table.rows.length];
  return starts.slice(1).map((end, n) => cutTable(table, starts[n] ?? 0, end));
}

function isHeader(row: readonly string[]): boolean {
  const roles = row.filter((cell) => cell !== "").map(findRole);
  return roles.includes("partNumber") && roles.filter((role) => role !== undefined).length >= FEWEST_HEADED;
}

/** Whether most rows below a header have the numbers that it names; those below a footer do not. */
function isAboveNumbers(rows: readonly string[][], header: number): boolean {
  const end = rows.findIndex((row, n) => n > header && isHeader(row));
  const below = rows.slice(header + 1, end === -1 ? rows.length : end);
  return (rows[header] ?? []).some((cell, column) => {
    const numbered = below.filter((row) => splitNumbers(row[column] ?? "").length > 0);
    return findRole(cell) === "partNumber" && numbered.length >= below.length / 2;
  });
}

/** Some rows of a table, without the columns that these leave empty. */
function cutTable(table: Table, from: number, end: number): Table {
  const [rows, boxes] = [table.rows.slice(from, end), table.boxes.slice(from, end)];
  const isFilled = (_: unknown, column: number): boolean => rows.some((row) => row[column] !== "");
  return {
    ...table,
    ...uniteBoxes(boxes.flat().filter((box) => box !== null)),
    rows: rows.map((row) => row.filter(isFilled)),
    boxes: boxes.map((row) => row.filter(isFilled)),
    headerRows: from === 0 ? table.headerRows : 1,
  };
}

/** Joins the columns of numbers under one header, of which each row fills one: the levels of a bill of materials. */
function joinLevels(table: Table): Table {
  const row = table.rows.findIndex(isHeader);
  const header = table.rows[row] ?? [];
  const first = header.findIndex((cell) => findRole(cell) === "partNumber");
  let last = first;
  while (header[last + 1] === "") last += 1;
  const levels = table.rows.slice(row + 1).map((cells) => cells.slice(first, last + 1).filter((cell) => cell !== ""));
  const cells = levels.flat();
  const isLevels =
    row !== -1 &&
    last > first &&
    levels.every(({ length }) => length <= 1) &&
    cells.filter((cell) => splitNumbers(cell).join() === cell).length >= LEAST_NUMBERS * cells.length;
  if (!isLevels) return table;
  const join = <T>(cells: readonly T[], isEmpty: (cell: T) => boolean): T[] => {
    const level = cells.slice(first, last + 1);
    return [...cells.slice(0, first), level.find((cell) => !isEmpty(cell)) ?? level[0]!, ...cells.slice(last + 1)];
  };
  return {
    ...table,
    rows: table.rows.map((cells) => join(cells, (cell) => cell === "")),
    boxes: table.boxes.map((cells) => join(cells, (cell) => cell === null)),
  };
}
