import { type Columns, findColumns, type Fields, type FileForm, type FileRow } from "./columns.ts";
import { createRemark } from "./remarks.ts";
import type { Line } from "./lines.ts";

/** Keys that are reported: each row may have others. */
const MOST_KEYS = 1_000;

/** Reads NDJSON: one object a line, keys in any case, null for an empty column. */
export async function* readNdjsonRows(
  batches: AsyncIterable<Line[]>,
  columns: Columns,
  form: FileForm,
): AsyncGenerator<FileRow[]> {
  for (const column of Object.keys(columns)) if (columns[column]!.json === "amount") form.decimalSigns[column] = ".";
  /** Those of the last row: most have the same. */
  let keys: string[] = [];
  let namedColumns: (string | undefined)[] = [];
  const resolveColumns = (row: object): typeof namedColumns => {
    const rowKeys = Object.keys(row);
    if (rowKeys.length === keys.length && rowKeys.every((key, index) => key === keys[index])) return namedColumns;
    keys = rowKeys;
    namedColumns = findColumns(columns, keys, form.choice.mapping);
    for (const [index, key] of keys.entries())
      if (form.columns.size < MOST_KEYS) form.columns.set(key, namedColumns[index]);
    return namedColumns;
  };
  for await (const lines of batches) {
    const rows = lines
      .filter(({ text, tooLong }) => tooLong || text.trim() !== "")
      .map((line) => toRow(columns, resolveColumns, line));
    if (rows.length > 0) yield rows;
  }
}

function toRow(
  columns: Columns,
  columnsOf: (row: object) => (string | undefined)[],
  { number: line, text, tooLong }: Line,
): FileRow {
  if (tooLong) return { line, refusal: createRemark("line_too_long") };
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, refusal: createRemark("line_not_object") };
  const fields: Fields = {};
  const namedColumns = columnsOf(value);
  for (const [index, entry] of Object.values(value).entries()) {
    const column = namedColumns[index];
    if (!column) continue;
    const { json } = columns[column]!;
    const isFraction = entry instanceof Fraction;
    const isNumber = isFraction || typeof entry === "number";
    const isList = json === "list" && Array.isArray(entry);
    const isText = entry === null || typeof entry === "string" || (json === "flag" && typeof entry === "boolean");
    if (!isText && !isList && !isNumber) return { line, refusal: createRemark("not_text").locate(column) };
    if (isFraction && json !== "amount") return { line, refusal: createRemark("number_loses_digits").locate(column) };
    if (fields[column] !== undefined) return { line, refusal: createRemark("column_repeated", { column }) };
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
