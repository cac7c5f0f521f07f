import type { Client, estypes } from "@elastic/elasticsearch";
import type { IndexDocument } from "../port.ts";
import type { PlannedTerm, WordGroup } from "../query-plan.ts";
import { PROMPT } from "./client.ts";
import { isNothing } from "./combined.ts";
import { errorOf } from "./errors.ts";
import type { KnownWords } from "./known-words.ts";
import {
  ALL_PARTS,
  countOf,
  howMany,
  isCorrectable,
  isThere,
  nearTo,
  type TypedWord,
  type WordQuestion,
} from "./word-questions.ts";
import type { Corrections } from "./word-query.ts";

type Query = estypes.QueryDslQueryContainer;

const MAX_NAMED = 500;

/** What is read of a part to find the one that takes its place. */
export type Replaceable = Pick<IndexDocument, "id" | "pnNorm" | "status" | "supersededBy" | "manufacturer">;

/** How many parts meet each group, and all of them. */
export interface Matches {
  parts: number;
  perGroup: number[];
  all: number;
}

type Answer = estypes.SearchResponseBody;

interface Question {
  body: estypes.SearchSearchRequestBody;
  take(answer: Answer): void;
}

/** Gathers questions, which `ask` sends together; each gives a function that reads its answer then. */
export class Asker {
  readonly known: KnownWords;
  readonly #client: Client;
  readonly #index: string;
  #questions: Question[] = [];

  constructor(client: Client, index: string, known: KnownWords) {
    this.#client = client;
    this.#index = index;
    this.known = known;
  }

  /** @throws UNAVAILABLE when one of them has no answer */
  async ask(): Promise<void> {
    const questions = this.#questions;
    this.#questions = [];
    const [first] = questions;
    if (first === undefined) return;
    const whole = { allow_partial_search_results: false };
    if (questions.length === 1) {
      // `client.search` sends the same, and sorts the fields of each question into path, query and body first: an
      // eighth of a millisecond.
      const sent = {
        method: "POST",
        path: `/${encodeURIComponent(this.#index)}/_search`,
        querystring: whole,
        body: first.body,
      };
      first.take(await this.#client.transport.request<Answer>(sent, PROMPT));
      return;
    }
    const header = { index: this.#index, ...whole };
    const { responses } = await this.#client.msearch(
      { searches: questions.flatMap(({ body }) => [header, body]) },
      PROMPT,
    );
    for (const [at, response] of responses.entries()) {
      if ("error" in response) throw errorOf(response.error.type, response.status);
      questions[at]!.take(response);
    }
  }

  search(body: estypes.SearchSearchRequestBody): () => Answer {
    return this.#add(body, (answer) => answer);
  }

  find(query: Query): () => Replaceable[] {
    if (isNothing(query)) return () => [];
    const body = {
      query,
      size: MAX_NAMED,
      track_total_hits: false,
      sort: ["id"],
      _source: ["id", "pnNorm", "status", "supersededBy", "manufacturer"],
    };
    return this.#add(body, ({ hits }) => hits.hits.map(({ _source }) => _source as Replaceable));
  }

  exists(query: Query): () => boolean {
    if (isNothing(query)) return () => false;
    return this.#add({ query, size: 0, terminate_after: 1 }, (answer) => countOf(answer) > 0);
  }

  /** How many parts meet the groups. Beside one group alone rarity says nothing. */
  matches(words: readonly WordGroup[], corrections: Corrections): () => Matches {
    const all = words.length === 0 ? () => 0 : this.#askAbout(howMany(words, corrections));
    if (words.length < 2) return () => ({ parts: 1, perGroup: words.map(() => 0), all: all() });
    const parts = this.#askAbout(ALL_PARTS);
    const perGroup = words.map((group) => this.#askAbout(howMany([group], corrections)));
    return () => ({ parts: parts(), perGroup: perGroup.map((count) => count()), all: all() });
  }

  /**
   * Those of the terms that are not in the index, nor, of the word that is still being typed, anything that begins so.
   */
  unknown(terms: readonly PlannedTerm[]): () => PlannedTerm[] {
    const known = terms.map((term) => this.#askAbout(isThere(term)));
    return () => terms.filter((_, at) => !known[at]!());
  }

  /** The nearest words of the index, nearest and then most frequent first. */
  corrections(words: readonly TypedWord[]): () => Corrections {
    const answers = [...new Map(words.map((word) => [word.text, word])).values()].map((word) => ({
      word,
      near: isCorrectable(word) ? this.#askAbout(nearTo(word)) : () => [],
    }));
    return () => new Map(answers.map(({ word, near }) => [word.text, near()]));
  }

  #askAbout<T extends boolean | number | readonly string[]>(question: WordQuestion<T>): () => T {
    const known = this.known.recall(question);
    if (known !== undefined) return () => known;
    return this.#add(question.body(), (answer) => {
      const value = question.read(answer);
      this.known.remember(question, value);
      return value;
    });
  }

  #add<T>(body: estypes.SearchSearchRequestBody, read: (answer: Answer) => T): () => T {
    let value: T;
    this.#questions.push({ body, take: (answer) => void (value = read(answer)) });
    return () => value;
  }
}
