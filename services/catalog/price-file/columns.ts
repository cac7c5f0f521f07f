import { hasControlCharacter } from "../part-checks.ts";
import { quote, type Remark, createRemark } from "../remarks.ts";
import type { DecimalSign } from "./decimal-sign.ts";

export interface ColumnRule {
  /** Characters. */
  longest: number;
  required?: true;
  /** Other names that a file without this column may have for it. */
  aliases?: readonly string[];
  /** What a report says of a file without this column. */
  absent?: "no_prices";
  /**
   * What NDJSON may have instead of text: true or false; any number, of others only a whole one, as `10.0020` would be
   * `10.002`; a list of objects.
   */
  json?: "flag" | "amount" | "list";
}

/** The columns of a file, by their names. */
export type Columns = Readonly<Record<string, ColumnRule>>;
export type Fields = Partial<Record<string, string>>;
export type FileRow = { line: number; fields: Fields } | { line: number; refusal: Remark };

/** What holds for all rows of a file. The reader of the file fills it in before the rows that need it. */
export interface FileForm {
  /** Columns by the file's names for them; undefined for those that are not known. */
  columns: Map<string, string | undefined>;
  /** By column; missing if its amounts do not show it. */
  decimalSigns: Record<string, DecimalSign>;
}

export function createFileForm(): FileForm {
  return { columns: new Map(), decimalSigns: {} };
}

/** `Part Number`, `PART-NUMBER` and `part_number` are the same. */
export function foldColumnName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/**
 * Finds the columns that a file's names mean, undefined for an unknown one. `Part-No.` and `partnumber` are the part
 * number if no name says so to the letter and no other name could mean it as well.
 */
export function findColumns(columns: Columns, names: readonly string[]): (string | undefined)[] {
  const exact = names.map((name) => (Object.hasOwn(columns, foldColumnName(name)) ? foldColumnName(name) : undefined));
  const near = names.map((name) => Object.keys(columns).find((column) => isNear(column, columns[column]!, name)));
  return names.map((_, index) => {
    const column = near[index];
    const isClear =
      column !== undefined && !exact.includes(column) && near.filter((candidate) => candidate === column).length === 1;
    return exact[index] ?? (isClear ? column : undefined);
  });
}

function isNear(column: string, { aliases = [] }: ColumnRule, name: string): boolean {
  const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return [column, ...aliases].some((alias) => squash(alias) === squash(name));
}

const MOST_NAMED = 20;

/** Returns notes on columns that were ignored, read by a near name, or missing; none for a file without columns. */
export function listColumnNotes(columns: Columns, form: FileForm): Remark[] {
  if (form.columns.size === 0) return [];
  const quoteNames = (names: readonly string[]): string => names.map((name) => `'${quote(name)}'`).join(", ");
  const ignored = [...form.columns].flatMap(([name, column]) => (column === undefined && name !== "" ? [name] : []));
  const more = ignored.length > MOST_NAMED ? ` and ${ignored.length - MOST_NAMED} more` : "";
  const guessed = [...form.columns].filter(([name, column]) => column !== undefined && foldColumnName(name) !== column);
  const foundColumns = new Set(form.columns.values());
  return [
    ...guessed.map(([name, column = ""]) => createRemark("column_renamed", { name: quote(name), column })),
    ...Object.entries(columns).flatMap(([column, { absent }]) =>
      absent && !foundColumns.has(column) ? [createRemark(absent)] : [],
    ),
    ...(ignored.length === 0
      ? []
      : [
          createRemark("columns_ignored", {
            names: `${quoteNames(ignored.slice(0, MOST_NAMED))}${more}`,
            columns: quoteNames(Object.keys(columns)),
          }),
        ]),
  ];
}

export function listRequiredColumns(columns: Columns): string[] {
  return Object.keys(columns).filter((column) => columns[column]!.required);
}

/** Says why a row's text is of no use, naming the column: one is empty that must not be, too long or no text. */
export function findUnreadable(fields: Fields, columns: Columns): Remark | undefined {
  const empty = listRequiredColumns(columns).find((column) => (fields[column] ?? "").trim() === "");
  if (empty !== undefined) return createRemark("empty").locate(empty);
  for (const [column, text = ""] of Object.entries(fields)) {
    if (text.includes("\uFFFD")) return createRemark("wrong_encoding").locate(column);
    if (hasControlCharacter(text)) return createRemark("control_character").locate(column);
    const { longest } = columns[column]!;
    if (text.trim().length > longest) return createRemark("too_long", { longest }).locate(column);
  }
  return undefined;
}
