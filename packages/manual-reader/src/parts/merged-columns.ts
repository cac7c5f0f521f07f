import { type Role, findRole } from "./headers.ts";

type Row = readonly string[];

/** How a cell of each column begins. */
const BEGINS: Partial<Record<Role, RegExp>> = {
  quantity: /^(?:\(?\d{1,3}\)?|A\/?R|As req'?d\.?|-)(?=\s|$)/i,
  reference: /^(?:\d{1,3}[A-Z]?|[A-Z])(?=\s|$)/,
  partNumber: /^(?:\d{2} \d{3} \d{2}(?:-S)?|\S*\d\S*)(?=\s|$)/,
  description: /^\p{L}.*$/u,
};
const MOST_ROWS_BEFORE = 6;
/** Most words of a header that is tried. */
const MOST_WORDS = 6;

/** Rows by column; `was` are the original columns. */
interface Columned {
  rows: string[][];
  was: number[];
}

/** Splits columns that were taken for one (`Qty Stock No.` over `01 335-692D`). */
export function splitMergedColumns(rows: readonly Row[]): Columned {
  const header = rows
    .slice(0, MOST_ROWS_BEFORE)
    .find((row) => row.filter((cell) => findRole(cell) !== undefined).length >= 2);
  // Beside a column without header, the words are of both.
  const isShared = (column: number): boolean =>
    [column - 1, column + 1].some(
      (neighbour) => header?.[neighbour] === "" && rows.some((row) => row !== header && (row[neighbour] ?? "") !== ""),
    );
  const roles = (header ?? []).map((cell, column) =>
    isShared(column) ? [undefined] : splitHeaders(cell).map(findRole),
  );
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
            ? splitHeaders(cell)
            : isBegun(row, column)
              ? splitCells(cell, roles[column]!)
              : [...roles[column]!.slice(1).map(() => ""), cell],
      ),
    ),
  };
}

function splitHeaders(cell: string): string[] {
  if (findRole(cell) !== undefined) return [cell];
  const words = cell.split(/\s+/);
  for (let count = 1; count < Math.min(words.length, MOST_WORDS); count += 1) {
    const parts = [words.slice(0, count).join(" "), ...splitHeaders(words.slice(count).join(" "))];
    if (parts.every((text) => BEGINS[findRole(text) ?? "other"] !== undefined)) return parts;
  }
  return [cell];
}

/** Whether the row has cells to the left; else the text is of the last column. */
function isBegun(row: Row, column: number): boolean {
  return row.slice(0, column).some((cell) => cell !== "");
}

function splitCells(cell: string, roles: readonly (Role | undefined)[]): string[] {
  let rest = cell.trim();
  return roles.map((role, index) => {
    const isLast = index === roles.length - 1;
    const text = isLast ? rest : (BEGINS[role ?? "other"]?.exec(rest)?.[0] ?? "");
    rest = rest.slice(text.length).trim();
    return text;
  });
}

const IS_BASE = /^(?:part )?bas(?:e|ic)(?: (?:part )?(?:no|number))?\.?$/i;

/** Joins the columns of numbers that are printed in pieces, `Prefix`, `Basic`, `Suffix` over `C5NN`, `7563`, `A`. */
export function joinPartedNumbers({ rows, was }: Columned): Columned {
  for (const [index, header] of rows.slice(0, MOST_ROWS_BEFORE).entries()) {
    const base = header.findIndex((cell) => IS_BASE.test(cell));
    const first = /^prefix$/i.test(header[base - 1] ?? "") ? base - 1 : base;
    const last = /^suffix$/i.test(header[base + 1] ?? "") ? base + 1 : base;
    if (base === -1 || first === last) continue;
    const join = <T>(row: readonly T[], joined: T): T[] => [...row.slice(0, first), joined, ...row.slice(last + 1)];
    const joinCells = (row: readonly string[], n: number): string => {
      if (n === index) return "Part No.";
      return row
        .slice(first, last + 1)
        .filter((cell) => cell !== "")
        .join("-");
    };
    return {
      rows: rows.map((row, n) => (n < index ? join(row, row[first] ?? "") : join(row, joinCells(row, n)))),
      was: join(was, was[base] ?? base),
    };
  }
  return { rows, was };
}
