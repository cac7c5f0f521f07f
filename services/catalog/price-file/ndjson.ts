import type { Line } from "./lines.ts";
import { columnOf, type FileRow } from "./part-row.ts";

/**
 * Reads NDJSON: one object a line, keys in any case, null for an empty column. A price may be a number; of other
 * columns only a whole number may: `10.0020` as a number is `10.002`, another part.
 */
export async function* ndjsonRows(batches: AsyncIterable<Line[]>): AsyncGenerator<FileRow[]> {
  for await (const lines of batches) {
    const rows = lines.filter(({ text, tooLong }) => tooLong || text.trim() !== "").map(toRow);
    if (rows.length > 0) yield rows;
  }
}

function toRow({ number: line, text, tooLong }: Line): FileRow {
  if (tooLong) return { line, reason: "The line is too long" };
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, reason: "The line is not a JSON object" };
  const row: FileRow = { line, fields: {} };
  for (const [key, entry] of Object.entries(value)) {
    const column = columnOf(key);
    if (!column) continue;
    if (entry !== null && typeof entry !== "string" && typeof entry !== "number")
      return { line, reason: `The column '${column}' must be text` };
    if (typeof entry === "number" && column !== "list_price" && !isWholeNumber(text, key)) {
      return { line, reason: `The column '${column}' must be text: a number loses digits` };
    }
    if (row.fields[column] !== undefined) return { line, reason: `The row has the column '${column}' twice` };
    row.fields[column] = entry === null ? "" : String(entry);
  }
  return row;
}

/** Whether the key's number is written as a whole one: `10.0` is not. */
function isWholeNumber(text: string, wanted: string): boolean {
  const isWholeIn = new Map<unknown, boolean>();
  function note(this: object, key: string, value: unknown, { source }: { source?: string } = {}): unknown {
    if (key === wanted) isWholeIn.set(this, Number.isSafeInteger(value) && /^-?\d+$/.test(source!));
    return value;
  }
  // Not the same key in a nested object.
  return isWholeIn.get(JSON.parse(text, note)) === true;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
