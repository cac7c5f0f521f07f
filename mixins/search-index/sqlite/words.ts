import { hasDigit, queryChunks, type Chunk } from "../text.ts";
import type { IndexFile } from "./index-file.ts";

/** What a query's words are looked for: an FTS5 expression, and the beginnings of words that count as matched. */
export interface WordQuery {
  expression: string;
  terms: string[];
}

const MAX_CHUNKS = 12;
const MAX_CORRECTIONS = 5;

/** How far misspellings are allowed for: not at all, in words that nothing begins like, in every word. */
type Tolerance = "none" | "unknown" | "all";

/** All of the words, each by its beginning; undefined when the query has none. */
export function wordQuery(index: IndexFile, q: string, tolerance: Exclude<Tolerance, "none">): WordQuery | undefined {
  const chunks = queryChunks(q).slice(0, MAX_CHUNKS);
  if (chunks.length === 0) return undefined;
  const parts = chunks.map((chunk) => chunkQuery(index, chunk, tolerance));
  return { expression: parts.map(({ expression }) => `(${expression})`).join(" AND "), terms: parts.flatMap(({ terms }) => terms) };
}

/** The query with its misspelt words corrected and its unknown ones left out; undefined when nothing is left to change. */
export function suggestWords(index: IndexFile, q: string): string[] {
  return queryChunks(q).slice(0, MAX_CHUNKS).flatMap(({ terms, compact }) => {
    if (compact !== undefined) return index.hasTermLike(compact) ? [compact] : [];
    return terms.flatMap((term) => (index.hasTermLike(term) ? [term] : index.corrector.corrections(term, 1)));
  });
}

function chunkQuery(index: IndexFile, { terms, compact }: Chunk, tolerance: Tolerance): WordQuery {
  const parts = terms.map((term) => termQuery(index, term, compact === undefined ? tolerance : "none"));
  const together = parts.map(({ expression }) => `(${expression})`).join(" AND ");
  const matched = parts.flatMap((part) => part.terms);
  if (compact === undefined) return { expression: together, terms: matched };
  return { expression: `(${together}) OR "${compact}" *`, terms: [...matched, compact] };
}

function termQuery(index: IndexFile, term: string, tolerance: Tolerance): WordQuery {
  const exact: WordQuery = { expression: term.length === 1 ? `"${term}"` : `"${term}" OR "${term}" *`, terms: [term] };
  if (tolerance === "none" || hasDigit(term) || (tolerance === "unknown" && index.hasTermLike(term))) return exact;
  const corrections = index.corrector.corrections(term, MAX_CORRECTIONS);
  const halves = splitInTwo(index, term);
  return {
    expression: [
      exact.expression,
      ...corrections.map((word) => `"${word}"`),
      ...(halves ? [`("${halves[0]}" AND "${halves[1]}")`] : []),
    ].join(" OR "),
    terms: [term, ...corrections, ...(halves ?? [])],
  };
}

/** `sparkplug` is `spark plug`. */
function splitInTwo(index: IndexFile, term: string): [string, string] | undefined {
  for (let cut = 3; cut <= term.length - 3; cut += 1) {
    const halves: [string, string] = [term.slice(0, cut), term.slice(cut)];
    if (halves.every((half) => index.corrector.knows(half))) return halves;
  }
  return undefined;
}
