import { roleOf, type Role } from "./columns.ts";

type Row = readonly string[];

/** What a cell of each column begins with, where two or three columns were taken for one. */
const BEGINS: Partial<Record<Role, RegExp>> = {
  quantity: /^(?:\(?\d{1,3}\)?|A\/?R|As req'?d\.?|-)(?=\s|$)/i,
  reference: /^(?:\d{1,3}[A-Z]?|[A-Z])(?=\s|$)/,
  partNumber: /^(?:\d{2} \d{3} \d{2}(?:-S)?|\S*\d\S*)(?=\s|$)/,
  description: /^\p{L}.*$/u,
};
const MOST_ROWS_BEFORE = 6;

/**
 * A table whose columns stand so close that several were taken for one (`Qty Stock No.` over `01 335-692D`) with a
 * column for each. Answers the columns that each of the new ones was.
 */
export function splitMergedColumns(rows: readonly Row[]): { rows: string[][]; was: number[] } {
  const header = rows
    .slice(0, MOST_ROWS_BEFORE)
    .find((row) => row.filter((cell) => roleOf(cell) !== undefined).length >= 2);
  // Beside a column without a header, the header's words are of both.
  const isShared = (column: number): boolean =>
    [column - 1, column + 1].some(
      (beside) => header?.[beside] === "" && rows.some((row) => row !== header && (row[beside] ?? "") !== ""),
    );
  const roles = (header ?? []).map((cell, column) => (isShared(column) ? [undefined] : rolesWithin(cell)));
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

/** The roles of the headers that a cell runs together; one, known or not, where it is a single header. */
function rolesWithin(cell: string): (Role | undefined)[] {
  return headersOf(cell).map(roleOf);
}

function headersOf(cell: string): string[] {
  if (roleOf(cell) !== undefined) return [cell];
  const words = cell.split(/\s+/);
  const found = partitions(words, 3).find(
    (texts) => texts.length > 1 && texts.every((text) => BEGINS[roleOf(text) ?? "other"] !== undefined),
  );
  return found ?? [cell];
}

/** Every way to part words in up to `most` groups, fewest groups first. */
function partitions(words: readonly string[], most: number): string[][] {
  if (words.length > 6) return [];
  const two = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  return most < 3
    ? two
    : [...two, ...two.flatMap(([first, rest]) => partitions(rest!.split(" "), 2).map((more) => [first!, ...more]))];
}

/** Whether a row has anything to the left; what begins with a column belongs to its right half. */
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
