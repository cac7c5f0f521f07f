import { columnOf, type Columns, type Fields, type FileRow } from "./columns.ts";
import type { Line } from "./lines.ts";

/** Reads NDJSON: one object a line, keys in any case, null for an empty column. */
export async function* ndjsonRows(batches: AsyncIterable<Line[]>, columns: Columns): AsyncGenerator<FileRow[]> {
  for await (const lines of batches) {
    const rows = lines.filter(({ text, tooLong }) => tooLong || text.trim() !== "").map((line) => toRow(columns, line));
    if (rows.length > 0) yield rows;
  }
}

function toRow(columns: Columns, { number: line, text, tooLong }: Line): FileRow {
  if (tooLong) return { line, reason: "The line is too long" };
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, reason: "The line is not a JSON object" };
  const fields: Fields = {};
  for (const [key, entry] of Object.entries(value)) {
    const column = columnOf(columns, key);
    if (!column) continue;
    const { json } = columns[column]!;
    const isFraction = entry instanceof Fraction;
    const isNumber = isFraction || typeof entry === "number";
    const isList = json === "list" && Array.isArray(entry);
    const isText = entry === null || typeof entry === "string" || (json === "flag" && typeof entry === "boolean");
    if (!isText && !isList && !isNumber) return { line, reason: `The column '${column}' must be text` };
    if (isFraction && json !== "amount")
      return { line, reason: `The column '${column}' must be text: a number loses digits` };
    if (fields[column] !== undefined) return { line, reason: `The row has the column '${column}' twice` };
    fields[column] = entry === null ? "" : isList ? JSON.stringify(entry) : String(entry);
  }
  return { line, fields };
}

/** A number that is not written as a whole one, as `10.0`. */
class Fraction extends Number {}

function parseJson(text: string): unknown {
  const isWhole = (value: number, source: string): boolean => Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  // The key of the line itself is empty.
  const revive = (key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
    typeof value === "number" && key !== "" && !isWhole(value, source!) ? new Fraction(value) : value;
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
