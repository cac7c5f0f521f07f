import type { TypedWord } from "../../elasticsearch/nearest-words.ts";
import { LONGEST_CHAIN, normalizePartNumber } from "@partline/parts-language";
import { isShort } from "../edit-distance.ts";
import { planQuery, type PlannedTerm, type QueryPlan, type Synonyms, type WordGroup } from "../query-plan.ts";
import { findLongest, listTypedWords } from "../suggestions.ts";
import { computeRarity } from "../word-fields.ts";
import type { Asker } from "./asker.ts";
import { joinAny, isNothing, type Query } from "./combined.ts";
import { matchBeginning, matchEnding, matchExact, matchReadings, matchVariant } from "./number-query.ts";
import {
  ALL_PARTS,
  askCount,
  isAny,
  isCorrectable,
  isThere,
  askNear,
  askParts,
  type Replaceable,
} from "./questions.ts";
import { listMisspellable, type Corrections } from "./word-query.ts";

export interface Reading {
  /** Parts that the query names by their own number, or in another way. */
  exact: Query;
  variant: Query;
  /** The numbers of named parts, by the ids of those that replace them. */
  successors: ReadonlyMap<string, string>;
  words: WeighedGroup[];
  corrections: Corrections;
  /** True if nothing in the index matches, regardless of the filters. */
  isNothing: boolean;
}

interface WeighedGroup {
  group: WordGroup;
  /** Factor of its score: the higher, the fewer parts meet it. */
  weight: number;
}

/**
 * Reads a plan by the known facts of the index. It assumes the usual for unknown ones, so that a search can be sent
 * along with the questions: words are spelt right, no number stands among them, no named part was replaced.
 * @param isFound whether a search by an earlier reading found something
 * @returns undefined if nothing can be assumed for a missing answer
 */
export function readPlan(asker: Asker, { numbers, words }: QueryPlan, isFound?: boolean): Reading | undefined {
  const wholeMatches = recallParts(asker, [...matchExact(numbers), ...matchVariant(numbers)]) ?? [];
  const amid = recallParts(asker, matchReadings(numbers.amidWords)) ?? [];
  const namedParts = wholeMatches.length > 0 ? wholeMatches : amid;
  const partly = joinAny([...matchBeginning(numbers), ...matchEnding(numbers)]);
  const hasMatches = (corrections: Corrections): boolean => {
    if (isFound || namedParts.length > 0) return true;
    const total = askCount(words, corrections);
    // A first search shows it as well, unless it is known that nothing has all of the words.
    if (words.length > 0 && (isFound === undefined ? asker.peek(total) : asker.recall(total)) !== 0) return true;
    return !isNothing(partly) && (asker.recall(isAny(partly)) ?? true);
  };

  // Words that are nowhere are corrected at once; the others only if nothing has all of the words.
  const unknown = findUnknown(asker, words);
  const suspects = listMisspellable(words).filter((term) => !isShort(term.typed) || unknown.includes(term));
  let corrections = findCorrections(asker, unknown);
  if (corrections && !hasMatches(corrections) && suspects.length > unknown.length)
    corrections = findCorrections(asker, suspects);
  const weighed = corrections && weigh(asker, words, corrections);
  const successors = findSuccessors(asker, namedParts);
  if (!corrections || !weighed || !successors) return undefined;
  return {
    exact: joinAny(matchExact(numbers)),
    variant: joinAny(
      wholeMatches.length === 0 && amid.length > 0 ? matchReadings(numbers.amidWords) : matchVariant(numbers),
    ),
    successors,
    words: weighed,
    corrections,
    isNothing: !hasMatches(corrections),
  };
}

/** Suggests a query that finds something in place of one that does not. */
export function suggestQuery(asker: Asker, q: string, synonyms: Synonyms): Promise<string | undefined> {
  return asker.settle(() => {
    const typed = listTypedWords(q);
    const unknown = typed.filter((word) => asker.recall(isThere({ ...word, typos: 0, isBeginning: true })) === false);
    const corrections = findCorrections(asker, unknown);
    if (!corrections) return undefined;
    const words = typed.flatMap(({ text }) => corrections.get(text)?.slice(0, 1) ?? [text]);
    return findLongest(words, (suggestion) => {
      const groups = planQuery(suggestion, synonyms).words;
      // Stop words alone ask for nothing.
      if (groups.length === 0) return false;
      const near = correctUnknown(asker, groups);
      const count = near && asker.recall(askCount(groups, near));
      return count === undefined ? undefined : count > 0;
    });
  });
}

/** Corrections of the words that are nowhere in the index; undefined if an answer is missing. */
export function correctUnknown(asker: Asker, words: readonly WordGroup[]): Corrections | undefined {
  return findCorrections(asker, findUnknown(asker, words));
}

function findUnknown(asker: Asker, words: readonly WordGroup[]): PlannedTerm[] {
  return listMisspellable(words).filter((term) => asker.recall(isThere(term)) === false);
}

function findCorrections(asker: Asker, words: readonly TypedWord[]): Corrections | undefined {
  const near = words.map((word) => (isCorrectable(word) ? asker.recall(askNear(word)) : []));
  if (!near.every((wordList) => wordList !== undefined)) return undefined;
  return new Map(words.map(({ text }, index) => [text, near[index]!]));
}

/** The rarity of a group says nothing if it is the only one. */
function weigh(asker: Asker, words: readonly WordGroup[], corrections: Corrections): WeighedGroup[] | undefined {
  const isOne = words.length < 2;
  const parts = isOne ? 1 : asker.recall(ALL_PARTS);
  const counts = words.map((group) => (isOne ? 0 : asker.recall(askCount([group], corrections))));
  if (parts === undefined || !counts.every((count) => count !== undefined)) return undefined;
  return words.map((group, index) => ({ group, weight: computeRarity(parts, counts[index]!) }));
}

function recallParts(asker: Asker, queries: readonly Query[]): readonly Replaceable[] | undefined {
  const query = joinAny(queries);
  return isNothing(query) ? [] : asker.recall(askParts(query));
}

/** The ends of the chains of successors, never a discontinued link. */
function findSuccessors(asker: Asker, namedParts: readonly Replaceable[]): ReadonlyMap<string, string> | undefined {
  const ends = new Map<string, string>();
  let links = namedParts
    .filter(({ supersededBy }) => supersededBy !== undefined)
    .map((part) => ({ first: part.partNumber, part, seen: new Set<string>() }));
  for (let step = 0; step < LONGEST_CHAIN && links.length > 0; step += 1) {
    const numbers = links.map(({ part }) => normalizePartNumber(part.supersededBy!));
    const parts = recallParts(asker, [{ terms: { pnNorm: numbers } }]);
    if (!parts) return undefined;
    links = links.flatMap(({ first, part, seen: visited }, index) => {
      const next = parts.find(
        ({ pnNorm, manufacturer }) => pnNorm === numbers[index] && manufacturer.code === part.manufacturer.code,
      );
      if (!next || visited.has(next.id)) return [];
      if (next.status === "active" && !ends.has(next.id)) ends.set(next.id, first);
      return next.status === "active" || next.supersededBy === undefined
        ? []
        : [{ first, part: next, seen: visited.add(next.id) }];
    });
  }
  return ends;
}
