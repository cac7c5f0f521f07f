import { LRUCache } from "lru-cache";
import { correctorOf, type Corrector } from "../../embedded-index/corrector.ts";
import type { Synonyms } from "../../search-index/query-plan.ts";
import type { PassageHit, WordQuery } from "../port.ts";
import { ABOUT_WEIGHT, askedWords, modelKeys } from "../terms.ts";
import type { PassageFile } from "./passage-file.ts";

/** Known words that a misspelt one is compared with, the frequent first. */
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
    const asked = askedWords(words, this.#synonyms);
    if (asked.length === 0 || (models && modelKeys(models).length === 0)) return [];
    const passages = this.#file.rows<[number]>("SELECT coalesce(max(id), 0) FROM passages")[0]![0];
    const groups = asked.flatMap(({ spellings, correctable }): Group[] => {
      const corrections = correctable.flatMap(({ text, typed }) =>
        this.#frequencyOf(text) > 0 ? [] : this.#corrections(text, typed),
      );
      const all = [...spellings, ...corrections.map((word) => [word])];
      const frequency = all.reduce((sum, terms) => sum + Math.min(...terms.map((term) => this.#frequencyOf(term))), 0);
      return frequency === 0 ? [] : [{ expression: anyOf(all.map(allOf)), weight: Math.log(1 + passages / frequency) }];
    });
    const narrowed = models === undefined ? "" : ` AND ${ofModels(models)}`;
    const best = new Map<number, { id: number; score: number }>();
    const combinations = combinationsOf(groups);
    for (const [at, { expression }] of combinations.entries()) {
      const found = this.#file.rows<[id: number, rank: number]>(
        WEIGHED,
        `{words about} : (${expression})${narrowed}`,
        limit,
      );
      const highest = Math.max(...found.map(([, rank]) => -rank));
      for (const [id, rank] of found)
        if (!best.has(id)) best.set(id, { id, score: combinations.length - at - rank / (1 + highest) });
      if (best.size >= limit) break;
    }
    return hitsOf(this.#file, [...best.values()].slice(0, limit));
  }

  /** Passages that have the term. SQLite counts them one by one. */
  #frequencyOf(term: string): number {
    const known = this.#frequencies.get(term);
    if (known !== undefined) return known;
    const frequency = this.#file.rows<[number]>("SELECT doc FROM vocabulary WHERE term = ?", term)[0]?.[0] ?? 0;
    this.#frequencies.set(term, frequency);
    return frequency;
  }

  #corrections(text: string, typed: string): string[] {
    this.#corrector ??= correctorOf(
      this.#file
        .rows<[string]>("SELECT term FROM vocabulary ORDER BY doc DESC LIMIT ?", MOST_WORDS)
        .map(([word]) => word),
      (word) => this.#frequencyOf(word),
    );
    return this.#corrector.corrections(text, MOST_CORRECTIONS, typed);
  }
}

/** Words that a passage may have together, the highest weight first. */
function combinationsOf(groups: readonly Group[]): Group[] {
  const rarest = [...groups].sort((a, b) => b.weight - a.weight).slice(0, MOST_GROUPS);
  const all = Array.from({ length: 2 ** rarest.length - 1 }, (_, at) =>
    rarest.filter((_group, place) => ((at + 1) >> place) & 1),
  );
  const weighed = all.map((some) => ({
    expression: some.map(({ expression }) => expression).join(" AND "),
    weight: some.reduce((sum, { weight }) => sum + weight, 0),
  }));
  return weighed.sort((a, b) => b.weight - a.weight).slice(0, MOST_COMBINATIONS);
}

/** Passages of these models, as an expression of FTS5. */
export function ofModels(models: readonly string[]): string {
  return `models : ${anyOf(modelKeys(models).map(quoted))}`;
}

/** Returns the passages in the order given. */
export function hitsOf(file: PassageFile, found: readonly { id: number; score: number }[]): PassageHit[] {
  const rows = file.rows<[id: number, manual: string, page: number, text: string, equipment: string]>(
    "SELECT id, manual, page, text, equipment FROM passages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(found.map(({ id }) => id)),
  );
  const byId = new Map(rows.map((row) => [row[0], row]));
  return found.map(({ id, score }) => {
    const [, manual, page, text, equipment] = byId.get(id)!;
    return { manual, page, text, equipment: JSON.parse(equipment) as string[], score };
  });
}

/** Terms hold letters and digits: no quote has to be escaped. */
function quoted(term: string): string {
  return `"${term}"`;
}

function allOf(terms: readonly string[]): string {
  return terms.length === 1 ? quoted(terms[0]!) : `(${terms.map(quoted).join(" AND ")})`;
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}
