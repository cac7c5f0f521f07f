import { isShort } from "../edit-distance.ts";
import { MAX_CORRECTIONS } from "../limits.ts";
import { planQuery, type Alternative, type PlannedTerm, type WordGroup } from "../query-plan.ts";
import { longestThatFinds, typedWords } from "../suggestions.ts";
import { FACTOR, rarity } from "../word-weights.ts";
import type { IndexFile } from "./index-file.ts";
import type { RowValues } from "./row-values.ts";

/** Rows that have all of the words, and their scores. Valid until the next words are matched. */
export interface WordMatches {
  rows: readonly number[];
  scores: RowValues;
}

/** Which words are corrected: those that are nowhere in the index, or all. */
export type Tolerance = "unknown" | "all";

export function matchWords(index: IndexFile, groups: readonly WordGroup[], tolerance: Tolerance): WordMatches {
  const { columns, pool } = index;
  pool.releaseAll();
  let scores = pool.take(columns.length);
  for (const [at, group] of groups.entries()) {
    const best = pool.take(columns.length);
    for (const alternative of group.alternatives) raiseAlternative(index, alternative, tolerance, best);
    const weight = rarity(index.count, best.rows.length);
    const both = pool.take(columns.length);
    if (at === 0) for (const row of best.rows) both.add(row, best.at(row) * weight);
    else for (const row of scores.rows) if (best.at(row) > 0) both.add(row, scores.at(row) + best.at(row) * weight);
    scores = both;
    if (scores.rows.length === 0) break;
  }
  return { rows: scores.rows, scores };
}

/** Suggests a query that finds something in place of one that does not: misspelt words corrected, unknown ones left out. */
export function suggestQuery(index: IndexFile, q: string): string | undefined {
  const { words, corrector, columns, synonyms } = index;
  const known = typedWords(q).flatMap(({ text, typed }) =>
    words.hasBeginning(text) ? [text] : corrector.corrections(text, 1, typed),
  );
  return longestThatFinds(known, (suggestion) =>
    matchWords(index, planQuery(suggestion, synonyms).words, "unknown").rows.some((row) => columns.has(row)),
  );
}

function raiseAlternative(index: IndexFile, { terms, kind }: Alternative, tolerance: Tolerance, best: RowValues): void {
  const factor = kind === "typed" ? 1 : FACTOR[kind];
  const [term] = terms;
  if (terms.length === 1) {
    raiseTerm(index, term!, tolerance, factor, best);
    return;
  }
  raiseWhereAll(
    index,
    terms.map((each) => (values) => raiseTerm(index, each, tolerance, factor / terms.length, values)),
    best,
  );
}

function raiseTerm(
  index: IndexFile,
  { text, typed, typos, isBeginning }: PlannedTerm,
  tolerance: Tolerance,
  factor: number,
  best: RowValues,
): void {
  const { words, corrector } = index;
  const id = words.idOf(text);
  let isKnown = id !== undefined;
  if (id !== undefined) words.raise(id, factor, best);
  if (isBeginning) {
    for (const longer of words.idsByBeginning(text)) {
      isKnown = true;
      if (longer !== id) words.raise(longer, factor * FACTOR.beginning, best);
    }
  }
  if (typos === 0 || (isKnown && tolerance === "unknown") || (isShort(typed) && (isKnown || words.hasBeginning(typed))))
    return;
  for (const word of corrector.corrections(text, MAX_CORRECTIONS, typed))
    words.raise(words.idOf(word)!, factor * FACTOR.misspelt, best);
  const halves = splitInTwo(index, text);
  if (!halves) return;
  raiseWhereAll(
    index,
    halves.map((half) => (values) => words.raise(words.idOf(half)!, (factor * FACTOR.compact) / 2, values)),
    best,
  );
}

/** If all of several terms must be there, their sum counts. */
function raiseWhereAll(
  { pool, columns }: IndexFile,
  terms: readonly ((values: RowValues) => void)[],
  best: RowValues,
): void {
  const all = terms.map((fill) => {
    const values = pool.take(columns.length);
    fill(values);
    return values;
  });
  const [fewest, ...others] = all.sort((a, b) => a.rows.length - b.rows.length);
  for (const row of fewest!.rows) {
    if (others.every((values) => values.at(row) > 0))
      best.raise(
        row,
        all.reduce((sum, values) => sum + values.at(row), 0),
      );
  }
}

/** `sparkplug` is `spark plug`. */
function splitInTwo({ corrector }: IndexFile, term: string): [string, string] | undefined {
  for (let cut = 3; cut <= term.length - 3; cut += 1) {
    const halves: [string, string] = [term.slice(0, cut), term.slice(cut)];
    if (halves.every((half) => corrector.knows(half))) return halves;
  }
  return undefined;
}
