import { hasControlCharacter } from "@partline/parts-language";
import { findPossibleNumber, type ListRole, OTHERS_RANK, rankHeader } from "./column-headers.ts";
import { SHOP_CURRENCY } from "./currency-words.ts";
import { memoizeRecent } from "@partline/toolkit";
import { createRemark, quote, refuseFile, type Remark } from "./remarks.ts";
import type { DecimalSign } from "./decimal-sign.ts";

export interface ColumnRule {
  /** Characters. */
  longest: number;
  required?: true;
  /** Columns of which one is enough for a file to do without this required one. */
  unless?: readonly string[];
  /** What headers of other files call it. With a role, a file is searched for its header; see `findHeader`. */
  role?: ListRole;
  /** It is read, and nothing of the product uses it yet. */
  isUnused?: true;
  /** A value that cannot be read is left out, and costs its row only if the header has the column's own name. */
  isLenient?: true;
  /** The column that this one is where the file has no such column, and no mapping says otherwise. */
  standsFor?: string;
  /** Headers that are this column in a file that has the other one under a header of another kind. */
  companion?: { column: string; isHeader(name: string, columnHeader?: string): boolean };
  /** What a report says of a file without this column. */
  absent?: "no_prices" | "no_titles";
  /**
   * What NDJSON may have instead of text: true or false; any number, of others only a whole one, as `10.0020` would be
   * `10.002`; a list of objects.
   */
  json?: "flag" | "amount" | "list";
}

/** A row of a file before its columns are known. */
export interface RawRow {
  line: number;
  cells: string[];
}

/** The columns of a file, by their names. */
export type Columns = Readonly<Record<string, ColumnRule>>;
export type Fields = Partial<Record<string, string>>;
export type FileRow = { line: number; fields: Fields } | { line: number; refusal: Remark };

/** Which column of a file is what: by its header or its position from 1; null is none. */
export type Mapping = Readonly<Record<string, string | number | null>>;

/** What a person says of a file. */
export interface FileChoice {
  mapping?: Mapping;
  /** The last mapping of the vendor, which counts if the file has all of its columns and no other is given. */
  keptMapping?: Mapping;
  /** The file's prices are in this currency, which counts as the shop's. */
  currency?: string;
  /** What an amount of the file is worth in the shop's currency. */
  rate?: number;
  /** Name of a sheet, or its number from 1. */
  sheet?: string;
}

/** How a file was understood. */
export interface FileLayout {
  delimiter?: string;
  sheet?: string;
  sheets?: string[];
  /** Null if the file has no header. */
  headerLine: number | null;
  /** Of a column that is not used, `examples` are its first values. */
  columns: { position: number; name: string; column: string | null; examples?: string[] }[];
}

/** What holds for all rows of a file. The reader of the file fills it in before the rows that need it. */
export interface FileForm {
  choice: FileChoice;
  /** Columns by the file's names for them; undefined for those that are not known. */
  columns: Map<string, string | undefined>;
  /** By column; missing if its amounts do not show it. */
  decimalSigns: Record<string, DecimalSign>;
  /** Of the prices; undefined if the file does not say. */
  currency?: string;
  encoding?: string;
  layout?: FileLayout;
  /** That the header of the weights names: `Weight (kg)`. */
  weightUnit?: string;
  /** The column of replacements was found by words in its cells: others of its cells say something else. */
  hasReplacementsInWords?: boolean;
  /** Columns under names of their own, not under the API's. */
  foreignNames: ReadonlySet<string>;
  /** Values that were left out as they cannot be read, by column. */
  unread: Map<string, { count: number; value: string }>;
}

export function createFileForm(choice: FileChoice = {}): FileForm {
  return { choice, columns: new Map(), decimalSigns: {}, foreignNames: new Set(), unread: new Map() };
}

/** Folds a column name: `Part Number`, `PART-NUMBER` and `part_number` are the same. */
export function foldColumnName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/**
 * Finds the columns that a file's names mean, undefined for an unknown one. What the mapping says counts; else a name
 * to the letter; else the header that says best what its column is.
 */
