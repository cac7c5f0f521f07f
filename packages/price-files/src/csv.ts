import { CsvError, parse } from "csv-parse/sync";
import { createRemark, refuseFile } from "./remarks.ts";
import { settleAmounts } from "./amounts.ts";
import type { Columns, Fields, FileForm, FileRow, RawRow } from "./columns.ts";
import { findHeader, settleTable, type Table } from "./header.ts";
import type { Line } from "./lines.ts";

/** Longest quoted field; a longer one is an unclosed quote. */
const MAX_RECORD_LINES = 100;
/** Lines that are read ahead to see what the columns are, and how amounts are written. */
const SAMPLE_LINES = 1_000;

interface Form extends Table {
  delimiter: string;
}

/**
 * Reads CSV by the names in its header, or by what its columns hold. An unreadable row costs only itself: after an
 * unclosed quote, reading goes on at the next line. @throws FileRefusal if a required column is missing or one is
 * named twice
 */
export async function* readCsvRows(
  batches: AsyncIterable<Line[]>,
  knownColumns: Columns,
  form: FileForm,
): AsyncGenerator<FileRow[]> {
  let table: Form | undefined;
  let waiting: Line[] = [];
  const begin = (): FileRow[] => {
    table = takeHeader(waiting, knownColumns, form);
    const parsed = parseLines(table, waiting, false);
    waiting = parsed.rest;
    settleAmounts(parsed.rows, knownColumns, form, table.delimiter);
    return parsed.rows;
  };
  for await (const lines of batches) {
    waiting = waiting.concat(lines);
    if (!table) {
      if (waiting.length < SAMPLE_LINES) continue;
      const rows = begin();
      if (rows.length > 0) yield rows;
      continue;
    }
    const { rows, rest } = parseLines(table, waiting, false);
    waiting = rest;
    if (rows.length > 0) yield rows;
  }
  const rows = table ? [] : begin();
  if (table) rows.push(...parseLines(table, waiting, true).rows);
  if (rows.length > 0) yield rows;
}

/** What spreadsheets write above the header to name their separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?\s*$/i;
const DELIMITERS = [",", ";", "\t", "|"];
/** Rows by which a header and a separator are found. */
const LOOKED_AT = 200;

/** Takes the lines up to the header, and finds the separator: the one by which a header, or the columns, show best. */
function takeHeader(lines: Line[], knownColumns: Columns, form: FileForm): Form {
  while (lines.length > 0 && isBlank(lines[0]!)) lines.shift();
  const separator = lines[0] && SEPARATOR_LINE.exec(lines[0].text)?.[1];
  if (separator) lines.shift();
  if (lines.length === 0) throw refuseFile("VALIDATION_FAILED", createRemark("file_empty"));
  if (lines[0]?.text.includes("\0")) throw refuseFile("VALIDATION_FAILED", createRemark("file_not_text"));
  const occurring = DELIMITERS.filter(
    (delimiter, index) => index === 0 || lines.some(({ text }) => text.includes(delimiter)),
  );
  const candidates: (Pick<Form, "delimiter"> & { rows: FirstRow[]; score: number; regular: number })[] = [];
  for (const delimiter of separator ? [separator] : occurring) {
    const rows = readFirstRows(lines, delimiter);
    const { score = 0, isExact } = findHeader(rows, knownColumns, form) ?? {};
    candidates.push({ delimiter, rows, score, regular: score > 0 ? 0 : countRegular(rows) });
    if (isExact) break;
  }
  const best = candidates.reduce((first, next) =>
    next.score > first.score || (next.score === first.score && next.regular > first.regular) ? next : first,
  );
  const { delimiter, rows } = best;
  const table = settleTable(rows, knownColumns, form, { ...form.layout, delimiter });
  const header = table.from === 0 ? undefined : rows[table.from - 1];
  if (header) {
    const next = lines.findIndex(({ number }) => number >= header.line + header.lineCount);
    lines.splice(0, next === -1 ? lines.length : next);
  }
  return { ...table, delimiter };
}

/** How many columns most rows have, times how many rows have them. */
function countRegular(rows: readonly RawRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([width, count]) => Math.min(width, 3) * count));
}

type FirstRow = RawRow & { lineCount: number };

/** Reads the first records as they are, those of several lines too. */
function readFirstRows(lines: readonly Line[], delimiter: string): FirstRow[] {
  const rows: FirstRow[] = [];
  for (let next = 0; next < lines.length && rows.length < LOOKED_AT;) {
    const first = lines[next]!;
    let text = first.text;
    let lineCount = 1;
    let record = text.includes('"') ? parseRecord(text, delimiter) : text.split(delimiter).map((cell) => cell.trim());
    while (record === "unclosed" && lineCount < MAX_HEADER_LINES && next + lineCount < lines.length) {
      text += `\n${lines[next + lineCount]?.text}`;
      lineCount += 1;
      record = parseRecord(text, delimiter);
    }
    if (!Array.isArray(record)) lineCount = 1;
    const relaxed = Array.isArray(record) ? record : parseRecord(first.text, delimiter, true);
    const cells = Array.isArray(relaxed) ? relaxed : first.text.split(delimiter);
    if (cells.some((cell) => cell !== "")) rows.push({ line: first.number, cells, lineCount });
    next += lineCount;
  }
  return rows;
}

