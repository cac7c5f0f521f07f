import type { Client, estypes } from "@elastic/elasticsearch";
import { allowedTypos, forgivenEdits, isShort } from "../edit-distance.ts";
import type { IndexDocument } from "../port.ts";
import type { PlannedTerm, WordGroup } from "../query-plan.ts";
import { PROMPT } from "./client.ts";
import { errorOf } from "./errors.ts";
import { PART_FIELD } from "./mapping.ts";
import { groupFilter, termFilter, type Corrections } from "./word-query.ts";

type Query = estypes.QueryDslQueryContainer;

const MAX_NAMED = 500;
const MAX_CORRECTIONS = 5;
/** Longer words are not corrected. */
const MAX_CORRECTED = 30;

/** Words that are looked at to find the nearest. */
const MAX_NEAR = 50;
/** A frequent word is corrected too: it may be near to one that goes better with the others. */
const ANY_FREQUENCY = 1e9;

/** What is read of a part to find the one that takes its place. */
export type Replaceable = Pick<IndexDocument, "id" | "pnNorm" | "status" | "supersededBy" | "manufacturer">;

/** How many parts meet each group, and all of them. */
export interface Matches {
  parts: number;
  perGroup: number[];
  all: number;
}

type Answer = estypes.MsearchMultiSearchItem<Replaceable>;

interface Question {
  body: estypes.SearchSearchRequestBody;
  answer?: Answer;
}

/** Gathers questions, which `ask` sends together; each gives a function that reads its answer then. */
export class Asker {
  readonly #client: Client;
  readonly #index: string;
  #questions: Question[] = [];

  constructor(client: Client, index: string) {
    this.#client = client;
    this.#index = index;
  }

  /** @throws UNAVAILABLE when one of them has no answer */
  async ask(): Promise<void> {
    const questions = this.#questions;
    this.#questions = [];
    if (questions.length === 0) return;
    const header = { index: this.#index, allow_partial_search_results: false };
    const { responses } = await this.#client.msearch<Replaceable>({ searches: questions.flatMap(({ body }) => [header, body]) }, PROMPT);
    for (const [at, response] of responses.entries()) {
      if ("error" in response) throw errorOf(response.error.type, response.status);
      questions[at]!.answer = response;
    }
  }

  find(query: Query): () => Replaceable[] {
    if (query?.match_none) return () => [];
    const answer = this.#add({ query, size: MAX_NAMED, track_total_hits: false, sort: ["id"], _source: ["id", "pnNorm", "status", "supersededBy", "manufacturer"] });
    return () => answer().hits.hits.map(({ _source }) => _source!);
  }

  exists(query: Query): () => boolean {
    if (query?.match_none) return () => false;
    const answer = this.#add({ query, size: 0, terminate_after: 1 });
    return () => countOf(answer()) > 0;
  }

  count(query: Query): () => number {
    const answer = this.#add({ query, size: 0, track_total_hits: true });
    return () => countOf(answer());
  }

  /** How many parts meet the groups. Beside one group alone rarity says nothing. */
  matches(words: readonly WordGroup[], corrections: Corrections): () => Matches {
    const groups = words.map((group) => groupFilter(group, corrections));
    const all = groups.length === 0 ? () => 0 : this.count({ bool: { filter: groups } });
    if (groups.length < 2) return () => ({ parts: 1, perGroup: groups.map(() => 0), all: all() });
    const parts = this.count({ exists: { field: PART_FIELD } });
    const perGroup = groups.map((group) => this.count({ bool: { filter: group } }));
    return () => ({ parts: parts(), perGroup: perGroup.map((count) => count()), all: all() });
  }

  /** Those of the terms that are not in the index, nor, of short ones and of the word that is still being typed, anything that begins so. */
  unknown(terms: readonly PlannedTerm[]): () => PlannedTerm[] {
    const known = terms.map((term) => this.exists(termFilter(term)));
    return () => terms.filter((_, at) => !known[at]!());
  }

  /** The nearest words of the index, nearest and then most frequent first. */
  corrections(texts: readonly string[]): () => Corrections {
    const answers = [...new Set(texts)].map((text) => [text, this.#near(text)] as const);
    return () => new Map(answers.map(([text, near]) => [text, nearest(text, near())]));
  }

  #near(text: string): () => estypes.SearchTermSuggestOption[] {
    if (allowedTypos(text) === 0 || text.length > MAX_CORRECTED) return () => [];
    const answer = this.#add({
      size: 0, track_total_hits: false, query: { match_none: {} },
      suggest: {
        words: {
          text,
          term: {
            field: "search.completions", suggest_mode: "always", string_distance: "damerau_levenshtein",
            ...(isShort(text) ? { max_edits: 1, prefix_length: 1 } : { max_edits: 2, prefix_length: 0 }),
            max_term_freq: ANY_FREQUENCY, size: MAX_NEAR, shard_size: MAX_NEAR,
          },
        },
      },
    });
    return () => (answer().suggest?.words?.[0]?.options ?? []) as estypes.SearchTermSuggestOption[];
  }

  #add(body: estypes.SearchSearchRequestBody): () => Answer {
    const question: Question = { body };
    this.#questions.push(question);
    return () => question.answer!;
  }
}

function countOf({ hits }: Answer): number {
  return typeof hits.total === "number" ? hits.total : (hits.total?.value ?? 0);
}

function nearest(text: string, options: readonly estypes.SearchTermSuggestOption[]): string[] {
  const close = options
    .map(({ text: word, freq }) => ({ word, freq, distance: forgivenEdits(text, word) ?? 0 }))
    .filter(({ word, distance }) => distance > 0 && /^\p{L}+$/u.test(word));
  const least = Math.min(...close.map(({ distance }) => distance));
  return close
    .filter(({ distance }) => distance === least)
    .sort((a, b) => b.freq - a.freq || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
    .map(({ word }) => word);
}
