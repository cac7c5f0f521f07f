import { csvLine } from "../../../../../mixins/shop/csv.ts";

/** The rows that an import refused as a file: what to mend and to send again. */

interface Refused {
  line: number;
  reason: string;
}

/** @param text of the file that was sent, whose lines the report counts from 1 */
export function refusedRows(text: string, refused: readonly Refused[]): string {
  const lines = text.split(/\r\n|\n|\r/);
  const rows = refused.map(({ line, reason }) => csvLine([line, reason, lines[line - 1] ?? ""]));
  return [csvLine(["line", "reason", "row"]), ...rows].join("");
}
