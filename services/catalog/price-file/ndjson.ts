import type { Line } from "./lines.ts";
import { columnOf, FLAG_COLUMNS, type FileRow } from "./part-row.ts";

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
    const isFlag = typeof entry === "boolean" && FLAG_COLUMNS.includes(column);
    if (entry !== null && typeof entry !== "string" && !isFlag && !(entry instanceof WrittenNumber))
      return { line, reason: `The column '${column}' must be text` };
    if (entry instanceof WrittenNumber && column !== "list_price" && !entry.isWhole) {
      return { line, reason: `The column '${column}' must be text: a number loses digits` };
    }
    if (row.fields[column] !== undefined) return { line, reason: `The row has the column '${column}' twice` };
    row.fields[column] = entry === null ? "" : String(entry);
  }
  return row;
}

/** A number of the file. */
class WrittenNumber {
  readonly #value: number;
  /** Whether it is written as a whole one: `10.0` is not. */
  readonly isWhole: boolean;

  constructor(value: number, source: string) {
    this.#value = value;
    this.isWhole = Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  }

  toString(): string {
    return String(this.#value);
  }
}

function parseJson(text: string): unknown {
  // The key of the line itself is empty.
  const revive = (key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
    typeof value === "number" && key !== "" ? new WrittenNumber(value, source!) : value;
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
