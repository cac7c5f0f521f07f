import type { IndexDocument } from "./port.ts";
import { termsOf } from "./text.ts";
import type { FIELD_WEIGHT } from "./word-weights.ts";

/** Where in a document a word may be; `title` is what follows the title's head. */
export type WordField = keyof typeof FIELD_WEIGHT;

/** The terms of a document, by the field that they are in. */
export function wordFieldsOf(document: IndexDocument): Record<WordField, string[]> {
  const { partNumber, pnNorm, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const { head, rest } = cutTitle(document.title);
  return {
    number: termsOf(`${partNumber} ${pnNorm}`),
    head: termsOf(head),
    title: termsOf(rest),
    manufacturer: termsOf([manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" ")),
    category: termsOf(`${category} ${kind ?? ""}`),
    description: termsOf(description ?? ""),
  };
}

/** The head is what stands before the first comma, all where there is none: `Oil Filter` of `Oil Filter, Short`, `FILTER` of `FILTER,OIL`. */
function cutTitle(title: string): { head: string; rest: string } {
  // A comma between digits is a part of a number.
  const [head = ""] = title.split(/(?<!\d),|,(?!\d)/, 1);
  return { head, rest: title.slice(head.length) };
}
