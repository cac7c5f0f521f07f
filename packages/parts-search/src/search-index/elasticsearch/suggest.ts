import type { Client } from "@elastic/elasticsearch";
import { PROMPT } from "../../elasticsearch/client.ts";
import {
  listCuts,
  MAX_COMPLETIONS,
  findMistyped,
  rankCandidates,
  readWordsInFront,
  type Candidate,
  type Cut,
} from "../completion.ts";
import type { Suggestion } from "../port.ts";
import { type HitDocument, BEYOND_HITS } from "../index-document.ts";
import { planQuery, type QueryPlan, type Synonyms } from "../query-plan.ts";
import { toPartSuggestion, withNumbers } from "../suggestions.ts";
import { Asker } from "./asker.ts";
import type { WordMemory } from "./known-words.ts";
import { joinAny, type Query } from "./combined.ts";
import { fromSource, type StoredFields } from "./mapping.ts";
import { matchBeginning } from "./number-query.ts";
import { correctUnknown } from "./reading.ts";
import { groupFilter } from "./word-query.ts";

const ACTIVE = { term: { status: "active" } };
const FIELD = "search.completions";

export async function suggest(
  client: Client,
  index: string,
  { q, limit }: { q: string; limit: number },
  synonyms: Synonyms,
  memory: WordMemory,
): Promise<Suggestion[]> {
  if (limit <= 0) return [];
  const plan = planQuery(q, synonyms);
  const asker = new Asker(client, index, memory.getWords(index));
  const [numbers, words] = await Promise.all([
    plan.numbers.prefixes.length === 0 ? [] : suggestNumbers(client, index, plan, limit),
    suggestWords(asker, q, limit, synonyms),
  ]);
  return withNumbers(numbers, words, limit);
}

async function suggestNumbers(client: Client, index: string, plan: QueryPlan, limit: number): Promise<Suggestion[]> {
  const { hits } = await client.search(
    {
      index,
      size: limit,
      _source: { excludes: [...BEYOND_HITS] },
      track_total_hits: false,
      allow_partial_search_results: false,
      query: { bool: { filter: [joinAny(matchBeginning(plan.numbers)), ACTIVE] } },
      sort: ["pnNorm", "id"],
    },
    PROMPT,
  );
  return hits.hits.map(({ _source }) => toPartSuggestion(fromSource(_source as StoredFields<HitDocument>), plan));
}

async function suggestWords(asker: Asker, q: string, limit: number, synonyms: Synonyms): Promise<Suggestion[]> {
  const cuts = listCuts(q);
  const [last] = cuts;
  if (last === undefined) return [];
  const fronts = cuts.map((cut) => readWordsInFront(cut, synonyms));
  const corrections = (await asker.settle(() => correctUnknown(asker, fronts.flat())))!;
  const contexts = fronts.map((words) => words.map((group) => groupFilter(group, corrections)));
  // Keys are letters, digits and blanks: no signs of a pattern.
  const patterns = cuts.map(({ keys }) => `(${keys.join("|")}).*`);
  const completions = rankCandidates(await findCandidates(asker, cuts, patterns, contexts), limit, synonyms);
  const typed = findMistyped(last);
  if (completions.length > 0 || typed === undefined) return completions;
  return rankCandidates(await findCandidates(asker, [last], [toAlmostPattern(typed)], contexts), limit, synonyms);
}

/** Completions that match the patterns, with the number of active parts that also meet the contexts. */
async function findCandidates(
  asker: Asker,
  cuts: readonly Cut[],
  patterns: readonly string[],
  contexts: readonly Query[][],
): Promise<Candidate[]> {
  const filters = patterns.map((pattern, index): Query => ({
    bool: { filter: [{ regexp: { [FIELD]: { value: pattern } } }, ...contexts[index]!] },
  }));
  const aggs = filters.map((filter, index) => ({
    filter,
    aggs: { entries: { terms: { field: FIELD, include: patterns[index]!, size: MAX_COMPLETIONS } } },
  }));
  const answer = asker.search({
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [ACTIVE, joinAny(filters)] } },
    aggs: Object.fromEntries(aggs.entries()),
  });
  await asker.ask();
  const aggregations = answer().aggregations as unknown as Record<
    number,
    { entries: { buckets: { key: string; doc_count: number }[] } }
  >;
  return cuts.flatMap((cut, index) =>
    aggregations[index]!.entries.buckets.map(({ key, doc_count: parts }) => ({ cut, entry: key, parts })),
  );
}

/** A pattern equivalent to `isAlmostBeginning`. It does not look behind a completion's key. */
function toAlmostPattern(typed: string): string {
  const any = "[^\t]";
  const variants = Array.from({ length: typed.length - 1 }, (_, index) => index + 1).flatMap((index) => {
    const [front, rest] = [typed.slice(0, index), typed.slice(index + 1)];
    const swapped = rest === "" ? [] : [front + rest[0]! + typed[index]! + rest.slice(1)];
    return [front + rest, front + any + typed.slice(index), front + any + rest, ...swapped];
  });
  return `(${variants.join("|")}).*`;
}