export function findColumns(columns: Columns, names: readonly string[], mapping: Mapping = {}): (string | undefined)[] {
  const assigned: (string | undefined)[] = names.map(() => undefined);
  for (const [column, place] of Object.entries(mapping)) {
    const index = place === null ? -1 : findPlace(names, place);
    if (index !== -1) assigned[index] = column;
  }
  const isOpen = (column: string): boolean => !Object.hasOwn(mapping, column);
  for (const [index, name] of names.entries()) {
    const column = foldColumnName(name);
    if (assigned[index] === undefined && Object.hasOwn(columns, column) && isOpen(column)) assigned[index] = column;
  }
  for (const column of Object.keys(columns).filter((column) => !assigned.includes(column) && isOpen(column))) {
    const alike = names.flatMap((name, place) => (squash(name) === squash(column) ? [place] : []));
    const [index] = alike;
    if (alike.length === 1 && index !== undefined && assigned[index] === undefined) assigned[index] = column;
  }
  const ranks = names.map((name, index) => (assigned[index] === undefined ? getRank(name) : undefined));
  for (const [column, { role }] of Object.entries(columns)) {
    if (role === undefined || assigned.includes(column) || !isOpen(column)) continue;
    // What is left of the titles describes.
    const [headerRole, worst] = role === "description" ? ["title", OTHERS_RANK] : [role, Infinity];
    const best = findBest(
      ranks.map((rank, index) =>
        rank?.role === headerRole && rank.rank < worst && assigned[index] === undefined ? rank.rank : undefined,
      ),
    );
    const place = best ?? (role === "partNumber" ? findOnlyNumber(names, assigned) : undefined);
    if (place !== undefined) assigned[place] = column;
  }
  for (const [column, { companion: rule }] of Object.entries(columns)) {
    const ruleHeader = names[assigned.indexOf(rule?.column)];
    if (!rule || ruleHeader === undefined || rule.isHeader(ruleHeader)) continue;
    const place = names.findIndex((name, index) => assigned[index] === undefined && rule.isHeader(name, ruleHeader));
    if (place !== -1 && !assigned.includes(column) && isOpen(column)) assigned[place] = column;
  }
  const described = assigned.indexOf("description");
  const isUntitled = Object.hasOwn(columns, "title") && !assigned.includes("title") && isOpen("title");
  if (isUntitled && described !== -1 && isOpen("description")) assigned[described] = "title";
  for (const [column, { standsFor }] of Object.entries(columns)) {
    const index = assigned.indexOf(column);
    if (standsFor === undefined || index === -1 || assigned.includes(standsFor)) continue;
    if (isOpen(column) && isOpen(standsFor)) assigned[index] = standsFor;
  }
  return assigned;
}

/**
 * Returns the place of a header that is one of numbers where no other is, if another names the parts:
 * `artikel;name;ek`.
 */
function findOnlyNumber(names: readonly string[], assigned: readonly (string | undefined)[]): number | undefined {
  const open = names.map((name, index) => (assigned[index] === undefined ? name : ""));
  const place = findPossibleNumber(open);
  const isNamed = names.some((name, index) => index !== place && getRank(name)?.role === "title");
  return place !== -1 && isNamed ? place : undefined;
}

/** Headers that are remembered: each row of NDJSON may have its own. */
const MOST_REMEMBERED = 2_000;
const getRank = memoizeRecent(MOST_REMEMBERED, rankHeader);

/** Says how well a header says that its column is of this role: 0 is best; undefined if it does not. */
export function rankAs(role: ListRole, header: string): number | undefined {
  const { role: headerRole, rank } = getRank(header) ?? {};
  return headerRole === role ? rank : undefined;
}

const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the place of the lowest rank, the first of equals. */
function findBest(ranks: readonly (number | undefined)[]): number | undefined {
  let best: number | undefined;
  for (const [index, rank] of ranks.entries())
    if (rank !== undefined && (best === undefined || rank < (ranks[best] ?? Infinity))) best = index;
  return best;
}

/** Returns the index of a column by its name or position; -1 if there is none. */
function findPlace(names: readonly string[], place: string | number): number {
  if (typeof place === "number") return place <= names.length ? place - 1 : -1;
  const exact = names.findIndex((name) => name.trim() === place.trim());
  return exact === -1 ? names.findIndex((name) => foldColumnName(name) === foldColumnName(place)) : exact;
}

