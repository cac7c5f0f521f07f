/** The rows that an import refused as a file: what to mend and to send again. */

interface Refused {
  line: number;
  reason: string;
}

/** @param text of the file that was sent, whose lines the report counts from 1 */
export function refusedRows(text: string, refused: readonly Refused[]): string {
  const lines = text.split(/\r\n|\n|\r/);
  const rows = refused.map(({ line, reason }) => [String(line), reason, lines[line - 1] ?? ""].map(cell).join(","));
  return ["line,reason,row", ...rows, ""].join("\r\n");
}

/** A spreadsheet runs what begins like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
