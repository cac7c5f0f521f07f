import { createRemark, FileRefusal, quote, type Remark } from "./remarks.ts";
import {
  assertMapping,
  type Columns,
  type FileForm,
  type FileLayout,
  findColumns,
  foldColumnName,
  hasPlaces,
  listRequiredColumns,
  quoteNames,
  type RawRow,
} from "./columns.ts";
import { correctColumns, inferColumns, inferNumber, inferReplacement, inferTitle } from "./headless.ts";

export interface Table {
  /** By position; undefined for an unknown column. */
  columns: (string | undefined)[];
  /** Columns that a row must have: those behind the last named one may be missing. */
  least: number;
  /** Of the rows that were read ahead, the first of the list. */
  from: number;
}

/** Rows above the header: a title, a date, an address. */
const LAST_HEADER_ROW = 20;
/** A header names so many columns at least. */
const LEAST_NAMED = 2;
/** Values of a column that is not used, by which a person says what it is. */
const EXAMPLES = 3;

/** What a row adds to its score that fills as many columns as the list has. */
const MOST_FOR_WIDTH = 2;

interface Candidate {
  index: number;
  columns: (string | undefined)[];
  score: number;
  /** All names are the columns' own: no other row, and no other delimiter, can say it better. */
  isExact: boolean;
}

/**
 * Finds the header among the first rows of a file: the row that names most columns, part numbers among them unless the
 * rows below show which those are. The delimiter by which it fits best is the file's.
 */
export function findHeader(rows: readonly RawRow[], knownColumns: Columns, form: FileForm): Candidate | undefined {
  const { mapping } = form.choice;
  const isSearched = Object.values(knownColumns).some(({ role }) => role !== undefined);
  const required = listRequiredColumns(knownColumns);
  const width = findMedian(rows.map(({ cells }) => countFilled(cells)));
  let best: Candidate | undefined;
  for (const [index, { cells }] of rows.slice(0, isSearched ? LAST_HEADER_ROW : 1).entries()) {
    // By position alone, a mapping fits any row.
    const namedMapping = Object.fromEntries(
      Object.entries(mapping ?? {}).filter(([, place]) => typeof place !== "number"),
    );
    const namedColumns = findColumns(knownColumns, cells, namedMapping).filter((column) => column !== undefined);
    const exact = cells.filter((cell) => Object.hasOwn(knownColumns, foldColumnName(cell))).length;
    const requiredCount = required.filter((column) => namedColumns.includes(column)).length;
    // A title of two words that head columns leaves the others without a name.
    const share = isSearched ? Math.min(1, countFilled(cells) / Math.max(1, width)) : 1;
    const score = namedColumns.length + exact + requiredCount + MOST_FOR_WIDTH * share;
    if (namedColumns.length < LEAST_NAMED || score <= (best?.score ?? 0)) continue;
    const columns = findColumns(knownColumns, cells, mapping);
    const isNumbered = required.slice(0, 1).every((column) => namedColumns.includes(column)) || mapping !== undefined;
    const number = isNumbered || !isSearched ? undefined : inferNumber(rows.slice(index + 1), cells, columns);
    if (number !== undefined) columns[number] = required[0];
    const isExact = exact === countFilled(cells) && requiredCount === required.length;
    if (isNumbered || number !== undefined) best = { index, columns, score, isExact };
    if (isExact) break;
  }
  return best;
}

/**
 * Settles which column of a file is what: by its header, or by what its columns hold if it has none.
 * @throws FileRefusal if a required column is missing or one is named twice
 */
export function settleTable(
  rows: readonly RawRow[],
  knownColumns: Columns,
  form: FileForm,
  facts: Omit<FileLayout, "columns" | "headerLine">,
): Table {
  keepMapping(rows, form);
  const { mapping } = form.choice;
  const header = findHeader(rows, knownColumns, form);
  const headless = header ? undefined : inferColumns(rows, knownColumns, mapping);
  const from = header ? header.index + 1 : (headless?.from ?? 0);
  const dataRows = rows.slice(from);
  const columns = header
    ? correctColumns(dataRows, rows[header.index]?.cells ?? [], header.columns, mapping)
    : [...(headless?.columns ?? [])];
  inferUnnamedColumns(dataRows, columns, knownColumns, form, header !== undefined);
  const firstNames = rows[from > 0 ? from - 1 : findWidest(rows)]?.cells ?? [];
  const names = from > 0 || !headless ? firstNames : columns.map(() => "");
  const layout: FileLayout = {
    ...facts,
    headerLine: rows[from - 1]?.line ?? null,
    columns: describeColumns(columns, names, dataRows),
  };
  form.layout = layout;
  if (header || !headless) assertMapping(knownColumns, names, mapping);
  assertColumns(columns, knownColumns, names.some((name) => name !== "") ? names : firstNames, layout);
  form.columns = new Map(
    columns.flatMap((column, index): [string, string | undefined][] => {
      const name = names[index] || (column === undefined ? "" : String(index + 1));
      return name === "" ? [] : [[name, column]];
    }),
  );
  form.foreignNames = new Set(
    [...form.columns].flatMap(([name, column]) => (column && foldColumnName(name) !== column ? [column] : [])),
  );
  const lastNamed = columns.findLastIndex((column, index) => column !== undefined || names[index] !== "");
  return { columns, least: lastNamed + 1, from };
}

