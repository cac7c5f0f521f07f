import { Corrector } from "../../search-index/sqlite/corrector.ts";
import type { Synonyms } from "../../search-index/query-plan.ts";
import type { PassageHit, WordQuery } from "../port.ts";
import { askedWords, modelKeys } from "../words.ts";
import type { PassageFile } from "./passage-file.ts";

/** Most known words that a misspelt one is held against, the frequent ones first. */
const MOST_WORDS = 15_000;
const MOST_CORRECTIONS = 3;

/** Finds passages by their words. */
export class WordSearch {
  readonly #file: PassageFile;
  readonly #synonyms: Synonyms;
  /** Made when the first word is misspelt: it takes tens of megabytes. */
  #corrector: Corrector | undefined;

  constructor(file: PassageFile, synonyms: Synonyms) {
    this.#file = file;
    this.#synonyms = synonyms;
  }

  /** There are other words than before. */
  forget(): void {
    this.#corrector = undefined;
  }

  search({ words, models, limit }: WordQuery): PassageHit[] {
    const asked = askedWords(words, this.#synonyms);
    if (asked.length === 0 || (models && modelKeys(models).length === 0)) return [];
    const expressions = asked.map(({ spellings, correctable }) => {
      const corrections = correctable.flatMap(({ text, typed }) => (this.#frequencyOf(text) > 0 ? [] : this.#corrections(text, typed)));
      return anyOf([...spellings.map(allOf), ...corrections.map(quoted)]);
    });
    const narrowed = models === undefined ? "" : ` AND ${ofModels(models)}`;
    return this.#best(`{words about} : ${anyOf(expressions)}${narrowed}`, limit);
  }

  /** What is in no live set counts for nothing, however well it matches. */
  #best(expression: string, limit: number): PassageHit[] {
    for (let most = limit * 2; ; most *= 4) {
      const found = this.#file.rows<[id: number, score: number]>("SELECT rowid, rank FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?", expression, most);
      const hits = hitsOf(this.#file, found.map(([id, rank]) => ({ id, score: -rank }))).slice(0, limit);
      if (hits.length === limit || found.length < most) return hits;
    }
  }

  #frequencyOf(term: string): number {
    return this.#file.rows<[number]>("SELECT doc FROM vocabulary WHERE term = ?", term)[0]?.[0] ?? 0;
  }

  #corrections(text: string, typed: string): string[] {
    if (!this.#corrector) {
      this.#corrector = new Corrector((word) => this.#frequencyOf(word));
      for (const [word] of this.#file.rows<[string]>("SELECT term FROM vocabulary ORDER BY doc DESC LIMIT ?", MOST_WORDS)) this.#corrector.learn(word);
    }
    return this.#corrector.corrections(text, MOST_CORRECTIONS, typed);
  }
}

/** Passages of these models, as an expression of FTS5. */
export function ofModels(models: readonly string[]): string {
  return `models : ${anyOf(modelKeys(models).map(quoted))}`;
}

/** In the order given, without those that are in no live set. */
export function hitsOf(file: PassageFile, found: readonly { id: number; score: number }[]): PassageHit[] {
  const rows = file.rows<[id: number, set: number, page: number, text: string, schema: string | null, equipment: string]>(
    "SELECT id, set_id, page, text, schema, equipment FROM passages WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(found.map(({ id }) => id)),
  );
  const byId = new Map(rows.map((row) => [row[0], row]));
  return found.flatMap(({ id, score }) => {
    const row = byId.get(id);
    const manual = row && file.live.get(row[1]);
    if (!row || manual === undefined) return [];
    const [, , page, text, schema, equipment] = row;
    return [{ manual, page, text, ...(schema === null ? {} : { schema }), equipment: JSON.parse(equipment) as string[], score }];
  });
}

/** Terms hold letters and digits alone, so a quote ends none. */
function quoted(term: string): string {
  return `"${term}"`;
}

function allOf(terms: readonly string[]): string {
  return terms.length === 1 ? quoted(terms[0]!) : `(${terms.map(quoted).join(" AND ")})`;
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}
