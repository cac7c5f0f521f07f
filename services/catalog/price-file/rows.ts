import { CsvError, parse } from "csv-parse/sync";
import { validationFailed } from "../../../mixins/errors.ts";
import { hasControlCharacter } from "../part-checks.ts";
import type { Line } from "./lines.ts";

export interface ColumnRule {
  /** Characters. */
  longest: number;
  required?: true;
  /**
   * What NDJSON may have instead of text: true or false; any number, of others only a whole one, as `10.0020` would be
   * `10.002`; a list of objects.
   */
  json?: "flag" | "amount" | "list";
}

/** The columns of a file, by their names. */
export type Columns = Readonly<Record<string, ColumnRule>>;
export type Fields = Partial<Record<string, string>>;
export type FileRow = { line: number; fields: Fields } | { line: number; reason: string };

/** `Part Number`, `PART-NUMBER` and `part_number` are the same. */
export function foldedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** Undefined for an unknown column. */
function columnOf(columns: Columns, name: string): string | undefined {
  const folded = foldedName(name);
  return Object.hasOwn(columns, folded) ? folded : undefined;
}

function requiredOf(columns: Columns): string[] {
  return Object.keys(columns).filter((column) => columns[column]!.required);
}

/** Says why a row's text is of no use, naming the column. */
export function unreadable(fields: Fields, columns: Columns): string | undefined {
  const empty = requiredOf(columns).find((column) => (fields[column] ?? "").trim() === "");
  if (empty !== undefined) return `The column '${empty}' is empty`;
  for (const [column, text = ""] of Object.entries(fields)) {
    if (text.includes("\uFFFD"))
      return `The column '${column}' has bytes that are no text in the file's encoding: UTF-8, unless its Content-Type names a charset`;
    if (hasControlCharacter(text)) return `The column '${column}' has a control character or broken Unicode`;
    const { longest } = columns[column]!;
    if (text.trim().length > longest) return `The column '${column}' is longer than ${longest} characters`;
  }
  return undefined;
}

/** Longest quoted field; a longer one is an unclosed quote. */
const MAX_RECORD_LINES = 30;

interface Header {
  /** By position; undefined for an unknown column. */
  columns: (string | undefined)[];
  delimiter: string;
}

/**
 * Reads CSV by the names in its header. An unreadable row costs only itself: after an unclosed quote, reading goes on
 * at the next line. @throws VALIDATION_FAILED if a required column is missing or one is named twice
 */
export async function* csvRows(batches: AsyncIterable<Line[]>, known: Columns): AsyncGenerator<FileRow[]> {
  let header: Header | undefined;
  let waiting: Line[] = [];
  for await (const lines of batches) {
    waiting = waiting.concat(lines);
    header ??= takeHeader(waiting, known);
    if (!header || waiting.length === 0) continue;
    const { rows, rest } = parseLines(header, waiting, false);
    waiting = rest;
    if (rows.length > 0) yield rows;
  }
  if (!header)
    throw validationFailed({ field: "body", message: "The file is empty: its first line must name the columns" });
  const { rows } = parseLines(header, waiting, true);
  if (rows.length > 0) yield rows;
}

/** Takes the first line that is not blank. */
function takeHeader(lines: Line[], known: Columns): Header | undefined {
  while (lines.length > 0 && isBlank(lines[0]!)) lines.shift();
  const line = lines.shift();
  if (!line) return undefined;
  if (line.text.includes("\0"))
    throw validationFailed({
      field: "body",
      message:
        "The header has null characters: a UTF-16 file needs a byte order mark, or its charset in the Content-Type",
    });
  const delimiter = [",", ";", "\t"]
    .map((candidate) => ({ candidate, count: line.text.split(candidate).length }))
    .reduce((best, next) => (next.count > best.count ? next : best)).candidate;
  const record = parseRecord(line.text, delimiter);
  const columns = Array.isArray(record) ? record.map((name) => columnOf(known, name)) : [];
  const missing = requiredOf(known).find((column) => !columns.includes(column));
  if (missing) throw validationFailed({ field: missing, message: `The file has no column '${missing}'` });
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated) throw validationFailed({ field: repeated, message: `The file has the column '${repeated}' twice` });
  return { columns, delimiter };
}

