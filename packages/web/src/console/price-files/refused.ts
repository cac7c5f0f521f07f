import { formatCsvLine } from "@partline/toolkit/pure";

/** The rows that an import refused as a file: what to mend and to send again. */

interface Refused {
  line: number;
  reason: string;
}

/** @param text of the file that was sent, whose lines the report counts from 1 */
export function refusedRows(text: string, refused: readonly Refused[]): string {
  const lines = text.split(/\r\n|\n|\r/);
  const rows = refused.map(({ line, reason }) => formatCsvLine([line, reason, lines[line - 1] ?? ""]));
  return [formatCsvLine(["line", "reason", "row"]), ...rows].join("");
}
