import type { Table } from "../findings.ts";
import { type Box, holds, type TextBox, unionOf } from "../page.ts";
import { plain } from "../text/lines.ts";

/** Share of rows that must be divided. */
const SHARE = 0.6;

/** Joins columns that divide numbers drawn as one (`532 16 07-93`). */
export function withWholeNumbers(table: Table, texts: readonly TextBox[]): Table {
  const drawn = texts.filter(({ text }) => /\d \d/.test(text));
  for (let column = 0; column + 1 < (table.rows[0]?.length ?? 0); column++) {
    const both = table.rows
      .map((_, row) => row)
      .filter((row) => row >= table.headerRows && table.rows[row]![column] && table.rows[row]![column + 1]);
    const divided = both.filter((row) => isDivided(table, row, column, drawn));
    if (divided.length === 0 || divided.length < SHARE * both.length) continue;
    return withWholeNumbers(joined(table, column), texts);
  }
  return table;
}

function isDivided(table: Table, row: number, column: number, drawn: readonly TextBox[]): boolean {
  const [left, right] = [table.rows[row]![column]!, table.rows[row]![column + 1]!];
  const boxes = [table.boxes[row]![column], table.boxes[row]![column + 1]].filter(
    (box): box is Box => box !== null && box !== undefined,
  );
  if (!/\d$/.test(left) || !/^\d/.test(right) || boxes.length < 2) return false;
  return drawn.some(
    (text) => plain(text.text).includes(`${left} ${right}`) && boxes.every((box) => holds(text, box, 1)),
  );
}

function joined(table: Table, column: number): Table {
  const rows = table.rows.map((row) => [
    ...row.slice(0, column),
    [row[column], row[column + 1]].filter((cell) => cell !== "").join(" "),
    ...row.slice(column + 2),
  ]);
  const boxes = table.boxes.map((row) => {
    const own = row.slice(column, column + 2).filter((box) => box !== null);
    return [...row.slice(0, column), own.length > 0 ? unionOf(own) : null, ...row.slice(column + 2)];
  });
  return { ...table, rows, boxes };
}