/** Whether a row has all columns that a mapping names. */
export function hasPlaces(names: readonly string[], mapping: Mapping): boolean {
  return Object.values(mapping).every((place) => place === null || findPlace(names, place) !== -1);
}

/** @throws FileRefusal if the mapping names a column that there is not */
export function assertMapping(columns: Columns, names: readonly string[], mapping: Mapping = {}): void {
  for (const [column, place] of Object.entries(mapping)) {
    if (!Object.hasOwn(columns, column))
      throw refuseFile(
        "VALIDATION_FAILED",
        createRemark("mapping_unknown", { name: quote(column), columns: quoteNames(Object.keys(columns)) }),
        "mapping",
      );
    if (place !== null && findPlace(names, place) === -1)
      throw refuseFile(
        "VALIDATION_FAILED",
        createRemark("mapping_missing", { name: quote(String(place)), names: quoteNames(names) }),
        "mapping",
      );
  }
}

const MOST_NAMED = 20;

export function quoteNames(names: readonly string[]): string {
  const filledNames = names.filter((name) => name !== "");
  const more = filledNames.length > MOST_NAMED ? ` and ${filledNames.length - MOST_NAMED} more` : "";
  return (
    filledNames
      .slice(0, MOST_NAMED)
      .map((name) => `'${quote(name)}'`)
      .join(", ") + more
  );
}

/** Returns notes on columns that were ignored, read by another name, or missing; none for a file without columns. */
export function listColumnNotes(columns: Columns, form: FileForm): Remark[] {
  if (form.columns.size === 0) return [];
  const ignored = [...form.columns].flatMap(([name, column]) => (column === undefined && name !== "" ? [name] : []));
  const renamed = [...form.columns].filter(([name, column]) => column !== undefined && foldColumnName(name) !== column);
  const foundColumns = [...form.columns.values()];
  const unused = foundColumns.filter((column) => column !== undefined && columns[column]?.isUnused);
  const { sheet, sheets = [] } = form.layout ?? {};
  const unreadSheets = sheets.filter((name) => name !== sheet);
  return [
    ...(unreadSheets.length > 0 ? [createRemark("sheets_unread", { names: quoteNames(unreadSheets) })] : []),
    ...(form.layout?.headerLine === null ? [createRemark("no_header")] : []),
    ...(isCurrencyAssumed(form) ? [createRemark("currency_assumed", { shop: SHOP_CURRENCY })] : []),
    ...renamed.map(([name, column = ""]) => createRemark("column_renamed", { name: quote(name), column })),
    ...Object.entries(columns).flatMap(([column, { absent }]) =>
      absent && !foundColumns.includes(column) ? [createRemark(absent)] : [],
    ),
    ...(unused.length > 0 ? [createRemark("columns_unused", { names: unused.join(", ") })] : []),
    ...[...form.unread].map(([column, { count, value }]) => createRemark("values_unread", { column, count, value })),
    ...(ignored.length === 0
      ? []
      : [
          createRemark("columns_ignored", {
            names: quoteNames(ignored),
            columns: quoteNames(Object.keys(columns)),
          }),
        ]),
  ];
}

/** The API's own columns are in the shop's currency. */
function isCurrencyAssumed({ currency, choice, foreignNames }: FileForm): boolean {
  const isSaid = currency !== undefined || choice.currency !== undefined || choice.rate !== undefined;
  return !isSaid && (foreignNames.has("list_price") || foreignNames.has("cost"));
}

export function listRequiredColumns(columns: Columns): string[] {
  return Object.keys(columns).filter((column) => columns[column]!.required);
}

/** Says why a row's text is of no use, naming the column: one is empty that must not be, too long or no text. */
export function findUnreadable(fields: Fields, columns: Columns): Remark | undefined {
  const empty = listRequiredColumns(columns).find(
    (column) => (fields[column] ?? (columns[column]?.unless ? column : "")).trim() === "",
  );
  if (empty !== undefined) return createRemark("empty").locate(empty);
  for (const [column, text] of Object.entries(fields)) {
    if (text === undefined) continue;
    if (text.includes("\uFFFD")) return createRemark("wrong_encoding").locate(column);
    if (hasControlCharacter(text)) return createRemark("control_character").locate(column);
    const { longest } = columns[column]!;
    if (text.trim().length > longest) return createRemark("too_long", { longest }).locate(column);
  }
  return undefined;
}
