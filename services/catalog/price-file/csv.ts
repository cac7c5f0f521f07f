import { CsvError, parse } from "csv-parse/sync";
import { validationFailed } from "../../../mixins/errors.ts";
import type { Line } from "./lines.ts";
import { columnOf, REQUIRED_COLUMNS, type Column, type FileRow } from "./part-row.ts";

/** Longest quoted field; a longer one is an unclosed quote. */
const MAX_RECORD_LINES = 30;

interface Header {
  /** By position; undefined for an unknown column. */
  columns: (Column | undefined)[];
  delimiter: string;
}

/**
 * Reads CSV by the names in its header. An unreadable row costs only itself: after an unclosed quote, reading goes on
 * at the next line. @throws VALIDATION_FAILED if a required column is missing or one is named twice
 */
export async function* csvRows(batches: AsyncIterable<Line[]>): AsyncGenerator<FileRow[]> {
  let header: Header | undefined;
  let waiting: Line[] = [];
  for await (const lines of batches) {
    waiting = waiting.concat(lines);
    header ??= takeHeader(waiting);
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
function takeHeader(lines: Line[]): Header | undefined {
  while (lines.length > 0 && isBlank(lines[0]!)) lines.shift();
  const line = lines.shift();
  if (!line) return undefined;
  if (line.text.includes("\0")) {
    throw validationFailed({
      field: "body",
      message:
        "The header has null characters: a UTF-16 file needs a byte order mark, or its charset in the Content-Type",
    });
  }
  const delimiter = [",", ";", "\t"]
    .map((candidate) => ({ candidate, count: line.text.split(candidate).length }))
    .reduce((best, next) => (next.count > best.count ? next : best)).candidate;
  const columns = (parseText(line.text, delimiter).records[0]?.values ?? []).map(columnOf);
  for (const column of REQUIRED_COLUMNS) {
    if (!columns.includes(column))
      throw validationFailed({ field: column, message: `The file has no column '${column}'` });
  }
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated) throw validationFailed({ field: repeated, message: `The file has the column '${repeated}' twice` });
  return { columns, delimiter };
}

/** `rest` are the lines of a record that may continue. */
function parseLines(header: Header, lines: Line[], atEnd: boolean): { rows: FileRow[]; rest: Line[] } {
  const rows: FileRow[] = [];
  let next = 0;
  // After a bad quote the batch is read record by record, to recover the lines that it swallowed.
  let carefully = false;
  while (next < lines.length) {
    const first = lines[next]!;
    if (isBlank(first)) {
      next += 1;
      continue;
    }
    if (first.tooLong) {
      rows.push({ line: first.number, reason: "The line is too long" });
      next += 1;
      continue;
    }
    const runEnd = endOfRun(lines, next);
    const end = carefully ? Math.min(runEnd, next + MAX_RECORD_LINES) : runEnd;
    const parsed = parseText(textOf(lines.slice(next, end)), header.delimiter, { to: carefully ? 1 : undefined });
    const base = next;
    let isBroken = parsed.failure === "malformed";
    for (const record of parsed.records) {
      while (isBlank(lines[next]!)) next += 1;
      const isOneLine = base + record.lastLine - next === 1;
      // A ragged record over several lines began with a quote that its line does not close.
      isBroken = !isOneLine && record.values.length !== header.columns.length;
      if (isBroken) break;
      rows.push(toRow(header, lines[next]!, record.values));
      next = base + record.lastLine;
    }
    if (!isBroken && !parsed.failure) {
      if (!carefully) next = end;
      continue;
    }
    if (!carefully) {
      carefully = true;
      continue;
    }
    const mayGoOn = parsed.failure === "unclosed" && !atEnd && end === lines.length && end - next < MAX_RECORD_LINES;
    if (mayGoOn) return { rows, rest: lines.slice(next) };
    rows.push(readAlone(header, lines[next]!));
    next += 1;
  }
  return { rows, rest: [] };
}

/** Takes stray quotes, as in `21" blade`, for letters. */
function readAlone(header: Header, line: Line): FileRow {
  const { records, failure } = parseText(line.text, header.delimiter, { relaxed: true });
  if (failure === "malformed") return { line: line.number, reason: "A quote is closed before its value ends" };
  const [record] = records;
  return failure || !record
    ? { line: line.number, reason: "A quote is opened and not closed" }
    : toRow(header, line, record.values);
}

interface CsvRecord {
  values: string[];
  /** From 1. */
  lastLine: number;
}

/** The records up to the first failure. */
function parseText(
  text: string,
  delimiter: string,
  options: { to?: number; relaxed?: boolean } = {},
): { records: CsvRecord[]; failure?: "unclosed" | "malformed" } {
  const records: CsvRecord[] = [];
  try {
    parse(text, {
      delimiter,
      record_delimiter: "\n",
      relax_column_count: true,
      relax_quotes: options.relaxed ?? false,
      skip_empty_lines: true,
      trim: true,
      ...(options.to === undefined ? {} : { to: options.to }),
      on_record: (values: string[], context) => {
        records.push({ values, lastLine: context.lines });
        return null;
      },
    });
    return { records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, failure: error.code === "CSV_QUOTE_NOT_CLOSED" ? "unclosed" : "malformed" };
  }
}

function textOf(lines: Line[]): string {
  return lines.map(({ text }) => text).join("\n");
}

function toRow({ columns }: Header, line: Line, values: string[]): FileRow {
  if (values.length < columns.length) {
    const missing = columns.slice(values.length).find((column) => column !== undefined) ?? "the last column";
    return {
      line: line.number,
      reason: `The row ends before '${missing}': it has ${values.length} of ${columns.length} columns`,
    };
  }
  if (values.length > columns.length) {
    const last = columns.findLast((column) => column !== undefined) ?? "the last column";
    return {
      line: line.number,
      reason: `The row goes on after '${last}': it has ${values.length} columns, the header ${columns.length}`,
    };
  }
  const fields: Partial<Record<Column, string>> = {};
  for (const [index, column] of columns.entries()) if (column) fields[column] = values[index]!;
  return { line: line.number, fields };
}

function endOfRun(lines: Line[], from: number): number {
  const stop = lines.findIndex((line, index) => index > from && line.tooLong);
  return stop === -1 ? lines.length : stop;
}

function isBlank(line: Line): boolean {
  return !line.tooLong && line.text.trim() === "";
}
