import type { Client } from "@elastic/elasticsearch";
import { PROMPT } from "../../elasticsearch/client.ts";
import { cutsOf, MAX_COMPLETIONS, mistyped, ranked, wordsInFront, type Candidate, type Cut } from "../completion.ts";
import { BEYOND_HITS, type HitDocument, type Suggestion } from "../port.ts";
import { planQuery, type QueryPlan, type Synonyms } from "../query-plan.ts";
import { suggestedPart, withNumbers } from "../suggestions.ts";
import { Asker } from "./asker.ts";
import type { WordMemory } from "./known-words.ts";
import { anyOf, type Query } from "./combined.ts";
import { fromSource, type Stored } from "./mapping.ts";
import { beginningSo } from "./number-query.ts";
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
  const asker = new Asker(client, index, memory.of(index));
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
      query: { bool: { filter: [anyOf(beginningSo(plan.numbers)), ACTIVE] } },
      sort: ["pnNorm", "id"],
    },
    PROMPT,
  );
  return hits.hits.map(({ _source }) => suggestedPart(fromSource(_source as Stored<HitDocument>), plan));
}

async function suggestWords(asker: Asker, q: string, limit: number, synonyms: Synonyms): Promise<Suggestion[]> {
  const cuts = cutsOf(q);
  const [last] = cuts;
  if (last === undefined) return [];
  const fronts = cuts.map((cut) => wordsInFront(cut, synonyms));
  const corrections = (await asker.settle(() => correctUnknown(asker, fronts.flat())))!;
  const contexts = fronts.map((words) => words.map((group) => groupFilter(group, corrections)));
  // Keys are letters, digits and blanks: no signs of a pattern.
  const patterns = cuts.map(({ keys }) => `(${keys.join("|")}).*`);
  const found = ranked(await candidatesOf(asker, cuts, patterns, contexts), limit, synonyms);
  const typed = mistyped(last);
  if (found.length > 0 || typed === undefined) return found;
  return ranked(await candidatesOf(asker, [last], [almostAs(typed)], contexts), limit, synonyms);
}

/** Completions that match the patterns, with the number of active parts that also meet the contexts. */
async function candidatesOf(
  asker: Asker,
  cuts: readonly Cut[],
  patterns: readonly string[],
  contexts: readonly Query[][],
): Promise<Candidate[]> {
  const filters = patterns.map((pattern, at): Query => ({
    bool: { filter: [{ regexp: { [FIELD]: { value: pattern } } }, ...contexts[at]!] },
  }));
  const aggs = filters.map((filter, at) => ({
    filter,
    aggs: { entries: { terms: { field: FIELD, include: patterns[at]!, size: MAX_COMPLETIONS } } },
  }));
  const answer = asker.search({
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [ACTIVE, anyOf(filters)] } },
    aggs: Object.fromEntries(aggs.entries()),
  });
  await asker.ask();
  const found = answer().aggregations as unknown as Record<
    number,
    { entries: { buckets: { key: string; doc_count: number }[] } }
  >;
  return cuts.flatMap((cut, at) =>
    found[at]!.entries.buckets.map(({ key, doc_count: parts }) => ({ cut, entry: key, parts })),
  );
}

/** A pattern equivalent to `beginsAlmostAs`. It does not look behind a completion's key. */
function almostAs(typed: string): string {
  const any = "[^\t]";
  const variants = Array.from({ length: typed.length - 1 }, (_, index) => index + 1).flatMap((at) => {
    const [front, rest] = [typed.slice(0, at), typed.slice(at + 1)];
    const swapped = rest === "" ? [] : [front + rest[0]! + typed[at]! + rest.slice(1)];
    return [front + rest, front + any + typed.slice(at), front + any + rest, ...swapped];
  });
  return `(${variants.join("|")}).*`;
}
