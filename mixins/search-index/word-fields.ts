import type { IndexDocument } from "./port.ts";
import { remembering } from "../remembering.ts";
import { singular, sizeTerms, termsOf } from "./text.ts";
import { cutTitle, thingsOf } from "./title-head.ts";
import type { FIELD_WEIGHT } from "./word-weights.ts";

/** `thing` is what the title's head names, `title` what follows the head. */
export type WordField = keyof typeof FIELD_WEIGHT;

/** Of texts that many documents have. */
const termsOfShared: (text: string) => readonly string[] = remembering(5_000, termsOf);
const thingsOfShared: (head: string) => readonly string[] = remembering(5_000, (head) => thingsOf(head).map(singular));

/** The terms of a document, by field. */
export function wordFieldsOf(document: IndexDocument): Record<WordField, readonly string[]> {
  const { partNumber, pnNorm, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const { head, rest } = cutTitle(document.title);
  return {
    number: termsOf(`${partNumber} ${pnNorm}`),
    head: termsOfShared(head),
    thing: thingsOfShared(head),
    title: [...termsOf(rest), ...sizeTerms(document.attributes?.tireSize)],
    manufacturer: termsOfShared([manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" ")),
    category: termsOfShared(`${category} ${kind ?? ""}`),
    description: termsOf(description ?? ""),
  };
}
