import { hasControlCharacter } from "../part-checks.ts";

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
export type Columns<C extends string> = Readonly<Record<C, ColumnRule>>;
export type Fields<C extends string> = Partial<Record<C, string>>;
export type FileRow<C extends string> = { line: number; fields: Fields<C> } | { line: number; reason: string };

/** `Part Number`, `PART-NUMBER` and `part_number` are the same. */
export function foldedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** Undefined for an unknown column. */
export function columnOf<C extends string>(columns: Columns<C>, name: string): C | undefined {
  const folded = foldedName(name);
  return Object.hasOwn(columns, folded) ? (folded as C) : undefined;
}

export function requiredOf<C extends string>(columns: Columns<C>): C[] {
  return (Object.keys(columns) as C[]).filter((column) => columns[column].required);
}

/** Says why a row's text is of no use, naming the column: one is empty that must not be, too long or no text. */
export function unreadable<C extends string>(fields: Fields<C>, columns: Columns<C>): string | undefined {
  const empty = requiredOf(columns).find((column) => (fields[column] ?? "").trim() === "");
  if (empty !== undefined) return `The column '${empty}' is empty`;
  for (const [column, text] of Object.entries(fields) as [C, string][]) {
    if (text.includes("\uFFFD"))
      return `The column '${column}' has bytes that are no text in the file's encoding: UTF-8, unless its Content-Type names a charset`;
    if (hasControlCharacter(text)) return `The column '${column}' has a control character or broken Unicode`;
    const { longest } = columns[column];
    if (text.trim().length > longest) return `The column '${column}' is longer than ${longest} characters`;
  }
  return undefined;
}
