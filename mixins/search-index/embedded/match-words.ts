import { isShort } from "../edit-distance.ts";
import { MAX_CORRECTIONS } from "../limits.ts";
import { planQuery, type PlannedTerm, type Synonyms, type WordGroup } from "../query-plan.ts";
import { longestThatFinds, typedWords } from "../suggestions.ts";
import { FACTOR, rarity } from "../word-weights.ts";
import type { IndexReader } from "./index-reader.ts";
import { reused } from "./reused.ts";
import type { WordRows } from "./row-list.ts";
import type { RowValues } from "./row-values.ts";

const rowsOfWords = reused((length) => new Uint32Array(length));
const scoresOfWords = reused((length) => new Float64Array(length));

/** Rows that have all of the words, with the score of each. Valid until the next words are matched. */
export interface WordMatches {
  rows: Uint32Array;
  scores: Float64Array;
}

/** What a term or a group stands for: the rows of each list, and those that are in all parts of a phrase. */
interface Reading {
  /** Words of the index, whose weights count times the factor. */
  lists: { ids: ArrayLike<number>; factor: number }[];
  phrases: Reading[][];
}

/** Which words are corrected: those that are nowhere in the index, or all. */
export type Tolerance = "unknown" | "all";

const NOTHING: WordMatches = { rows: new Uint32Array(), scores: new Float64Array() };

export function matchWords(index: IndexReader, groups: readonly WordGroup[], tolerance: Tolerance): WordMatches {
  index.pool.release();
  const readings: Reading[] = [];
  for (const group of groups) {
    const reading = readGroup(index, group, tolerance);
    if (reading.lists.length + reading.phrases.length === 0) return NOTHING;
    readings.push(reading);
  }
  const matched: { found: WordRows; weight: number }[] = [];
  for (const reading of readings) {
    const found = rowsOf(index, reading);
    if (found.count === 0) return NOTHING;
    matched.push({ found, weight: rarity(index.count, found.count) });
  }
  return matchAll(index, matched);
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

/** The fewest rows lead: they are looked for among the others, which mostly are as the index has them. */
function matchAll(index: IndexReader, groups: readonly { found: WordRows; weight: number }[]): WordMatches {
  const [fewest, ...others] = groups.toSorted((a, b) => a.found.count - b.found.count);
  if (!fewest) return NOTHING;
  let { rows } = fewest.found;
  const scores = scoresOfWords(rows.length);
  fewest.found.score(scores, fewest.weight);
  for (const { found, weight } of others) {
    index.spend(found.stepsFor(rows.length));
    const kept = rowsOfWords(rows.length);
    rows = kept.subarray(0, found.keep(rows, kept, scores, weight));
  }
  return { rows, scores: scores.subarray(0, rows.length) };
}

function readGroup(index: IndexReader, { alternatives }: WordGroup, tolerance: Tolerance): Reading {
  const reading: Reading = { lists: [], phrases: [] };
  for (const { terms, kind } of alternatives) {
    const factor = (kind === "typed" ? 1 : FACTOR[kind]) / terms.length;
    const [first, ...others] = terms.map((term) => readTerm(index, term, tolerance, factor));
    if (others.length > 0) reading.phrases.push([first!, ...others]);
    else {
      reading.lists.push(...first!.lists);
      reading.phrases.push(...first!.phrases);
    }
  }
  return reading;
}

function readTerm(
  index: IndexReader,
  { text, typed, typos, isBeginning }: PlannedTerm,
  tolerance: Tolerance,
  factor: number,
): Reading {
  const { words } = index;
  const reading: Reading = { lists: [], phrases: [] };
  const id = words.idOf(text);
  if (id !== undefined) reading.lists.push({ ids: [id], factor });
  if (isBeginning) {
    // The term itself is the first of them.
    const longer = words.idsByBeginning(text).subarray(id === undefined ? 0 : 1);
    if (longer.length > 0) reading.lists.push({ ids: longer, factor: factor * FACTOR.beginning });
  }
  const isKnown = reading.lists.length > 0;
  if (typos === 0 || (isKnown && tolerance === "unknown") || (isShort(typed) && (isKnown || words.hasBeginning(typed))))
    return reading;
  const corrections = index.corrections(text, MAX_CORRECTIONS, typed).map((word) => words.idOf(word)!);
  if (corrections.length > 0) reading.lists.push({ ids: corrections, factor: factor * FACTOR.misspelt });
  const halves = splitInTwo(index, text);
  if (halves) {
    const ofHalf = (half: string) => ({ ids: [words.idOf(half)!], factor: (factor * FACTOR.compact) / 2 });
    reading.phrases.push(halves.map((half) => ({ lists: [ofHalf(half)], phrases: [] })));
  }
  return reading;
}

function rowsOf(index: IndexReader, { lists, phrases }: Reading): WordRows {
  const [list] = lists;
  if (list && lists.length === 1 && list.ids.length === 1 && phrases.length === 0)
    return index.words.listOf(list.ids[0]!, list.factor, index.columns.length);
  const best = index.pool.take(index.columns.length);
  for (const { ids, factor } of lists) for (let at = 0; at < ids.length; at += 1) index.raise(ids[at]!, factor, best);
  for (const parts of phrases) raisePhrase(index, parts, best);
  return best;
}

/** All parts must be there, and their sum counts. */
function raisePhrase(index: IndexReader, parts: readonly Reading[], best: RowValues): void {
  const { taken } = index.pool;
  const { rows, scores } = matchAll(
    index,
    parts.map((part) => ({ found: rowsOf(index, part), weight: 1 })),
  );
  for (let at = 0; at < rows.length; at += 1) best.raise(rows[at]!, scores[at]!);
  index.pool.release(taken);
}

/** `sparkplug` is `spark plug`. */
function splitInTwo({ corrector }: IndexReader, term: string): [string, string] | undefined {
  for (let cut = 3; cut <= term.length - 3; cut += 1) {
    const halves: [string, string] = [term.slice(0, cut), term.slice(cut)];
    if (halves.every((half) => corrector.knows(half))) return halves;
  }
  return undefined;
}
