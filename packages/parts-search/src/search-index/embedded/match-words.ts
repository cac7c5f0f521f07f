import { halvesOf, isShort, MAX_CORRECTIONS } from "../edit-distance.ts";
import { planQuery, type PlannedTerm, type Synonyms, type WordGroup } from "../query-plan.ts";
import { longestThatFinds, typedWords } from "../suggestions.ts";
import { FACTOR, rarity } from "../word-fields.ts";
import { EFFORT_OF_A_MATCH, type IndexReader } from "./index-reader.ts";
import { reused } from "./reused-array.ts";
import type { RowValues } from "./row-values.ts";

const rowsOfWords = reused((length) => new Uint32Array(length));

/** Rows that have all of the words. Valid until the next words are matched. */
export interface WordMatches {
  rows: Uint32Array;
  /** Writes the scores of rows that have all of them. */
  score(rows: Uint32Array, scores: Float64Array): void;
}

/** What a term or a group stands for: the rows of each list, and those that are in all parts of a phrase. */
interface Reading {
  /** Words of the index, whose weights count times the factor. */
  lists: { ids: ArrayLike<number>; factor: number }[];
  phrases: Reading[][];
}

/** Which words are corrected: those that are nowhere in the index, or all. */
export type Tolerance = "unknown" | "all";

const NOTHING: WordMatches = { rows: new Uint32Array(), score: (rows, scores) => scores.fill(0, 0, rows.length) };

export function matchWords(index: IndexReader, groups: readonly WordGroup[], tolerance: Tolerance): WordMatches {
  const { columns, pool } = index;
  pool.releaseAll();
  const readings: Reading[] = [];
  for (const group of groups) {
    const reading = readGroup(index, group, tolerance);
    if (reading.lists.length + reading.phrases.length === 0) return NOTHING;
    readings.push(reading);
  }
  // All of one reading's rows match.
  if (readings.length === 1) index.expect(sizeOf(index, readings[0]!) * EFFORT_OF_A_MATCH);
  const matched = new Map<Reading, { values: RowValues; weight: number }>();
  let fewest: RowValues | undefined;
  // How many rows a single list has is known before it is read: it is looked for among the rows of the others.
  for (const reading of bySize(index, readings, (each) => (isOneList(each) ? 1 : 0))) {
    const isKnown = isOneList(reading);
    const values = pool.take(columns.length, isKnown ? fewest : undefined);
    raise(index, reading, values);
    matched.set(reading, { values, weight: rarity(index.count, isKnown ? sizeOf(index, reading) : values.count) });
    if (values.count === 0) return NOTHING;
    if (!fewest || values.count <= fewest.count) fewest = values;
  }
  const inOrder = readings.map((reading) => matched.get(reading)!);
  return {
    rows: fewest
      ? rowsOfAll(
          fewest,
          inOrder.map(({ values }) => values),
        )
      : new Uint32Array(),
    score: (rows, scores) => addUp(inOrder, rows, scores),
  };
}

/**
 * Suggests a query that finds something in place of one that does not: misspelt words corrected, unknown ones left out.
 */
export function suggestQuery(index: IndexReader, q: string, synonyms: Synonyms): string | undefined {
  const { words, columns } = index;
  const known = typedWords(q).flatMap(({ text, typed }) =>
    words.hasBeginning(text) ? [text] : index.corrections(text, 1, typed),
  );
  return longestThatFinds(known, (suggestion) =>
    matchWords(index, planQuery(suggestion, synonyms).words, "unknown").rows.some((row) => columns.has(row)),
  );
}

function rowsOfAll(fewest: RowValues, groups: readonly RowValues[]): Uint32Array {
  const others = groups.filter((each) => each !== fewest && !fewest.isWithin(each)).sort((a, b) => a.count - b.count);
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
  const halves = halvesOf(text).find((each) => each.every((half) => index.corrector.hasWord(half)));
  if (halves) {
    const ofHalf = (half: string) => ({ ids: [words.idOf(half)!], factor: (factor * FACTOR.compact) / 2 });
    reading.phrases.push(halves.map((half) => ({ lists: [ofHalf(half)], phrases: [] })));
  }
  return reading;
}

function isOneList({ lists, phrases }: Reading): boolean {
  return phrases.length === 0 && lists.length === 1 && lists[0]!.ids.length === 1;
}

/** Rows of its lists. */
function sizeOf({ words }: IndexReader, { lists }: Reading): number {
  let size = 0;
  for (const { ids } of lists) for (let at = 0; at < ids.length; at += 1) size += words.frequency(ids[at]!);
  return size;
}

function bySize(index: IndexReader, readings: readonly Reading[], classOf: (reading: Reading) => number): Reading[] {
  if (readings.length === 1) return [...readings];
  return readings
    .map((reading) => ({ reading, kind: classOf(reading), size: sizeOf(index, reading) }))
    .sort((a, b) => a.kind - b.kind || a.size - b.size)
    .map(({ reading }) => reading);
}

function raise(index: IndexReader, { lists, phrases }: Reading, best: RowValues): void {
  for (const { ids, factor } of lists) for (let at = 0; at < ids.length; at += 1) index.raise(ids[at]!, factor, best);
  for (const parts of phrases) raisePhrase(index, parts, best);
}

/** All parts must be there, and their sum counts. Each is looked for among the rows of those before it. */
function raisePhrase(index: IndexReader, parts: readonly Reading[], best: RowValues): void {
  const { pool, columns } = index;
  const all: RowValues[] = [];
  let last: RowValues | undefined;
  for (const part of bySize(index, parts, () => 0)) {
    last = pool.take(columns.length, last);
    all.push(last);
    raise(index, part, last);
    if (last.count === 0) break;
  }
  const values = all.map((each) => each.values);
  for (const row of last?.rows ?? []) {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += values[at]![row]!;
    best.raise(row, sum);
  }
  pool.release(all.length);
}
