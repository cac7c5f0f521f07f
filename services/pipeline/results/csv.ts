/** RFC 4180; texts that a spreadsheet would run as formulas are marked. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d.,\s-]+$/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