/** Takes the mapping that is kept for the vendor, if the file has its columns and nobody chose another. */
function keepMapping(rows: readonly RawRow[], form: FileForm): void {
  const { mapping, keptMapping } = form.choice;
  if (mapping !== undefined || keptMapping === undefined) return;
  const isFitting = rows.slice(0, LAST_HEADER_ROW).some(({ cells }) => hasPlaces(cells, keptMapping));
  if (isFitting) form.choice = { ...form.choice, mapping: keptMapping };
}

/** Finds what no header names: the title, and what replaces a part. */
function inferUnnamedColumns(
  rows: readonly RawRow[],
  columns: (string | undefined)[],
  knownColumns: Columns,
  form: FileForm,
  hasHeader: boolean,
): void {
  const isMissing = (column: string): boolean =>
    knownColumns[column]?.role !== undefined &&
    !columns.includes(column) &&
    !Object.hasOwn(form.choice.mapping ?? {}, column);
  const title = hasHeader && isMissing("title") ? inferTitle(rows, columns) : undefined;
  if (title !== undefined) columns[title] = "title";
  if (!isMissing("superseded_by")) return;
  const replacement = inferReplacement(rows, columns);
  form.hasReplacementsInWords = replacement !== undefined;
  if (replacement !== undefined) columns[replacement] = "superseded_by";
}

function describeColumns(
  columns: readonly (string | undefined)[],
  names: readonly string[],
  rows: readonly RawRow[],
): FileLayout["columns"] {
  const columnsOrBlanks = columns.length > 0 ? columns : names.map(() => undefined);
  return columnsOrBlanks
    .map((column, index) => ({
      position: index + 1,
      name: names[index] ?? "",
      column: column ?? null,
      ...(column === undefined && {
        examples: rows.slice(0, EXAMPLES).map(({ cells }) => quote(cells[index] ?? "")),
      }),
    }))
    .filter(({ name, column }) => name !== "" || column !== null);
}

function assertColumns(
  columns: readonly (string | undefined)[],
  knownColumns: Columns,
  names: readonly string[],
  layout: FileLayout,
): void {
  const missing = listRequiredColumns(knownColumns).find(
    (column) =>
      !columns.includes(column) && !knownColumns[column]?.unless?.some((substitute) => columns.includes(substitute)),
  );
  if (missing !== undefined) throw createMissingColumnError(missing, names, layout);
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated !== undefined)
    throw createFileError(repeated, createRemark("column_twice", { column: repeated }), layout);
}

/** Says how rows show that they are a list: by a header, or by what their columns hold; undefined if they do not. */
export function findListForm(
  rows: readonly RawRow[],
  knownColumns: Columns,
  form: FileForm,
): "header" | "cells" | undefined {
  if (findHeader(rows, knownColumns, form)) return "header";
  return inferColumns(rows, knownColumns, form.choice.mapping) ? "cells" : undefined;
}

const countFilled = (cells: readonly string[]): number => cells.filter((cell) => cell !== "").length;
const findMedian = (numbers: readonly number[]): number =>
  numbers.toSorted((first, second) => first - second)[Math.floor(numbers.length / 2)] ?? 0;

/** The row with most names, for an error that lists them. */
function findWidest(rows: readonly RawRow[]): number {
  const filled = rows.slice(0, LAST_HEADER_ROW).map(({ cells }) => countFilled(cells));
  return Math.max(0, filled.indexOf(Math.max(...filled)));
}

function createMissingColumnError(column: string, names: readonly string[], layout: FileLayout): FileRefusal {
  const values = { column, names: quoteNames(names) || "none" };
  const { delimiter } = layout;
  const remark =
    delimiter === undefined
      ? createRemark("no_column_in_sheet", values)
      : createRemark("no_column", { ...values, delimiter: delimiter === "\t" ? "tab" : delimiter });
  return createFileError(column, remark, layout);
}

/** Creates the refusal of a whole file that was understood so far. */
export const createFileError = (field: string, remark: Remark, layout: FileLayout | undefined): FileRefusal =>
  new FileRefusal("VALIDATION_FAILED", remark, field, { layout });
