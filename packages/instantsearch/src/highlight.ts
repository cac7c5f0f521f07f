import { fold } from "@partline/parts-language";

export interface Tags {
  preTag: string;
  postTag: string;
}

export interface HighlightResult {
  value: string;
  matchLevel: "none" | "partial" | "full";
  fullyHighlighted: boolean;
  matchedWords: string[];
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/**
 * Converts HTML of the index to Algolia's form: plain text with the caller's tags, which InstantSearch escapes
 * itself. `full`: as many words match as the query has.
 */
export function withTags(
  html: string | undefined,
  plain: string,
  { query, preTag, postTag }: Tags & { query: string },
): HighlightResult {
  if (html === undefined) return { value: plain, matchLevel: "none", fullyHighlighted: false, matchedWords: [] };
  const pieces = html.split(/<em>(.*?)<\/em>/s).map(unescapeHtml);
  const matched = pieces.filter((_, index) => index % 2 === 1);
  const rest = pieces.filter((_, index) => index % 2 === 0).join("");
  const wordCount = query.trim().split(/\s+/).length;
  return {
    value: pieces.map((piece, index) => (index % 2 === 1 ? `${preTag}${piece}${postTag}` : piece)).join(""),
    matchLevel: matched.length >= wordCount ? "full" : "partial",
    fullyHighlighted: !/[\p{L}\p{N}]/u.test(rest),
    matchedWords: [...new Set(matched.map((word) => word.toLowerCase()))],
  };
}

/** Puts tags round the beginnings of words that `terms` (folded) name; undefined if a term names none. */
export function markTerms(text: string, terms: readonly string[], { preTag, postTag }: Tags): string | undefined {
  const unmet = new Set(terms);
  const marked = text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => {
    const term = terms.filter((candidate) => fold(word).startsWith(candidate)).sort((a, b) => b.length - a.length)[0];
    if (term === undefined) return word;
    for (const candidate of terms) if (fold(word).startsWith(candidate)) unmet.delete(candidate);
    return `${preTag}${word.slice(0, term.length)}${postTag}${word.slice(term.length)}`;
  });
  return unmet.size === 0 ? marked : undefined;
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
}
