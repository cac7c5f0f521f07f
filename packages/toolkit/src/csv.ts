/** Matches text that spreadsheets run as a formula, with characters that they skip before it; also full-width signs. */
const RUN = /^(?=[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;
/**
 * The same behind what begins a cell where the separator is a semicolon or a tab: quotation marks do not hold there.
 */
const RUN_BEHIND = /(?<=[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"])*[=+\-@＝＋－＠])/gu;
const QUOTED = /[",\r\n]|^\s|\s$/;

/**
 * A line of CSV (RFC 4180). In a text, what a spreadsheet would run has an apostrophe in front, also in the middle,
 * where a spreadsheet that separates by `;` begins a cell. Numbers are as they are.
 * @param harmless texts that stay as they are, too
 */
export function formatCsvLine(cells: readonly unknown[], harmless?: RegExp): string {
  return `${cells.map((cell) => formatCsvCell(cell, harmless)).join(",")}\r\n`;
}

function formatCsvCell(value: unknown, harmless: RegExp | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = value instanceof Date ? value.toISOString() : typeof value === "string" ? value : JSON.stringify(value);
  const marked = harmless?.test(text) ? text : text.replace(RUN_BEHIND, "'").replace(RUN, "'");
  return QUOTED.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
