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
import { planQuery } from "../query-plan.ts";
import { suggestedPart, withNumbers } from "../suggestions.ts";
import { statusId } from "./columns.ts";
import type { IndexFile } from "./index-file.ts";
import { ofVendor } from "./numbers.ts";
import { firstInOrder } from "./top.ts";
import { matchWords } from "./match-words.ts";

/** Numbers that are read, in their order. */
const MAX_NUMBERS = 200;

export function suggestIn(index: IndexFile, { q, limit }: { q: string; limit: number }): Suggestion[] {
  return withNumbers(suggestNumbers(index, q, limit), suggestWords(index, q, limit), limit);
}

function suggestNumbers(index: IndexFile, q: string, limit: number): Suggestion[] {
  const { columns } = index;
  const plan = planQuery(q, index.synonyms);
  const rows = new Set(
    plan.numbers.prefixes.flatMap((reading) =>
      ofVendor(index, reading, index.rowsOfNumberPrefix(reading.norm, MAX_NUMBERS)),
    ),
  );
  return [...rows]
    .filter((row) => columns.status[row] === statusId("active"))
    .slice(0, limit)
    .map((row) => suggestedPart(index.document(row), plan));
}

function suggestWords(index: IndexFile, q: string, limit: number): Suggestion[] {
  const cuts = cutsOf(q);
  const found = ranked(
    cuts.flatMap((cut) =>
      candidatesOf(
        index,
        cut,
        cut.keys.flatMap((key) => [...index.completions.idsByBeginning(key)]),
      ),
    ),
    limit,
    index.synonyms,
  );
  const [last] = cuts;
  return found.length > 0 || last === undefined
    ? found
    : ranked(candidatesOf(index, last, idsAlmostAs(index, last)), limit, index.synonyms);
}

function idsAlmostAs({ completions }: IndexFile, cut: Cut): number[] {
  const typed = mistyped(cut);
  if (typed === undefined) return [];
  return [...completions.idsByBeginning(typed[0]!)].filter((id) =>
    beginsAlmostAs(readCompletion(completions.completionOf(id)).key, typed),
  );
}

function candidatesOf(index: IndexFile, cut: Cut, ids: readonly number[]): Candidate[] {
  const { columns, completions, synonyms } = index;
  if (ids.length === 0) return [];
  const active = statusId("active");
  const front = wordsInFront(cut, synonyms);
  const context = front.length === 0 ? undefined : matchWords(index, front, "unknown").scores;
  const isThere = (row: number): boolean =>
    columns.status[row] === active && (context === undefined || context.at(row) > 0);
  const parts = ids.map((id) => completions.count(id, columns.length, isThere));
  const most = firstInOrder(
    [...ids.keys()],
    MAX_COMPLETIONS,
    (a, b) => parts[b]! - parts[a]! || (completions.completionOf(ids[a]!) < completions.completionOf(ids[b]!) ? -1 : 1),
  );
  return most.map((at) => ({ cut, entry: completions.completionOf(ids[at]!), parts: parts[at]! }));
}
