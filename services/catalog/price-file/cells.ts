import { hasControlCharacter } from "../part-checks.ts";

/** Says why a row's text is of no use, naming the column: one is empty that must not be, too long or no text. */
export function unreadable<C extends string>(
  fields: Partial<Record<C, string>>,
  required: readonly C[],
  longest: Readonly<Record<C, number>>,
): string | undefined {
  for (const column of required) {
    if ((fields[column] ?? "").trim() === "") return `The column '${column}' is empty`;
  }
  for (const [column, text] of Object.entries(fields) as [C, string][]) {
    if (text.includes("\uFFFD"))
      return `The column '${column}' has bytes that are no text in the file's encoding: UTF-8, unless its Content-Type names a charset`;
    if (hasControlCharacter(text)) return `The column '${column}' has a control character or broken Unicode`;
    if (text.trim().length > longest[column])
      return `The column '${column}' is longer than ${longest[column]} characters`;
  }
  return undefined;
}
