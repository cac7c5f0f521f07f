import { completed, isTelling, unfinished } from "../completion.ts";
import { escapeHtml, highlightsOf } from "../highlight.ts";
import type { Suggestion } from "../port.ts";
import { planQuery, type QueryPlan } from "../query-plan.ts";
import { statusId } from "./columns.ts";
import type { IndexFile } from "./index-file.ts";
import { ofVendor } from "./numbers.ts";
import { firstInOrder } from "./top.ts";
import { matchWords } from "./words.ts";

/** Numbers that begin so are read in their order, so many of them; words in that of their frequency. */
const MAX_NUMBERS = 200;
const MAX_WORDS = 100;

export function suggestIn(index: IndexFile, { q, limit }: { q: string; limit: number }): Suggestion[] {
  const plan = planQuery(q, index.synonyms);
  const numbers = suggestNumbers(index, plan, limit);
  return [...numbers, ...suggestWords(index, q, limit - numbers.length)];
}

function suggestNumbers(index: IndexFile, plan: QueryPlan, limit: number): Suggestion[] {
  const { columns } = index;
  const rows = new Set(plan.numbers.prefixes.flatMap((reading) => ofVendor(index, reading, index.rowsOfNumberPrefix(reading.norm, MAX_NUMBERS))));
  return [...rows].filter((row) => columns.status[row] === statusId("active")).slice(0, limit).map((row) => {
    const document = index.document(row);
    const { partNumber } = document;
    return { text: partNumber, highlighted: highlightsOf(document, plan).partNumber ?? escapeHtml(partNumber), document };
  });
}

/** The last word as others are that begin like it, of parts that have the words before it. */
function suggestWords(index: IndexFile, q: string, limit: number): Suggestion[] {
  const typed = unfinished(q);
  if (limit <= 0 || typed === undefined) return [];
  const { words, columns } = index;
  const active = statusId("active");
  const context = contextOf(index, typed.before);
  const isThere = (row: number): boolean => columns.status[row] === active && (context === undefined || context.has(row));

  const candidates = [...words.idsByBeginning(typed.last)].filter((id) => isTelling(words.termOf(id)));
  const frequent = firstInOrder(candidates, MAX_WORDS, (a, b) => words.frequency(b) - words.frequency(a));
  return frequent
    .map((id) => ({ word: words.termOf(id), count: words.count(id, isThere) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => completed(typed, word));
}

/** Parts that have the words in front; undefined where there are none. */
function contextOf(index: IndexFile, before: string): Set<number> | undefined {
  const { words } = planQuery(before, index.synonyms);
  return words.length === 0 ? undefined : new Set(matchWords(index, words, "unknown").rows);
}
