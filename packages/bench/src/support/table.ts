import { formatValue, recordTable } from "./record.ts";

/** Prints a table on a terminal: the first column is text, the rest are numbers. `all --record` records it too. */
export function printTable(title: string, columns: string[], rows: (string | number)[][]): void {
  recordTable({ title, columns, rows });
  const cells = [columns, ...rows.map((row) => row.map(formatValue))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  console.log(`\n${title}`);
  for (const row of cells) {
    console.log(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  ")}`,
    );
  }
}
