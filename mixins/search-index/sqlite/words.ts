import { allowedTypos } from "../edit-distance.ts";
import type { Alternative, PlannedTerm, WordGroup } from "../query-plan.ts";
import { queryChunks } from "../text.ts";
import type { IndexFile } from "./index-file.ts";

/** Rows that have all of the words, and how well: the higher the better. Scores are by row, and read before the next search only. */
export interface WordMatches {
  rows: Uint32Array;
  scores: Float32Array;
}

/** Which words may be misspelt: those that nothing in the index is written like, or all. */
export type Tolerance = "unknown" | "all";

/** What a match counts that is not the very word that was typed. */
const FACTOR = { synonym: 0.9, compact: 0.9, beginning: 0.8, misspelt: 0.6 } as const;
const MAX_CORRECTIONS = 5;
const MAX_CHUNKS = 12;

export function matchWords(index: IndexFile, groups: readonly WordGroup[], tolerance: Tolerance): WordMatches {
  const { length } = index.columns;
  const scores = new Float32Array(length);
  let rows = new Uint32Array(0);
  for (const [at, group] of groups.entries()) {
    const best = new Float32Array(length);
    for (const alternative of group.alternatives) raiseAlternative(index, alternative, tolerance, best);
    const found = rowsAboveZero(best);
    const rarity = Math.log(1 + length / (1 + found.length));
    rows = at === 0 ? found : rows.filter((row) => best[row]! > 0);
    for (const row of rows) scores[row]! += best[row]! * rarity;
  }
  return { rows, scores };
}

/** The query with its misspelt words corrected and its unknown ones left out. */
export function correctedWords(index: IndexFile, q: string): string[] {
  const { words, corrector } = index;
  const isKnown = (term: string): boolean => words.idsByBeginning(term).next().done !== true;
  return queryChunks(q).slice(0, MAX_CHUNKS).flatMap(({ terms, compact }) => {
    if (compact !== undefined) return isKnown(compact) ? [compact] : [];
    return terms.flatMap((term) => (isKnown(term) ? [term] : corrector.corrections(term, 1)));
  });
}

function raiseAlternative(index: IndexFile, { terms, kind }: Alternative, tolerance: Tolerance, best: Float32Array): void {
  const factor = kind === "typed" ? 1 : FACTOR[kind];
  const [term] = terms;
  if (terms.length === 1) {
    raiseTerm(index, term!, tolerance, factor, best);
    return;
  }
  // Of several terms that must all be there the mean weight counts.
  const all = terms.map((each) => {
    const values = new Float32Array(best.length);
    raiseTerm(index, each, tolerance, factor / terms.length, values);
    return values;
  });
  raiseWhereAll(all, best);
}

function raiseTerm(index: IndexFile, { text, typos, isBeginning }: PlannedTerm, tolerance: Tolerance, factor: number, best: Float32Array): void {
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
  if (typos === 0 || (isKnown && tolerance === "unknown")) return;
  for (const word of corrector.corrections(text, MAX_CORRECTIONS)) words.raise(words.idOf(word)!, factor * FACTOR.misspelt, best);
  const halves = splitInTwo(index, text);
  if (halves) {
    raiseWhereAll(halves.map((half) => {
      const values = new Float32Array(best.length);
      words.raise(words.idOf(half)!, (factor * FACTOR.compact) / 2, values);
      return values;
    }), best);
  }
}

function raiseWhereAll(all: readonly Float32Array[], best: Float32Array): void {
  for (let row = 0; row < best.length; row += 1) {
    let sum = 0;
    for (const values of all) {
      if (values[row] === 0) {
        sum = 0;
        break;
      }
      sum += values[row]!;
    }
    if (sum > best[row]!) best[row] = sum;
  }
}

function rowsAboveZero(best: Float32Array): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(best.length);
  let count = 0;
  for (let row = 0; row < best.length; row += 1) if (best[row]! > 0) rows[count++] = row;
  return rows.slice(0, count);
}

/** `sparkplug` is `spark plug`. */
function splitInTwo({ corrector }: IndexFile, term: string): [string, string] | undefined {
  if (allowedTypos(term) === 0) return undefined;
  for (let cut = 3; cut <= term.length - 3; cut += 1) {
    const halves: [string, string] = [term.slice(0, cut), term.slice(cut)];
    if (halves.every((half) => corrector.knows(half))) return halves;
  }
  return undefined;
}
