import type { Line } from "./lines.ts";
import { columnOf, type FileRow } from "./rows.ts";

/** The rows of an NDJSON file: one object a line, its keys the names of the columns in any case; null is an empty column. */
export async function* ndjsonRows(batches: AsyncIterable<Line[]>): AsyncGenerator<FileRow[]> {
  for await (const lines of batches) {
    const rows = lines.filter(({ text, tooLong }) => tooLong || text.trim() !== "").map(toRow);
    if (rows.length > 0) yield rows;
  }
}

function toRow({ number: line, text, tooLong }: Line): FileRow {
  if (tooLong) return { line, reason: "The line is too long" };
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { line, reason: "The line is not a JSON object" };
  const row: FileRow = { line, fields: {} };
  for (const [key, entry] of Object.entries(value)) {
    const column = columnOf(key);
    if (!column) continue;
    if (entry !== null && typeof entry !== "string" && typeof entry !== "number") return { line, reason: `The column '${column}' must be text` };
    if (row.fields[column] !== undefined) return { line, reason: `The row has the column '${column}' twice` };
    row.fields[column] = entry === null ? "" : String(entry);
  }
  return row;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
