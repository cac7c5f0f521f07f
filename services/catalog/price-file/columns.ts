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
export function columnOf(columns: Columns, name: string): string | undefined {
  const folded = foldedName(name);
  return Object.hasOwn(columns, folded) ? folded : undefined;
}

export function requiredOf(columns: Columns): string[] {
  return Object.keys(columns).filter((column) => columns[column]!.required);
}

/** Says why a row's text is of no use, naming the column: one is empty that must not be, too long or no text. */
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
