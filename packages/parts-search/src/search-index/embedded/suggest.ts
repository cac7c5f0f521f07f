import {
  isAlmostBeginning,
  listCuts,
  MAX_COMPLETIONS,
  findMistyped,
  rankCandidates,
  readWordsInFront,
  type Candidate,
  type Cut,
} from "../completion.ts";
import { readCompletion } from "../completions.ts";
import type { Suggestion } from "../port.ts";
import { planQuery, type QueryPlan, type Synonyms } from "../query-plan.ts";
import { toPartSuggestion, withNumbers } from "../suggestions.ts";
import { toStatusId } from "./columns.ts";
import type { IndexReader } from "./index-reader.ts";
import { ofVendor } from "./numbers.ts";
import { selectFirst } from "./first-in-order.ts";
import { matchWords } from "./match-words.ts";

/** Numbers that are read, in their order. */
const MAX_NUMBERS = 200;

export function suggestIn(
  index: IndexReader,
  { q, limit }: { q: string; limit: number },
  synonyms: Synonyms,
): Suggestion[] {
  return withNumbers(
    suggestNumbers(index, planQuery(q, synonyms), limit),
    suggestWords(index, q, limit, synonyms),
    limit,
  );
}

function suggestNumbers(index: IndexReader, plan: QueryPlan, limit: number): Suggestion[] {
  const { columns } = index;
  const rows = new Set(
    plan.numbers.prefixes.flatMap((reading) =>
      ofVendor(index, reading, index.findRowsByPrefix(reading.norm, MAX_NUMBERS)),
    ),
  );
  return [...rows]
    .filter((row) => columns.getStatus(row) === toStatusId("active"))
    .slice(0, limit)
    .flatMap((row) => index.hit(row) ?? [])
    .map((document) => toPartSuggestion(document, plan));
}

function suggestWords(index: IndexReader, q: string, limit: number, synonyms: Synonyms): Suggestion[] {
  const cuts = listCuts(q);
  const completionsRanked = rankCandidates(
    cuts.flatMap((cut) =>
      listCandidates(
        index,
        synonyms,
        cut,
        cut.keys.flatMap((key) => [...index.completions.listIdsByBeginning(key)]),
      ),
    ),
    limit,
    synonyms,
  );
  const [last] = cuts;
  return completionsRanked.length > 0 || last === undefined
    ? completionsRanked
    : rankCandidates(listCandidates(index, synonyms, last, findIdsAlmost(index, last)), limit, synonyms);
}

function findIdsAlmost({ completions }: IndexReader, cut: Cut): number[] {
  const typed = findMistyped(cut);
  if (typed === undefined) return [];
  return [...completions.listIdsByBeginning(typed[0]!)].filter((id) =>
    isAlmostBeginning(readCompletion(completions.getCompletion(id)).key, typed),
  );
}

function listCandidates(index: IndexReader, synonyms: Synonyms, cut: Cut, ids: readonly number[]): Candidate[] {
  const { columns, completions } = index;
  if (ids.length === 0) return [];
  const active = toStatusId("active");
  const front = readWordsInFront(cut, synonyms);
  const context = front.length === 0 ? undefined : new Set(matchWords(index, front, "unknown").rows);
  const isThere = (row: number): boolean =>
    columns.getStatus(row) === active && !columns.isRemoved(row) && (context === undefined || context.has(row));
  const parts = ids.map((id) => completions.count(id, columns.length, isThere));
  const most = selectFirst([...ids.keys()], MAX_COMPLETIONS, {
    keys: parts,
    tieOf: () => 0,
    compare: (a, b) => (completions.getCompletion(ids[a]!) < completions.getCompletion(ids[b]!) ? -1 : 1),
  });
  return most.map((place) => ({ cut, entry: completions.getCompletion(ids[place]!), parts: parts[place]! }));
}
