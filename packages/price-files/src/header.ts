import { createRemark, FileRefusal, type Remark } from "./remarks.ts";
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
import { correctColumns, inferColumns, inferTitle } from "./headless.ts";

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

interface Candidate {
  index: number;
  columns: (string | undefined)[];
  score: number;
}

/**
 * Finds the header among the first rows of a file: the row that names most columns, part numbers among them. The
 * delimiter by which it fits best is the file's.
 */
export function findHeader(rows: readonly RawRow[], knownColumns: Columns, form: FileForm): Candidate | undefined {
  const { mapping } = form.choice;
  const isSearched = Object.values(knownColumns).some(({ role }) => role !== undefined);
  const required = listRequiredColumns(knownColumns);
  let best: Candidate | undefined;
  for (const [index, { cells }] of rows.slice(0, isSearched ? LAST_HEADER_ROW : 1).entries()) {
    // By position alone, a mapping fits any row.
    const namedMapping = Object.fromEntries(
      Object.entries(mapping ?? {}).filter(([, place]) => typeof place !== "number"),
    );
    const namedColumns = findColumns(knownColumns, cells, namedMapping).filter((column) => column !== undefined);
    const exact = cells.filter((cell) => Object.hasOwn(knownColumns, foldColumnName(cell))).length;
    const score = namedColumns.length + exact + required.filter((column) => namedColumns.includes(column)).length;
    const isHeader =
      namedColumns.length >= LEAST_NAMED &&
      (required.slice(0, 1).every((column) => namedColumns.includes(column)) || mapping !== undefined);
    if (isHeader && score > (best?.score ?? 0))
      best = { index, columns: findColumns(knownColumns, cells, mapping), score };
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
  const { keptMapping } = form.choice;
  if (form.choice.mapping === undefined && keptMapping !== undefined) {
    const isFitting = rows.slice(0, LAST_HEADER_ROW).some(({ cells }) => hasPlaces(cells, keptMapping));
    if (isFitting) form.choice = { ...form.choice, mapping: keptMapping };
  }
  const { mapping } = form.choice;
  const header = findHeader(rows, knownColumns, form);
  const headless = header ? undefined : inferColumns(rows, knownColumns, mapping);
  const dataRows = rows.slice(header ? header.index + 1 : 0);
  const columns = header
    ? correctColumns(dataRows, rows[header.index]?.cells ?? [], header.columns, mapping)
    : [...(headless ?? [])];
  const isUntitled = header && Object.hasOwn(knownColumns, "title") && !columns.includes("title");
  if (isUntitled && !Object.hasOwn(mapping ?? {}, "title")) {
    const title = knownColumns.title?.role && inferTitle(dataRows, columns);
    if (typeof title === "number") columns[title] = "title";
  }
  const firstNames = rows[header?.index ?? findWidest(rows)]?.cells ?? [];
  const names = header || !headless ? firstNames : columns.map(() => "");
  const describe = (column: string | undefined, index: number) => ({
    position: index + 1,
    name: names[index] ?? "",
    column: column ?? null,
  });
  const columnsOrBlanks = columns.length > 0 ? columns : names.map(() => undefined);
  const layout: FileLayout = {
    ...facts,
    headerLine: (header && rows[header.index]?.line) ?? null,
    columns: columnsOrBlanks.map(describe).filter(({ name, column }) => name !== "" || column !== null),
  };
  form.layout = layout;
  if (header || !headless) assertMapping(knownColumns, names, mapping);
  const missing = listRequiredColumns(knownColumns).find((column) => !columns.includes(column));
  if (missing !== undefined)
    throw createMissingColumnError(missing, names.some((name) => name !== "") ? names : firstNames, layout);
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated !== undefined)
    throw createFileError(repeated, createRemark("column_twice", { column: repeated }), layout);
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
  return { columns, least: lastNamed + 1, from: header ? header.index + 1 : 0 };
}

/** The row with most names, for an error that lists them. */
function findWidest(rows: readonly RawRow[]): number {
  const filled = rows.slice(0, LAST_HEADER_ROW).map(({ cells }) => cells.filter((cell) => cell !== "").length);
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
