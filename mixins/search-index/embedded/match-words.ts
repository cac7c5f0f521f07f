import { isShort } from "../edit-distance.ts";
import { MAX_CORRECTIONS } from "../limits.ts";
import { planQuery, type Alternative, type PlannedTerm, type Synonyms, type WordGroup } from "../query-plan.ts";
import { longestThatFinds, typedWords } from "../suggestions.ts";
import { FACTOR, rarity } from "../word-weights.ts";
import type { IndexReader } from "./index-reader.ts";
import { reused } from "./reused.ts";
import type { RowValues } from "./row-values.ts";

const rowsOfWords = reused((length) => new Uint32Array(length));

/** Rows that have all of the words. Valid until the next words are matched. */
export interface WordMatches {
  rows: Uint32Array;
  /** Writes the scores of rows that have all of them. */
  score(rows: Uint32Array, scores: Float64Array): void;
}

/** Which words are corrected: those that are nowhere in the index, or all. */
export type Tolerance = "unknown" | "all";

export function matchWords(index: IndexReader, groups: readonly WordGroup[], tolerance: Tolerance): WordMatches {
  const { columns, pool } = index;
  pool.releaseAll();
  const matched: { values: RowValues; weight: number }[] = [];
  for (const group of groups) {
    const values = pool.take(columns.length);
    for (const alternative of group.alternatives) raiseAlternative(index, alternative, tolerance, values);
    matched.push({ values, weight: rarity(index.count, values.count) });
    if (values.count === 0) break;
  }
  return {
    rows: rowsOfAll(matched.map(({ values }) => values)),
    score: (rows, scores) => addUp(matched, rows, scores),
  };
}

/** Suggests a query that finds something in place of one that does not: misspelt words corrected, unknown ones left out. */
export function suggestQuery(index: IndexReader, q: string, synonyms: Synonyms): string | undefined {
  const { words, columns } = index;
  const known = typedWords(q).flatMap(({ text, typed }) =>
    words.hasBeginning(text) ? [text] : index.corrections(text, 1, typed),
  );
  return longestThatFinds(known, (suggestion) =>
    matchWords(index, planQuery(suggestion, synonyms).words, "unknown").rows.some((row) => columns.has(row)),
  );
}

function rowsOfAll(groups: readonly RowValues[]): Uint32Array {
  const [fewest, ...others] = groups.toSorted((a, b) => a.count - b.count);
  if (!fewest) return new Uint32Array();
  if (others.length === 0) return fewest.rows;
  let count = fewest.count;
  const rows = rowsOfWords(count);
  rows.set(fewest.rows);
  for (const { values } of others) {
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const row = rows[at]!;
      if (values[row] !== 0) rows[kept++] = row;
    }
    count = kept;
  }
  return rows.subarray(0, count);
}

/** Searches of one and two words are most of all. */
function addUp(
  groups: readonly { values: RowValues; weight: number }[],
  rows: Uint32Array,
  scores: Float64Array,
): void {
  const [first, second, ...others] = groups.map(({ values: { values }, weight }) => ({ values, weight }));
  if (!first) scores.fill(0, 0, rows.length);
  else if (!second) for (let at = 0; at < rows.length; at += 1) scores[at] = first.values[rows[at]!]!;
  else
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!;
      scores[at] = first.values[row]! * first.weight + second.values[row]! * second.weight;
    }
  for (const { values, weight } of others)
    for (let at = 0; at < rows.length; at += 1) scores[at]! += values[rows[at]!]! * weight;
}

function raiseAlternative(
  index: IndexReader,
  { terms, kind }: Alternative,
  tolerance: Tolerance,
  best: RowValues,
): void {
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
  index: IndexReader,
  { text, typed, typos, isBeginning }: PlannedTerm,
  tolerance: Tolerance,
  factor: number,
  best: RowValues,
): void {
  const { words } = index;
  const id = words.idOf(text);
  let isKnown = id !== undefined;
  if (id !== undefined) index.raise(id, factor, best);
  if (isBeginning) {
    for (const longer of words.idsByBeginning(text)) {
      isKnown = true;
      if (longer !== id) index.raise(longer, factor * FACTOR.beginning, best);
    }
  }
  if (typos === 0 || (isKnown && tolerance === "unknown") || (isShort(typed) && (isKnown || words.hasBeginning(typed))))
    return;
  for (const word of index.corrections(text, MAX_CORRECTIONS, typed))
    index.raise(words.idOf(word)!, factor * FACTOR.misspelt, best);
  const halves = splitInTwo(index, text);
  if (!halves) return;
  raiseWhereAll(
    index,
    halves.map((half) => (values) => index.raise(words.idOf(half)!, (factor * FACTOR.compact) / 2, values)),
    best,
  );
}

/** If all of several terms must be there, their sum counts. Each is looked for among the rows of those before it. */
function raiseWhereAll(
  { pool, columns }: IndexReader,
  terms: readonly ((values: RowValues) => void)[],
  best: RowValues,
): void {
  const all: RowValues[] = [];
  let last: RowValues | undefined;
  for (const fill of terms) {
    last = pool.take(columns.length, last);
    all.push(last);
    fill(last);
    if (last.count === 0) break;
  }
  for (const row of last?.rows ?? [])
    best.raise(
      row,
      all.reduce((sum, { values }) => sum + values[row]!, 0),
    );
  pool.release(all.length);
}

/** `sparkplug` is `spark plug`. */
function splitInTwo({ corrector }: IndexReader, term: string): [string, string] | undefined {
  for (let cut = 3; cut <= term.length - 3; cut += 1) {
    const halves: [string, string] = [term.slice(0, cut), term.slice(cut)];
    if (halves.every((half) => corrector.knows(half))) return halves;
  }
  return undefined;
}
