import type { Line } from "./lines.ts";
import { columnOf, type Columns, type Fields, type FileRow } from "./columns.ts";

/** Reads NDJSON: one object a line, keys in any case, null for an empty column. */
export async function* ndjsonRows<C extends string>(
  batches: AsyncIterable<Line[]>,
  columns: Columns<C>,
): AsyncGenerator<FileRow<C>[]> {
  for await (const lines of batches) {
    const rows = lines.filter(({ text, tooLong }) => tooLong || text.trim() !== "").map((line) => toRow(columns, line));
    if (rows.length > 0) yield rows;
  }
}

function toRow<C extends string>(columns: Columns<C>, { number: line, text, tooLong }: Line): FileRow<C> {
  if (tooLong) return { line, reason: "The line is too long" };
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, reason: "The line is not a JSON object" };
  const fields: Fields<C> = {};
  for (const [key, entry] of Object.entries(value)) {
    const column = columnOf(columns, key);
    if (!column) continue;
    const { json } = columns[column];
    const isNumber = entry instanceof WrittenNumber;
    const isList = json === "list" && Array.isArray(entry);
    const isText = entry === null || typeof entry === "string" || (json === "flag" && typeof entry === "boolean");
    if (!isText && !isList && !isNumber) return { line, reason: `The column '${column}' must be text` };
    if (isNumber && json !== "amount" && !entry.isWhole)
      return { line, reason: `The column '${column}' must be text: a number loses digits` };
    if (fields[column] !== undefined) return { line, reason: `The row has the column '${column}' twice` };
    fields[column] = entry === null ? "" : isList ? JSON.stringify(entry) : String(entry);
  }
  return { line, fields };
}

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

  toJSON(): number {
    return this.#value;
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
