import { LRUCache } from "lru-cache";
import { createCorrector, type Corrector } from "../../embedded-index/corrector.ts";
import type { Synonyms } from "../../search-index/query-plan.ts";
import type { PassageHit, WordQuery } from "../port.ts";
import { ABOUT_WEIGHT, findAskedWords, toModelKeys } from "../terms.ts";
import type { PassageFile } from "./passage-file.ts";

/** Maximum number of known words with which a misspelt one is compared, the most frequent first. */
const MOST_WORDS = 15_000;
const MOST_CORRECTIONS = 3;
/** Terms whose frequency is remembered. */
const MOST_FREQUENCIES = 10_000;

/** The rarest words of a question are combined, so many of them in so many ways. */
const MOST_GROUPS = 6;
const MOST_COMBINATIONS = 24;

/** Passages with the same words that are weighed, the newest: it takes some 10 ms. */
const MOST_WEIGHED = 4_000;
const WEIGHED = `SELECT rowid, rank FROM (SELECT rowid, bm25(terms, 1.0, ${ABOUT_WEIGHT}, 0.0) AS rank FROM terms WHERE terms MATCH ? ORDER BY rowid DESC LIMIT ${MOST_WEIGHED}) ORDER BY rank LIMIT ?`;

/** A word as an expression of FTS5, and its weight: the rarer, the more. */
interface Group {
  expression: string;
  weight: number;
}

/**
 * Finds passages by words. To weigh all with any common word takes FTS5 100 ms, so it weighs those of combinations of
 * words, the highest weight first.
 */
export class WordSearch {
  readonly #file: PassageFile;
  readonly #synonyms: Synonyms;
  /** Created for the first misspelt word. */
  #corrector: Corrector | undefined;
  readonly #frequencies = new LRUCache<string, number>({ max: MOST_FREQUENCIES });

  constructor(file: PassageFile, synonyms: Synonyms) {
    this.#file = file;
    this.#synonyms = synonyms;
  }

  forget(): void {
    this.#corrector = undefined;
    this.#frequencies.clear();
  }

  search({ words, models, limit }: WordQuery): PassageHit[] {
    const groupsAsked = findAskedWords(words, this.#synonyms);
    if (groupsAsked.length === 0 || (models && toModelKeys(models).length === 0)) return [];
    const passages = this.#file.queryRows<[number]>("SELECT coalesce(max(id), 0) FROM passages")[0]![0];
    const groups = groupsAsked.flatMap(({ spellings, correctable }): Group[] => {
      const corrections = correctable.flatMap(({ text, typed }) =>
        this.#countFrequency(text) > 0 ? [] : this.#findCorrections(text, typed),
      );
      const alternatives = [...spellings, ...corrections.map((word) => [word])];
      const frequency = alternatives.reduce(
        (sum, terms) => sum + Math.min(...terms.map((term) => this.#countFrequency(term))),
        0,
      );
      return frequency === 0
        ? []
        : [{ expression: joinAny(alternatives.map(joinAll)), weight: Math.log(1 + passages / frequency) }];
    });
    const narrowed = models === undefined ? "" : ` AND ${matchModels(models)}`;
    const best = new Map<number, { id: number; score: number }>();
    const combinations = listCombinations(groups);
    for (const [index, { expression }] of combinations.entries()) {
      const matches = this.#file.queryRows<[id: number, rank: number]>(
        WEIGHED,
        `{words about} : (${expression})${narrowed}`,
        limit,
      );
      const highest = Math.max(...matches.map(([, rank]) => -rank));
      for (const [id, rank] of matches)
        if (!best.has(id)) best.set(id, { id, score: combinations.length - index - rank / (1 + highest) });
      if (best.size >= limit) break;
    }
    return readHits(this.#file, [...best.values()].slice(0, limit));
  }

  /** Passages that have the term. SQLite counts them one by one. */
  #countFrequency(term: string): number {
    const cached = this.#frequencies.get(term);
    if (cached !== undefined) return cached;
    const frequency = this.#file.queryRows<[number]>("SELECT doc FROM vocabulary WHERE term = ?", term)[0]?.[0] ?? 0;
    this.#frequencies.set(term, frequency);
    return frequency;
  }

  #findCorrections(text: string, typed: string): string[] {
    this.#corrector ??= createCorrector(
      this.#file
        .queryRows<[string]>("SELECT term FROM vocabulary ORDER BY doc DESC LIMIT ?", MOST_WORDS)
        .map(([word]) => word),
      (word) => this.#countFrequency(word),
    );
    return this.#corrector.findCorrections(text, MOST_CORRECTIONS, typed);
  }
}

/** Words that a passage may have together, the highest weight first. */
function listCombinations(groups: readonly Group[]): Group[] {
  const rarest = [...groups].sort((a, b) => b.weight - a.weight).slice(0, MOST_GROUPS);
  const subsets = Array.from({ length: 2 ** rarest.length - 1 }, (_, index) =>
    rarest.filter((_group, place) => ((index + 1) >> place) & 1),
  );
  const weighed = subsets.map((subset) => ({
    expression: subset.map(({ expression }) => expression).join(" AND "),
    weight: subset.reduce((sum, { weight }) => sum + weight, 0),
  }));
  return weighed.sort((a, b) => b.weight - a.weight).slice(0, MOST_COMBINATIONS);
}

/** Passages of these models, as an expression of FTS5. */
export function matchModels(models: readonly string[]): string {
  return `models : ${joinAny(toModelKeys(models).map(quote))}`;
}

/** Returns the passages in the order given. */
export function readHits(file: PassageFile, matches: readonly { id: number; score: number }[]): PassageHit[] {
  const rows = file.queryRows<[id: number, manual: string, page: number, text: string, equipment: string]>(
    "SELECT id, manual, page, text, equipment FROM passages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(matches.map(({ id }) => id)),
  );
  const rowsById = new Map(rows.map((row) => [row[0], row]));
  return matches.map(({ id, score }) => {
    const [, manual, page, text, equipment] = rowsById.get(id)!;
    return { manual, page, text, equipment: JSON.parse(equipment) as string[], score };
  });
}

/** Terms hold letters and digits: no quote has to be escaped. */
function quote(term: string): string {
  return `"${term}"`;
}

function joinAll(terms: readonly string[]): string {
  return terms.length === 1 ? quote(terms[0]!) : `(${terms.map(quote).join(" AND ")})`;
}

function joinAny(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}
