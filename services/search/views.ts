import type { Infer } from "../../broker/contract/rules.ts";
import type { IndexDocument, Suggestion } from "../../mixins/search-index/port.ts";
import { decimalOrNull, shownPart } from "../../mixins/search-index/shown.ts";
import type { partDetailRule, suggestionRule } from "./resources.ts";
import { namingWords } from "./shopper-words.ts";

export function toPartDetail(document: IndexDocument): Infer<typeof partDetailRule> {
  return {
    ...shownPart(document),
    description: document.description ?? null,
    skuVariants: document.skuVariants,
  };
}

export function toSuggestion({ text, highlighted, document }: Suggestion): Infer<typeof suggestionRule> {
  if (!document) return { text, highlighted, kind: "query" };
  const { id, partNumber, title, price, imageUrl } = document;
  return {
    text,
    highlighted,
    kind: "part",
    part: { id, partNumber, title, unitPrice: decimalOrNull(price), imageUrl },
  };
}

/** A word that names no part alone is not worth showing, although it begins parts' words. */
export function isWorthShowing(suggestion: string): boolean {
  return namingWords(suggestion).length > 0;
}
