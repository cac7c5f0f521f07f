import type { Client } from "@elastic/elasticsearch";
import { completed, isTelling, unfinished, type Unfinished } from "../completion.ts";
import { escapeHtml, highlightsOf } from "../highlight.ts";
import type { Suggestion } from "../port.ts";
import { planQuery, type QueryPlan, type Synonyms } from "../query-plan.ts";
import { Asker } from "./asker.ts";
import { PROMPT } from "./client.ts";
import type { WordMemory } from "./known-words.ts";
import { toDocument } from "./mapping.ts";
import { anyOf, beginningSo } from "./number-query.ts";
import { correctUnknown } from "./reading.ts";
import { groupFilter } from "./word-query.ts";

const ACTIVE = { term: { status: "active" } };
/** Words that are looked at, so that enough are left without those that say nothing. */
const MAX_WORDS = 100;

export async function suggest(client: Client, index: string, { q, limit }: { q: string; limit: number }, synonyms: Synonyms, memory: WordMemory): Promise<Suggestion[]> {
  if (limit <= 0) return [];
  const plan = planQuery(q, synonyms);
  const typed = unfinished(q);
  const [numbers, words] = await Promise.all([
    plan.numbers.prefixes.length === 0 ? [] : suggestNumbers(client, index, plan, limit),
    typed === undefined ? [] : suggestWords(client, index, typed, limit, synonyms, memory),
  ]);
  return [...numbers, ...words].slice(0, limit);
}

async function suggestNumbers(client: Client, index: string, plan: QueryPlan, limit: number): Promise<Suggestion[]> {
  const { hits } = await client.search({
    index, size: limit, track_total_hits: false, allow_partial_search_results: false,
    query: { bool: { filter: [anyOf(beginningSo(plan.numbers)), ACTIVE] } },
    sort: ["pnNorm", "id"],
  }, PROMPT);
  return hits.hits.map(({ _source }) => {
    const document = toDocument(_source);
    const { partNumber } = document;
    return { text: partNumber, highlighted: highlightsOf(document, plan).partNumber ?? escapeHtml(partNumber), document };
  });
}

/** The last word as others are that begin like it, of parts that have the words before it. */
async function suggestWords(
  client: Client, index: string, typed: Unfinished, limit: number, synonyms: Synonyms, memory: WordMemory,
): Promise<Suggestion[]> {
  const { words } = planQuery(typed.before, synonyms);
  const corrections = await correctUnknown(new Asker(client, index, memory.of(index)), words);
  const context = words.map((group) => groupFilter(group, corrections));
  const { aggregations } = await client.search<unknown, { words: { buckets: { key: string; doc_count: number }[] } }>({
    index, size: 0, track_total_hits: false, allow_partial_search_results: false,
    query: { bool: { filter: [ACTIVE, { prefix: { "search.completions": { value: typed.last } } }, ...context] } },
    // In order of count, then of the words themselves. The pattern needs no escape: a word is letters.
    aggs: { words: { terms: { field: "search.completions", include: `${typed.last}.*`, size: MAX_WORDS } } },
  }, PROMPT);
  return aggregations!.words.buckets.filter(({ key }) => isTelling(key)).slice(0, limit).map(({ key }) => completed(typed, key));
}