/** `rest` are the lines of a record that may continue. */
function parseLines(header: Header, lines: Line[], atEnd: boolean): { rows: FileRow[]; rest: Line[] } {
  const { delimiter, columns } = header;
  const rows: FileRow[] = [];
  for (let next = 0; next < lines.length;) {
    const first = lines[next]!;
    let taken = 1;
    if (first.tooLong) rows.push({ line: first.number, reason: "The line is too long" });
    else if (first.text.includes('"')) {
      let record = parseRecord(first.text, delimiter);
      let isOpen = hasOddQuotes(first.text);
      while (record === "unclosed" && taken < MAX_RECORD_LINES && next + taken < lines.length) {
        const { tooLong, text } = lines[next + taken]!;
        if (tooLong) break;
        taken += 1;
        if (!hasOddQuotes(text)) continue;
        isOpen = !isOpen;
        // Each quote has its other one where a record ends.
        if (isOpen) continue;
        const whole = lines.slice(next, next + taken);
        record = parseRecord(whole.map((line) => line.text).join("\n"), delimiter);
      }
      const mayGoOn = record === "unclosed" && !atEnd && next + taken === lines.length && taken < MAX_RECORD_LINES;
      if (mayGoOn) return { rows, rest: lines.slice(next) };
      // A ragged record over several lines began with a quote that its line does not close.
      const isWhole = Array.isArray(record) && (taken === 1 || record.length === columns.length);
      if (!isWhole) taken = 1;
      rows.push(isWhole ? csvRow(header, first, record as string[]) : readAlone(header, first));
    } else if (!isBlank(first)) {
      const values = first.text.split(delimiter).map((value) => value.trim());
      rows.push(csvRow(header, first, values));
    }
    next += taken;
  }
  return { rows, rest: [] };
}

function hasOddQuotes(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

/** Takes stray quotes, as in `21" blade`, for letters. */
function readAlone(header: Header, line: Line): FileRow {
  const record = parseRecord(line.text, header.delimiter, true);
  if (Array.isArray(record)) return csvRow(header, line, record);
  const fault = record === "malformed" ? "closed before its value ends" : "opened and not closed";
  return { line: line.number, reason: `A quote is ${fault}` };
}

/** The values of one record, or why it is none. */
function parseRecord(text: string, delimiter: string, relaxed = false): string[] | "unclosed" | "malformed" {
  try {
    const [values] = parse(text, {
      delimiter,
      record_delimiter: "\n",
      relax_column_count: true,
      relax_quotes: relaxed,
      trim: true,
    }) as string[][];
    return values ?? "unclosed";
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return error.code === "CSV_QUOTE_NOT_CLOSED" ? "unclosed" : "malformed";
  }
}

function csvRow({ columns }: Header, { number: line }: Line, values: string[]): FileRow {
  if (values.length < columns.length) {
    const missing = columns.slice(values.length).find((column) => column) ?? "the last column";
    const reason = `The row ends before '${missing}': it has ${values.length} of ${columns.length} columns`;
    return { line, reason };
  }
  if (values.length > columns.length) {
    const last = columns.findLast((column) => column) ?? "the last column";
    const reason = `The row goes on after '${last}': it has ${values.length} columns, the header ${columns.length}`;
    return { line, reason };
  }
  const fields: Fields = {};
  for (const [index, column] of columns.entries()) if (column) fields[column] = values[index]!;
  return { line, fields };
}

function isBlank({ tooLong, text }: Line): boolean {
  return !tooLong && text.trim() === "";
}

/** Reads NDJSON: one object a line, keys in any case, null for an empty column. */
export async function* ndjsonRows(batches: AsyncIterable<Line[]>, columns: Columns): AsyncGenerator<FileRow[]> {
  for await (const lines of batches) {
    const rows = lines
      .filter(({ text, tooLong }) => tooLong || text.trim() !== "")
      .map((line) => ndjsonRow(columns, line));
    if (rows.length > 0) yield rows;
  }
}

function ndjsonRow(columns: Columns, { number: line, text, tooLong }: Line): FileRow {
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
