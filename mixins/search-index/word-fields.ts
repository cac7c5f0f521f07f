import { LRUCache } from "lru-cache";
import type { IndexDocument } from "./port.ts";
import { singular, sizeTerms, termsOf } from "./text.ts";
import { cutTitle, thingsOf } from "./title-head.ts";
import type { FIELD_WEIGHT } from "./word-weights.ts";

/** `thing` is what the title's head names, `title` what follows the head. */
export type WordField = keyof typeof FIELD_WEIGHT;

/** Of texts that many documents have: their terms, and the things that they name. */
const sharedTerms = new LRUCache<string, readonly string[]>({ max: 5_000 });
const sharedThings = new LRUCache<string, readonly string[]>({ max: 5_000 });

/** The terms of a document, by field. */
export function wordFieldsOf(document: IndexDocument): Record<WordField, readonly string[]> {
  const { partNumber, pnNorm, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const { head, rest } = cutTitle(document.title);
  return {
    number: termsOf(`${partNumber} ${pnNorm}`),
    head: known(sharedTerms, head, termsOf),
    thing: known(sharedThings, head, (text) => thingsOf(text).map(singular)),
    title: [...termsOf(rest), ...sizeTerms(document.attributes?.tireSize)],
    manufacturer: known(
      sharedTerms,
      [manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" "),
      termsOf,
    ),
    category: known(sharedTerms, `${category} ${kind ?? ""}`, termsOf),
    description: termsOf(description ?? ""),
  };
}

function known(
  kept: LRUCache<string, readonly string[]>,
  text: string,
  make: (text: string) => readonly string[],
): readonly string[] {
  const found = kept.get(text);
  if (found) return found;
  const made = make(text);
  kept.set(text, made);
  return made;
}
