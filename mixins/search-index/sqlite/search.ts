import type { SearchPage, SearchQuery } from "../port.ts";
import { countFacets } from "./facets.ts";
import { highlightNumber, highlightWords } from "./highlight.ts";
import type { IndexFile } from "./index-file.ts";
import { matchNumbers, TIER } from "./numbers.ts";
import { firstInOrder } from "./top.ts";
import { suggestWords, wordQuery } from "./words.ts";

/** What a query found, before filters: rows with their tier and, for words, their rank (the lower the better). */
interface Matches {
  rows: number[];
  tierOf(row: number): number;
  rankOf(row: number): number;
  /** Beginnings of words that count as matched. */
  terms: string[];
}

/** Longest query that is read; the rest of a longer one is let go. */
const MAX_QUERY = 300;

export function searchIndexFile(index: IndexFile, query: SearchQuery): SearchPage {
  const q = query.q.slice(0, MAX_QUERY);
  const matches = q.trim() === "" ? everything(index) : match(index, q);
  const { passed, facets } = countFacets(index.columns, matches.rows, query, (row) => matches.tierOf(row) <= TIER.replaced);
  const ordered = firstInOrder(passed, query.offset + query.limit, comparator(index, matches, query)).slice(query.offset);
  const hits = ordered.map((row) => {
    const document = index.document(row);
    return {
      document,
      highlights: {
        ...(matches.tierOf(row) <= TIER.prefix ? { partNumber: highlightNumber(document, q) } : {}),
        ...highlightWords(document.title, matches.terms),
      },
    };
  });
  const page: SearchPage = { hits, total: passed.length, facets };
  const suggestion = matches.rows.length === 0 ? suggest(index, q) : undefined;
  return suggestion === undefined ? page : { ...page, suggestion };
}

function everything(index: IndexFile): Matches {
  const { columns } = index;
  const rows: number[] = [];
  for (let row = 1; row < columns.length; row += 1) if (columns.has(row)) rows.push(row);
  return { rows, tierOf: () => TIER.words, rankOf: () => 0, terms: [] };
}

function match(index: IndexFile, q: string): Matches {
  const tiers = matchNumbers(index, q);
  const ranks = new Map<number, number>();
  let terms: string[] = [];
  // Words that nothing begins like are corrected at once; the others only when all of them together find nothing.
  for (const tolerance of ["unknown", "all"] as const) {
    const words = wordQuery(index, q, tolerance);
    if (!words) break;
    terms = words.terms;
    for (const { row, rank } of index.rowsOfWords(words.expression)) ranks.set(row, rank);
    if (ranks.size > 0 || tiers.size > 0) break;
  }
  return {
    rows: [...new Set([...tiers.keys(), ...ranks.keys()])],
    tierOf: (row) => tiers.get(row) ?? TIER.words,
    rankOf: (row) => ranks.get(row) ?? 0,
    terms,
  };
}

function comparator({ columns }: IndexFile, matches: Matches, { sort }: SearchQuery): (a: number, b: number) => number {
  // Of parts that are named by number, what else the words hit says nothing.
  const rankOf = (row: number): number => (matches.tierOf(row) === TIER.words ? matches.rankOf(row) : 0);
  const relevance = (a: number, b: number): number =>
    matches.tierOf(a) - matches.tierOf(b) || rankOf(a) - rankOf(b) || columns.quality[b]! - columns.quality[a]! || a - b;
  const byPrice = (sign: 1 | -1) => (a: number, b: number): number =>
    Number(columns.hasPrice(b)) - Number(columns.hasPrice(a)) || sign * (columns.price[a]! - columns.price[b]!) || relevance(a, b);
  switch (sort) {
    case "relevance":
      return relevance;
    case "price_asc":
      return byPrice(1);
    case "price_desc":
      return byPrice(-1);
    case "newest":
      return (a, b) => columns.createdAt[b]! - columns.createdAt[a]! || relevance(a, b);
  }
}

function suggest(index: IndexFile, q: string): string | undefined {
  // All the words that are known, else as many of the first as find something together.
  for (let words = suggestWords(index, q); words.length > 0; words = words.slice(0, -1)) {
    const suggestion = words.join(" ");
    const query = wordQuery(index, suggestion, "unknown");
    if (query && index.rowsOfWords(query.expression).length > 0) return suggestion;
  }
  return undefined;
}