/** Of a record among the first rows. */
const MAX_HEADER_LINES = 5;

/** `rest` are the lines of a record that may continue. */
function parseLines(header: Form, lines: Line[], atEnd: boolean): { rows: FileRow[]; rest: Line[] } {
  const { delimiter, columns } = header;
  const rows: FileRow[] = [];
  for (let next = 0; next < lines.length;) {
    const first = lines[next]!;
    let lineCount = 1;
    if (first.tooLong) rows.push({ line: first.number, refusal: createRemark("line_too_long") });
    else if (first.text.includes('"')) {
      let record = parseRecord(first.text, delimiter);
      let isOpen = hasOddQuotes(first.text);
      while (record === "unclosed" && lineCount < MAX_RECORD_LINES && next + lineCount < lines.length) {
        const { tooLong, text } = lines[next + lineCount]!;
        if (tooLong) break;
        lineCount += 1;
        if (!hasOddQuotes(text)) continue;
        isOpen = !isOpen;
        // Each quote has its other one where a record ends.
        if (isOpen) continue;
        const recordLines = lines.slice(next, next + lineCount);
        record = parseRecord(recordLines.map((line) => line.text).join("\n"), delimiter);
      }
      const mayGoOn =
        record === "unclosed" && !atEnd && next + lineCount === lines.length && lineCount < MAX_RECORD_LINES;
      if (mayGoOn) return { rows, rest: lines.slice(next) };
      // A ragged record over several lines began with a quote that its line does not close.
      const isWhole = Array.isArray(record) && (lineCount === 1 || record.length === columns.length);
      if (!isWhole) lineCount = 1;
      rows.push(isWhole ? toRow(header, first, record as string[]) : readAlone(header, first));
    } else if (!isBlank(first)) {
      const values = first.text.split(delimiter).map((value) => value.trim());
      // Spreadsheets write a blank row as delimiters alone.
      if (values.some((value) => value !== "")) rows.push(toRow(header, first, values));
    }
    next += lineCount;
  }
  return { rows, rest: [] };
}

function hasOddQuotes(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

/** Takes stray quotes, as in `21" blade`, for letters. */
function readAlone(header: Form, line: Line): FileRow {
  const record = parseRecord(line.text, header.delimiter, true);
  if (Array.isArray(record)) return toRow(header, line, record);
  const refusal = createRemark(record === "malformed" ? "quote_closed_early" : "quote_not_closed");
  return { line: line.number, refusal };
}

/**
 * Splits a record whose quotes and blanks leave no doubt. For each record csv-parse makes a parser: 20 times the work.
 */
export function splitPlainRecord(text: string, delimiter: string): string[] | undefined {
  const values: string[] = [];
  for (let from = 0; text !== ""; from += 1) {
    const isQuoted = text[from] === '"';
    const end = isQuoted ? findClosingQuote(text, from + 1) + 1 : findNext(text, delimiter, from);
    const value = text.slice(from, end);
    if (isQuoted) {
      if (end === 0 || (end < text.length && text[end] !== delimiter)) return undefined;
      values.push(value.slice(1, -1).replaceAll('""', '"'));
    } else {
      if (/["\n]|^\s|\s$/.test(value)) return undefined;
      values.push(value);
    }
    if (end === text.length) return values;
    from = end;
  }
  return undefined;
}

/** Returns -1 if there is none. Two quotes are one of the text. */
function findClosingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote;
}

function findNext(text: string, delimiter: string, from: number): number {
  const next = text.indexOf(delimiter, from);
  return next === -1 ? text.length : next;
}

/** The values of one record, or why it is none. */
function parseRecord(text: string, delimiter: string, relaxed = false): string[] | "unclosed" | "malformed" {
  const plain = splitPlainRecord(text, delimiter);
  if (plain) return plain;
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

function toRow({ columns, least }: Form, { number: line }: Line, values: string[]): FileRow {
  if (values.length < least) {
    const column = columns.slice(values.length).find((name) => name) ?? "the last column";
    return { line, refusal: createRemark("row_short", { column, count: values.length, columns: columns.length }) };
  }
  if (values.length > columns.length && values.slice(columns.length).some((value) => value !== "")) {
    const column = columns.findLast((name) => name) ?? "the last column";
    return { line, refusal: createRemark("row_long", { column, count: values.length, columns: columns.length }) };
  }
  const fields: Fields = {};
  for (const [index, column] of columns.entries()) if (column) fields[column] = readValue(values[index]);
  return { line, fields };
}

/** What databases and programs export for an empty cell. */
const EMPTY_WORDS = new Set(["NULL", "null", "None", "NaN", "nan", "\\N"]);

function readValue(value = ""): string {
  return value.length <= 4 && EMPTY_WORDS.has(value) ? "" : value;
}

function isBlank({ tooLong, text }: Line): boolean {
  return !tooLong && text.trim() === "";
}
