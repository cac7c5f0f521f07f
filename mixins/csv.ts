/** What spreadsheets run, or skip in front of what they run; also full-width, as some of them read it. */
const RUN = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** A line of CSV (RFC 4180). A text that a spreadsheet would run has an apostrophe in front; numbers are as they are. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = value instanceof Date ? value.toISOString() : typeof value === "string" ? value : JSON.stringify(value);
  const harmless = RUN.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
