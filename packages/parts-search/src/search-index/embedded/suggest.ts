import {
  beginsAlmostAs,
  cutsOf,
  MAX_COMPLETIONS,
  mistyped,
  ranked,
  wordsInFront,
  type Candidate,
  type Cut,
} from "../completion.ts";
import { readCompletion } from "../completions.ts";
import type { Suggestion } from "../port.ts";
import { planQuery, type QueryPlan, type Synonyms } from "../query-plan.ts";
import { suggestedPart, withNumbers } from "../suggestions.ts";
import { statusId } from "./columns.ts";
import type { IndexReader } from "./index-reader.ts";
import { ofVendor } from "./numbers.ts";
import { firstInOrder } from "./first-in-order.ts";
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
      ofVendor(index, reading, index.rowsOfNumberPrefix(reading.norm, MAX_NUMBERS)),
    ),
  );
  return [...rows]
    .filter((row) => columns.statusOf(row) === statusId("active"))
    .slice(0, limit)
    .flatMap((row) => index.hit(row) ?? [])
    .map((document) => suggestedPart(document, plan));
}

function suggestWords(index: IndexReader, q: string, limit: number, synonyms: Synonyms): Suggestion[] {
  const cuts = cutsOf(q);
  const found = ranked(
    cuts.flatMap((cut) =>
      candidatesOf(
        index,
        synonyms,
        cut,
        cut.keys.flatMap((key) => [...index.completions.idsByBeginning(key)]),
      ),
    ),
    limit,
    synonyms,
  );
  const [last] = cuts;
  return found.length > 0 || last === undefined
    ? found
    : ranked(candidatesOf(index, synonyms, last, idsAlmostAs(index, last)), limit, synonyms);
}

function idsAlmostAs({ completions }: IndexReader, cut: Cut): number[] {
  const typed = mistyped(cut);
  if (typed === undefined) return [];
  return [...completions.idsByBeginning(typed[0]!)].filter((id) =>
    beginsAlmostAs(readCompletion(completions.completionOf(id)).key, typed),
  );
}

function candidatesOf(index: IndexReader, synonyms: Synonyms, cut: Cut, ids: readonly number[]): Candidate[] {
  const { columns, completions } = index;
  if (ids.length === 0) return [];
  const active = statusId("active");
  const front = wordsInFront(cut, synonyms);
  const context = front.length === 0 ? undefined : new Set(matchWords(index, front, "unknown").rows);
  const isThere = (row: number): boolean =>
    columns.statusOf(row) === active && !columns.isRemoved(row) && (context === undefined || context.has(row));
  const parts = ids.map((id) => completions.count(id, columns.length, isThere));
  const most = firstInOrder([...ids.keys()], MAX_COMPLETIONS, {
    keys: parts,
    tieOf: () => 0,
    compare: (a, b) => (completions.completionOf(ids[a]!) < completions.completionOf(ids[b]!) ? -1 : 1),
  });
  return most.map((at) => ({ cut, entry: completions.completionOf(ids[at]!), parts: parts[at]! }));
}
