import { LRUCache } from "lru-cache";
import type { IndexDocument } from "./port.ts";
import { singular, sizeTerms, termsOf } from "./text.ts";
import { cutTitle, thingsOf } from "./title-head.ts";
import type { FIELD_WEIGHT } from "./word-weights.ts";

/** `thing` is what the title's head names, `title` what follows the head. */
export type WordField = keyof typeof FIELD_WEIGHT;

/** Terms of texts that many documents have. */
const shared = new LRUCache<string, readonly string[]>({ max: 1_000 });

/** The terms of a document, by field. */
export function wordFieldsOf(document: IndexDocument): Record<WordField, readonly string[]> {
  const { partNumber, pnNorm, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const { head, rest } = cutTitle(document.title);
  return {
    number: termsOf(`${partNumber} ${pnNorm}`),
    head: termsOf(head),
    thing: thingsOf(head).map(singular),
    title: [...termsOf(rest), ...sizeTerms(document.attributes?.tireSize)],
    manufacturer: sharedTermsOf([manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" ")),
    category: sharedTermsOf(`${category} ${kind ?? ""}`),
    description: termsOf(description ?? ""),
  };
}

function sharedTermsOf(text: string): readonly string[] {
  const known = shared.get(text) ?? termsOf(text);
  shared.set(text, known);
  return known;
}
