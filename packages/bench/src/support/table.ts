/** A table for a terminal: the first column is text, the rest are numbers. */
export function printTable(title: string, columns: string[], rows: (string | number)[][]): void {
  const cells = [columns, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? format(cell) : cell)))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  console.log(`\n${title}`);
  for (const row of cells) {
    console.log(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  ")}`,
    );
  }
}

function format(value: number): string {
  return value >= 1_000 ? Math.round(value).toLocaleString("en-US") : String(Math.round(value * 100) / 100);
}
