import { CsvError, parse } from "csv-parse/sync";
import { validationFailed } from "../../../mixins/errors.ts";
import { type Columns, findColumns, type Fields, type FileForm, type FileRow, listRequiredColumns } from "./columns.ts";
import { type DecimalSign, findDecimalSign } from "./decimal-sign.ts";
import { createRemark } from "../remarks.ts";
import type { Line } from "./lines.ts";

/** Longest quoted field; a longer one is an unclosed quote. */
const MAX_RECORD_LINES = 30;
/** Rows that are read ahead to see which decimal sign a column has. */
const SAMPLE_ROWS = 1_000;

interface Header {
  /** By position; undefined for an unknown column. */
  columns: (string | undefined)[];
  delimiter: string;
}

/**
 * Reads CSV by the names in its header. An unreadable row costs only itself: after an unclosed quote, reading goes on
 * at the next line. @throws VALIDATION_FAILED if a required column is missing or one is named twice
 */
export async function* readCsvRows(
  batches: AsyncIterable<Line[]>,
  knownColumns: Columns,
  form: FileForm,
): AsyncGenerator<FileRow[]> {
  let header: Header | undefined;
  let waiting: Line[] = [];
  /** Rows that wait until the decimal signs are known. */
  let sample: FileRow[] | undefined = [];
  for await (const lines of batches) {
    waiting = waiting.concat(lines);
    header ??= takeHeader(waiting, knownColumns, form);
    if (!header || waiting.length === 0) continue;
    const parsed = parseLines(header, waiting, false);
    let { rows } = parsed;
    waiting = parsed.rest;
    if (sample) {
      sample.push(...rows);
      // Where a comma separates, amounts with one are in quotes, and have groups.
      if (header.delimiter !== "," && sample.length < SAMPLE_ROWS) continue;
      form.decimalSigns = findDecimalSigns(sample, knownColumns, header);
      rows = sample;
      sample = undefined;
    }
    if (rows.length > 0) yield rows;
  }
  if (!header)
    throw validationFailed({ field: "body", message: "The file is empty: its first line must name the columns" });
  const rows = [...(sample ?? []), ...parseLines(header, waiting, true).rows];
  if (sample) form.decimalSigns = findDecimalSigns(rows, knownColumns, header);
  if (rows.length > 0) yield rows;
}

function findDecimalSigns(rows: FileRow[], knownColumns: Columns, { delimiter }: Header): Record<string, DecimalSign> {
  const signs: Record<string, DecimalSign> = {};
  for (const column of Object.keys(knownColumns).filter((column) => knownColumns[column]!.json === "amount")) {
    const amounts = rows.map((row) => ("fields" in row ? (row.fields[column] ?? "") : ""));
    const sign = delimiter === "," ? "." : findDecimalSign(amounts);
    if (sign) signs[column] = sign;
  }
  return signs;
}

/** What spreadsheets write above the header to name their separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\s*$/i;

/** Takes the first line that is not blank. */
function takeHeader(lines: Line[], knownColumns: Columns, form: FileForm): Header | undefined {
  while (lines.length > 0 && isBlank(lines[0]!)) lines.shift();
  const separator = lines[0] && SEPARATOR_LINE.exec(lines[0].text)?.[1];
  if (separator && lines.length === 1) return undefined;
  if (separator) lines.shift();
  const line = lines.shift();
  if (!line) return undefined;
  if (line.text.includes("\0"))
    throw validationFailed({
      field: "body",
      message:
        "The header has null characters: a UTF-16 file needs a byte order mark, or its charset in the Content-Type",
    });
  const delimiter = separator ?? findDelimiter(line.text);
  const record = parseRecord(line.text, delimiter);
  const names = Array.isArray(record) ? record : [];
  const columns = findColumns(knownColumns, names);
  const missing = listRequiredColumns(knownColumns).find((column) => !columns.includes(column));
  if (missing) throw validationFailed({ field: missing, message: `The file has no column '${missing}'` });
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated) throw validationFailed({ field: repeated, message: `The file has the column '${repeated}' twice` });
  form.columns = new Map(names.map((name, index) => [name, columns[index]]));
  return { columns, delimiter };
}

function findDelimiter(header: string): string {
  return [",", ";", "\t"]
    .map((candidate) => ({ candidate, count: header.split(candidate).length }))
    .reduce((best, next) => (next.count > best.count ? next : best)).candidate;
}

/** `rest` are the lines of a record that may continue. */
function parseLines(header: Header, lines: Line[], atEnd: boolean): { rows: FileRow[]; rest: Line[] } {
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
function readAlone(header: Header, line: Line): FileRow {
  const record = parseRecord(line.text, header.delimiter, true);
  if (Array.isArray(record)) return toRow(header, line, record);
  const refusal = createRemark(record === "malformed" ? "quote_closed_early" : "quote_not_closed");
  return { line: line.number, refusal };
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

function toRow({ columns }: Header, { number: line }: Line, values: string[]): FileRow {
  if (values.length < columns.length) {
    const column = columns.slice(values.length).find((column) => column) ?? "the last column";
    return { line, refusal: createRemark("row_short", { column, count: values.length, columns: columns.length }) };
  }
  if (values.length > columns.length) {
    const column = columns.findLast((column) => column) ?? "the last column";
    return { line, refusal: createRemark("row_long", { column, count: values.length, columns: columns.length }) };
  }
  const fields: Fields = {};
  for (const [index, column] of columns.entries()) if (column) fields[column] = values[index]!;
  return { line, fields };
}

function isBlank({ tooLong, text }: Line): boolean {
  return !tooLong && text.trim() === "";
}
