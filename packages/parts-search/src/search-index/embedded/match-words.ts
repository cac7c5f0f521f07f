import { listHalves, isShort, MAX_CORRECTIONS } from "../edit-distance.ts";
import { planQuery, type PlannedTerm, type Synonyms, type WordGroup } from "../query-plan.ts";
import { findLongest, listTypedWords } from "../suggestions.ts";
import { FACTOR, computeRarity } from "../word-fields.ts";
import { EFFORT_OF_A_MATCH, type IndexReader } from "./index-reader.ts";
import { reuseArray } from "./reused-array.ts";
import type { RowValues } from "./row-values.ts";

const rowsOfWords = reuseArray((length) => new Uint32Array(length));

/** Rows that have all of the words. Valid until the next words are matched. */
export interface WordMatches {
  rows: Uint32Array;
  /** Writes the scores of rows that have all of them. */
  score(rows: Uint32Array, scores: Float64Array): void;
}

/** Rows of a term or a group: those of each list, and those in all parts of a phrase. */
interface Reading {
  /** Words of the index, whose weights count times the factor. */
  lists: { ids: ArrayLike<number>; factor: number }[];
  phrases: Reading[][];
}

/** Words that are corrected: those that are nowhere in the index, or all. */
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
  if (readings.length === 1) index.expect(countRows(index, readings[0]!) * EFFORT_OF_A_MATCH);
  const matched = new Map<Reading, { values: RowValues; weight: number }>();
  let fewest: RowValues | undefined;
  // How many rows a single list has is known before it is read: it is looked for among the rows of the others.
  for (const reading of sortBySize(index, readings, (candidate) => (isOneList(candidate) ? 1 : 0))) {
    const isKnown = isOneList(reading);
    const values = pool.take(columns.length, isKnown ? fewest : undefined);
    raise(index, reading, values);
    matched.set(reading, {
      values,
      weight: computeRarity(index.count, isKnown ? countRows(index, reading) : values.count),
    });
    if (values.count === 0) return NOTHING;
    if (!fewest || values.count <= fewest.count) fewest = values;
  }
  const inOrder = readings.map((reading) => matched.get(reading)!);
  return {
    rows: fewest
      ? intersectRows(
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
  const knownTerms = listTypedWords(q).flatMap(({ text, typed }) =>
    words.hasBeginning(text) ? [text] : index.findCorrections(text, 1, typed),
  );
  return findLongest(knownTerms, (suggestion) =>
    matchWords(index, planQuery(suggestion, synonyms).words, "unknown").rows.some((row) => columns.has(row)),
  );
}

function intersectRows(fewest: RowValues, groups: readonly RowValues[]): Uint32Array {
  const otherGroups = groups
    .filter((group) => group !== fewest && !fewest.isWithin(group))
    .sort((a, b) => a.count - b.count);
  if (otherGroups.length === 0) return fewest.rows;
  let count = fewest.count;
  const rows = rowsOfWords(count);
  rows.set(fewest.rows);
  for (const { values } of otherGroups) {
    let keptCount = 0;
    for (let index = 0; index < count; index += 1) {
      const row = rows[index]!;
      if (values[row] !== 0) rows[keptCount++] = row;
    }
    count = keptCount;
  }
  return rows.subarray(0, count);
}

/** Searches of one and two words are most of all. */
function addUp(
  groups: readonly { values: RowValues; weight: number }[],
  rows: Uint32Array,
  scores: Float64Array,
): void {
  const [first, second, ...rest] = groups.map(({ values: { values }, weight }) => ({ values, weight }));
  if (!first) scores.fill(0, 0, rows.length);
  else if (!second) for (let index = 0; index < rows.length; index += 1) scores[index] = first.values[rows[index]!]!;
  else
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!;
      scores[index] = first.values[row]! * first.weight + second.values[row]! * second.weight;
    }
  for (const { values, weight } of rest)
    for (let index = 0; index < rows.length; index += 1) scores[index]! += values[rows[index]!]! * weight;
}

function readGroup(index: IndexReader, { alternatives }: WordGroup, tolerance: Tolerance): Reading {
  const reading: Reading = { lists: [], phrases: [] };
  for (const { terms, kind } of alternatives) {
    const factor = (kind === "typed" ? 1 : FACTOR[kind]) / terms.length;
    const [first, ...rest] = terms.map((term) => readTerm(index, term, tolerance, factor));
    if (rest.length > 0) reading.phrases.push([first!, ...rest]);
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
  const id = words.findId(text);
  if (id !== undefined) reading.lists.push({ ids: [id], factor });
  if (isBeginning) {
    // The term itself is the first of them.
    const longer = words.listIdsByBeginning(text).subarray(id === undefined ? 0 : 1);
    if (longer.length > 0) reading.lists.push({ ids: longer, factor: factor * FACTOR.beginning });
  }
  const isKnown = reading.lists.length > 0;
  if (typos === 0 || (isKnown && tolerance === "unknown") || (isShort(typed) && (isKnown || words.hasBeginning(typed))))
    return reading;
  const corrections = index.findCorrections(text, MAX_CORRECTIONS, typed).map((word) => words.findId(word)!);
  if (corrections.length > 0) reading.lists.push({ ids: corrections, factor: factor * FACTOR.misspelt });
  const halves = listHalves(text).find((halfPair) => halfPair.every((half) => index.corrector.hasWord(half)));
  if (halves) {
    const toHalfList = (half: string) => ({ ids: [words.findId(half)!], factor: (factor * FACTOR.compact) / 2 });
    reading.phrases.push(halves.map((half) => ({ lists: [toHalfList(half)], phrases: [] })));
  }
  return reading;
}

function isOneList({ lists, phrases }: Reading): boolean {
  return phrases.length === 0 && lists.length === 1 && lists[0]!.ids.length === 1;
}

/** Rows of its lists. */
function countRows({ words }: IndexReader, { lists }: Reading): number {
  let size = 0;
  for (const { ids } of lists)
    for (let index = 0; index < ids.length; index += 1) size += words.getFrequency(ids[index]!);
  return size;
}

function sortBySize(
  index: IndexReader,
  readings: readonly Reading[],
  classOf: (reading: Reading) => number,
): Reading[] {
  if (readings.length === 1) return [...readings];
  return readings
    .map((reading) => ({ reading, kind: classOf(reading), size: countRows(index, reading) }))
    .sort((a, b) => a.kind - b.kind || a.size - b.size)
    .map(({ reading }) => reading);
}

function raise(index: IndexReader, { lists, phrases }: Reading, best: RowValues): void {
  for (const { ids, factor } of lists)
    for (let place = 0; place < ids.length; place += 1) index.raise(ids[place]!, factor, best);
  for (const parts of phrases) raisePhrase(index, parts, best);
}

/** All parts must be there, and their sum counts. Each is looked for among the rows of those before it. */
function raisePhrase(index: IndexReader, parts: readonly Reading[], best: RowValues): void {
  const { pool, columns } = index;
  const partValues: RowValues[] = [];
  let last: RowValues | undefined;
  for (const part of sortBySize(index, parts, () => 0)) {
    last = pool.take(columns.length, last);
    partValues.push(last);
    raise(index, part, last);
    if (last.count === 0) break;
  }
  const values = partValues.map((part) => part.values);
  for (const row of last?.rows ?? []) {
    let sum = 0;
    for (let place = 0; place < values.length; place += 1) sum += values[place]![row]!;
    best.raise(row, sum);
  }
  pool.release(partValues.length);
}
